"""Two modes of the search, in turns (Oh 2015, "Between SAT and UNSAT"), and their restarts.

stable   the most active variable comes next (branch.py), and restarts follow the Luby sequence
focused  the variable of the last conflict comes next (queue.py), and a restart is due as soon as the last clauses
         learned have larger LBDs than all of them (Audemard & Simon 2012, with the moving averages of Biere & Froehlich
         2015, "Evaluating CDCL Restart Schemes")

Turns end by ticks (propagate.py), so that a search is determined by its formula; stable ones grow by squares. A focused
turn is as long as the stable one before if the clauses learned in its first part, a trial, have LBDs that are smaller
by a quarter. Else it ends there, as on pigeonholes, where restarts cost more than they bring, and the saved phases are
those of before. With groups or sums all is stable.
"""

from backends.native.cdcl import state as at
from backends.native.cdcl.branch import DECAY
from backends.native.cdcl.propagate import backtrack
from backends.native.cdcl.queue import to_front
from backends.native.cdcl.state import CdclState
from backends.native.compiling import internal
from backends.native.luby import luby

UNIT = 50  # conflicts of the shortest restart in stable mode
FIRST = 1000  # conflicts of the first turn
PART = 4  # a trial takes so many times fewer ticks than the first turn
PROMISING = 0.75  # mean LBD in focused mode beside that in stable mode
LAST, ALL, MEANS = 0, 1, 2  # LBDs of about the last 33 conflicts in focused mode, of all; of the last turn, by mode
SHARE, MARGIN = 1 / 33, 1.1


@internal
def note(s: CdclState, lbd: int) -> None:
    """Take account of a conflict, before it is undone, in what chooses variables and restarts."""
    s.counts[at.LBDS] += lbd
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
    over = counts[at.TICKS] >= counts[at.TURN] if counts[at.TURNS] else counts[at.CONFLICTS] >= FIRST
    if over and not s.ruled:
        change(s)
    counts[at.STABLE] += 1 - counts[at.FOCUSED]
    return interval(s)


@internal
def interval(s: CdclState) -> int:
    """Return the conflicts up to the next restart in stable mode (Luby et al. 1993)."""
    return UNIT * luby(s.counts[at.STABLE])


@internal
def change(s: CdclState) -> None:
    """Begin the next turn, or go on with a focused one whose trial is promising."""
    counts, focused = s.counts, s.counts[at.FOCUSED]
    s.averages[MEANS + focused] = counts[at.LBDS] / max(counts[at.CONFLICTS] - counts[at.TURNED], 1)
    counts[at.LBDS], counts[at.TURNED] = 0, counts[at.CONFLICTS]
    if counts[at.TURNS] == 0:
        counts[at.FIRST_TICKS] = counts[at.TICKS]
    trial, counts[at.TRIAL] = counts[at.TRIAL], 0
    if not trial or s.averages[MEANS + 1] > PROMISING * s.averages[MEANS]:
        backtrack(s, 0)
        for x in range(s.variables):
            if not focused:
                s.before[x] = s.phase[x]
            elif trial:
                s.phase[x] = s.before[x]
        counts[at.FOCUSED], counts[at.TRIAL] = 1 - focused, 1 - focused
        counts[at.TURNS] += 1
    root = counts[at.TURNS] // 2 + 1
    whole = counts[at.FIRST_TICKS] * root * root
    counts[at.TURN] = counts[at.TICKS] + (counts[at.FIRST_TICKS] // PART if counts[at.TRIAL] else whole)
