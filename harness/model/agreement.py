"""Counts of what answers agree on. Imports nothing heavy: entries of JSON, which help texts read, are made of them."""

from typing import TypedDict


class AgreementCounts(TypedDict):
    """Numbers of instances.

    agreed    two or more contenders decided, none refuted    outvoted  the same, but other answers or claims refuted
    unjudged  fewer than two contenders decided: a single opinion, or none
    unique, several, none    number of solutions known from evidence    uncounted  not known
    certified  with a checked proof    certified_formula  of the others, with a checked proof of a formula alone
    contradicted  with a certificate, of the instance or of a formula, that checked solutions contradict
    unconfirmed  of the uncounted: complete counts, but only from contenders that are not independent of each other
    objectives   instances with an objective, which unique, several and uncounted leave out
    optimal      of these: the best solution is known    unopposed  only contenders that are not independent say so
    feasible     of these: a solution is known, but nobody proved that it is the best
    infeasible   of these, and of `none`: there is no solution
    """

    puzzles: int
    agreed: int
    outvoted: int
    unjudged: int
    certified: int
    certified_formula: int
    contradicted: int
    unique: int
    several: int
    none: int
    uncounted: int
    unconfirmed: int
    objectives: int
    optimal: int
    unopposed: int
    feasible: int
    infeasible: int
