"""Clause learning: a compiled SAT solver after MiniSat (Een & Soerensson 2003), one technique per file.

It also propagates groups and sums, which only native:lazy uses.

state      the solver's memory: arrays, and how clauses lie in them
rules      groups and sums
watching   the lists of watches: binary clauses, and longer ones
propagate  unit propagation with two watched literals, in groups, and in sums
explain    clauses for what groups and sums imply, when a conflict needs them
learn      conflict analysis up to the first unique implication point, minimisation, cores of assumptions
branch     activities of variables (VSIDS) in a heap, for stable mode
queue      variables in the order of their last conflicts (VMTF), for focused mode
modes      the two modes in turns, and their restarts: by the Luby sequence, and by moving averages of LBDs
forget     deletion of learned clauses by tiers (LBD, Audemard & Simon 2009) and by age, and compaction
search     the search loop: assumptions, decisions, restarts that keep what they can, saved phases
eliminate  bounded elimination of variables by resolution (Een & Biere 2005), once
walk       local search (ProbSAT, Balint & Schoening 2012) between restarts, which sets the saved phases
models     the solver as Python sees it: memory that grows, calls of the kernels
session    one fresh solver per ask, its solutions one after the other, its proof
counting   search with components and a cache, for --count all
optimising  one fresh solver per ask, the best of its solutions (the algorithms are in optimising/)
"""
