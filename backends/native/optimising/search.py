"""Core-guided and solution-improving search in turns, with one solver, so that each has what the other has learned.

The rule: the search for a first model has SLICE conflicts, core-guided search as many, then solution-improving search
as many, and so on; each round has half as many more. Where the values are too large for a row of the solver, only
core-guided search runs. Core-guided search raises the bound and ends soon if few literals are false in the best model;
improving search finds solutions of large instances, and ends soon if the bound is tight. An objective of one variable
has no cores of several literals, so from the first model on improving search alone runs.
"""

from backends.native.optimising.cores import CoreGuided
from backends.native.optimising.improving import improve
from backends.native.optimising.objective import Cost
from backends.native.optimising.optimum import Optimum

SLICE = 2000  # conflicts of the first turn


def optimise(optimum: Optimum, cost: Cost) -> bool:
    """Search for the best model. True if the incumbent is, or if there is no model; False once the time is over."""
    solver, conflicts = optimum.solver, SLICE
    solver.prefer(list(cost.weights))
    found = solver.solve((), solver.conflicts + conflicts)
    if found is False:
        return True
    if found:
        optimum.found()
    guided, steps = CoreGuided(optimum, cost), cost.steps() if optimum.limit(None) else []
    guided.assume(cost.below(None) or 0)
    while (steps and optimum.best) or not guided.search(conflicts):
        if solver.late:
            return False
        if improve(optimum, steps, conflicts):
            return True
        conflicts += conflicts // 2
    return True
