"""Solution-improving search: models of ever lower value, until there is none.

The objective is a row of the solver, which propagates what the bound implies: no encoding is needed. The search starts
from the phases of the best model.
"""

from backends.native.optimising.oracle import Goal


def improve(goal: Goal, conflicts: int) -> bool:
    """Search until no model is better. False once the conflicts are used up, or the time is over."""
    oracle = goal.oracle
    until = oracle.conflicts + conflicts
    oracle.prefer(goal.best)
    while found := oracle.solve((), until):
        goal.found()
    return found is False
