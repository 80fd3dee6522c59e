"""Lazy clause generation (Ohrimenko, Stuckey & Codish 2009): constraints over integers, in the solver of native:cdcl.

literals  order literals of integer variables, and literals of their values as far as needed
units     all-different      sums  linear constraints      tables  lists of tuples      cages  sums over units
lowering  all constraints of an ask    session  its solutions

Clauses, tables and the clauses among literals are clauses of the solver; units are its groups, and linear constraints
its sums, which propagate by themselves and explain what they propagate only when a conflict is analysed.
"""
