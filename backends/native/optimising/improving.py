"""Solution-improving search: models of ever lower value, until there is none.

The objective is a row of the solver, which propagates what the bound implies: no encoding is needed. The search starts
from the phases of the best model, so that the next one is often little better. Where a literal says that the value is
low, that of an objective of one variable, a search that succeeds is followed by one for twice the improvement.
"""

from collections.abc import Sequence

from backends.native.optimising.events import Improving
from backends.native.optimising.optimum import Optimum


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
