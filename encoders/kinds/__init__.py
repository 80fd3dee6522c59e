"""Kinds of constraint as clauses over the literals of integer variables, one function per kind."""
