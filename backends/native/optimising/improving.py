"""Solution-improving search: models of ever lower value, until there is none.

The objective is a row of the solver, which propagates what the bound implies: no encoding is needed. The search starts
from the phases of the best model.
"""

from backends.native.optimising.optimum import Optimum


def improve(optimum: Optimum, conflicts: int) -> bool:
    """Search until no model is better. False once the conflicts are used up, or the time is over."""
    assert optimum.limit
    solver = optimum.solver
    until = solver.conflicts + conflicts
    solver.prefer(optimum.best)
    optimum.limit(optimum.incumbent.value)
    while found := solver.solve((), until):
        optimum.found()
        optimum.limit(optimum.incumbent.value)
    optimum.limit(None)
    return found is False
