"""Core-guided and solution-improving search in turns, with one solver, so that each has what the other has learned.

The rule: the search for a first model has SLICE conflicts, core-guided search as many, then solution-improving search
as many, and so on; each round has half as many more. Where the values are too large for a row of the solver, only
core-guided search runs. Core-guided search raises the bound and ends soon if few literals are false in the best model;
improving search finds solutions of large instances, and ends soon if the bound is tight. An objective of one variable
has no cores of several literals, so from the first model on improving search alone runs.

Improving search finds models of ever lower value, until there is none. The objective is a row of the solver, which
propagates what the bound implies: no encoding is needed. The search starts from the phases of the best model, so that
the next one is often little better. Where a literal says that the value is low, that of an objective of one variable, a
search that succeeds is followed by one for twice the improvement.
"""

from collections.abc import Sequence

from backends.native.optimising.cores import CoreGuided
from backends.native.optimising.events import Improving
from backends.native.optimising.objective import Cost
from backends.native.optimising.optimum import Optimum

SLICE = 2000  # conflicts of the first turn


def optimise(optimum: Optimum, cost: Cost) -> bool:
    """Search for the best model. True if the incumbent is proved best, or no model exists; False after the deadline."""
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


def improve(optimum: Optimum, steps: Sequence[tuple[int, int]], conflicts: int) -> bool:
    """Search until no model is better. False once the conflicts are used up, or the time is over.

    steps  values, falling, each with a literal that is true in the models of at most this value
    """
    solver, incumbent, leap = optimum.solver, optimum.incumbent, 1
    until = solver.conflicts + conflicts
    solver.prefer(optimum.best)
    optimum.tell(Improving(incumbent.value))
    found: bool | None = True
    while found and (optimum.limit(incumbent.value) or incumbent.value is None):
        value = incumbent.value
        ahead = [] if value is None or leap == 1 else [step for step in steps if step[0] <= value - leap][:1]
        found = solver.solve([literal for _, literal in ahead], until)
        leap *= 2
        if found:
            optimum.found()
        elif found is False and solver.core:  # no model is so much better
            ((low, literal),) = ahead
            solver.add([-literal, 0])
            found, leap = not optimum.bounded(low + 1), 1
    optimum.limit(None)
    return found is False
