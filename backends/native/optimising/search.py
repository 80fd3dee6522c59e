"""Core-guided and solution-improving search in turns, with one solver, so that each has what the other has learned.

The rule: after a first model, core-guided search has SLICE conflicts, then solution-improving search as many, and so
on; each round has half as many more. Where the values are too large for a row of the solver, only core-guided search
runs. Core-guided search raises the bound and ends soon if few literals are false in the best model; improving search
finds solutions of large instances, and ends soon if the bound is tight.
"""

from backends.native.optimising.cores import CoreGuided
from backends.native.optimising.improving import improve
from backends.native.optimising.objective import Weighted
from backends.native.optimising.oracle import Goal

SLICE = 2000  # conflicts of the first turn


def optimise(goal: Goal, cost: Weighted) -> bool:
    """Search for the best model. True if the incumbent is, or if there is no model; False once the time is over."""
    oracle = goal.oracle
    oracle.prefer(list(cost.weights))
    found = oracle.solve()
    if not found:
        return found is False
    goal.found()
    guided, conflicts = CoreGuided(goal, cost), SLICE
    while not guided.search(conflicts):
        if oracle.late:
            return False
        if goal.limit and improve(goal, conflicts):
            return True
        conflicts += conflicts // 2
    return True
