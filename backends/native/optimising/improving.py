"""Solution-improving search: models of ever lower value, until there is none.

The objective is a row of the solver, which propagates what the bound implies: no encoding is needed. The search starts
from the phases of the best model.
"""

from backends.native.optimising.events import Improving
from backends.native.optimising.optimum import Optimum


def improve(optimum: Optimum, conflicts: int) -> bool:
    """Search until no model is better. False once the conflicts are used up, or the time is over."""
    solver, incumbent = optimum.solver, optimum.incumbent
    until = solver.conflicts + conflicts
    solver.prefer(optimum.best)
    optimum.tell(Improving(incumbent.value))
    found: bool | None = True
    while found and (optimum.limit(incumbent.value) or incumbent.value is None):
        found = solver.solve((), until)
        if found:
            optimum.found()
    optimum.limit(None)
    return found is False
