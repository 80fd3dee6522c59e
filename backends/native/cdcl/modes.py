"""Two modes of the search, in turns (Oh 2015, "Between SAT and UNSAT"), and their restarts.

stable   the most active variable comes next (branch.py), and restarts follow the Luby sequence
focused  the variable of the last conflict comes next (queue.py), and a restart is due as soon as the last clauses
         learned have larger LBDs than all of them (Audemard & Simon 2012, with the moving averages of Biere & Froehlich
         2015, "Evaluating CDCL Restart Schemes")

Turns end by ticks (propagate.py), so that a search is determined by its formula, and grow by squares. Where it cannot
pay all is stable: with groups or sums; where most clauses are binary (pigeonholes, quasigroups, unrolled circuits); and
where the conflicts of the first turn come after few decisions, so that a restart has little to undo.
"""

from backends.native.cdcl import state as at
from backends.native.cdcl.branch import DECAY
from backends.native.cdcl.queue import to_front
from backends.native.cdcl.state import CdclState
from backends.native.compiling import internal
from backends.native.luby import luby

UNIT = 50  # conflicts of the shortest restart in stable mode
DEEP = 28  # decisions at a conflict of the first turn, on average, from which on there are others
LAST, ALL = 0, 1  # averages: LBDs of about the last 33 conflicts in focused mode, and of all
SHARE, MARGIN = 1 / 33, 1.1


@internal
def note(s: CdclState, lbd: int) -> None:
    """Take account of a conflict, before it is undone, in what chooses variables and restarts."""
    s.counts[at.DEPTHS] += s.counts[at.LEVELS]
    if not s.counts[at.FOCUSED]:
        s.increment[0] /= DECAY
        return
    to_front(s)
    s.counts[at.GLUED] += 1
    s.averages[LAST] += (lbd - s.averages[LAST]) * max(SHARE, 1 / s.counts[at.GLUED])
    s.averages[ALL] += (lbd - s.averages[ALL]) / s.counts[at.GLUED]


@internal
def due(s: CdclState, limit: int) -> bool:
    """Return True if a restart is due; `limit` is the number of conflicts in stable mode."""
    if s.counts[at.FOCUSED]:
        return bool(s.counts[at.SINCE] > 1 and s.averages[LAST] > MARGIN * s.averages[ALL])
    return bool(s.counts[at.SINCE] >= limit)


@internal
def take_turns(s: CdclState) -> int:
    """Change the mode if its turn is over, at a restart; return the conflicts up to the next one in stable mode."""
    counts = s.counts
    if counts[at.TICKS if counts[at.TURNS] else at.CONFLICTS] >= counts[at.TURN]:
        change(s)
    counts[at.STABLE] += 1 - counts[at.FOCUSED]
    return interval(s)


@internal
def interval(s: CdclState) -> int:
    """Return the conflicts up to the next restart in stable mode (Luby et al. 1993)."""
    return UNIT * luby(s.counts[at.STABLE])


@internal
def change(s: CdclState) -> None:
    """Begin the next turn."""
    counts = s.counts
    if counts[at.TURNS] == 0:
        counts[at.FIRST_TICKS] = counts[at.TICKS]
        if counts[at.DEPTHS] < DEEP * counts[at.CONFLICTS]:
            counts[at.TURN] = at.NEVER
            return
    counts[at.FOCUSED] = 1 - counts[at.FOCUSED]
    counts[at.TURNS] += 1
    root = (counts[at.TURNS] + 1) // 2
    counts[at.TURN] = counts[at.TICKS] + counts[at.FIRST_TICKS] * root * root
