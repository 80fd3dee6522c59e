"""Deletion of learned clauses, and of clauses that are satisfied at the root. The arena is compacted.

Three tiers, by LBD (Audemard & Simon 2009; Oh 2016): clauses of the core stay, and of the others the half goes that has
taken part in no conflict for longest. Those of the middle tier count as if that were more recent than it was.
"""

from backends.native.cdcl import state as at
from backends.native.cdcl.state import DEAD, RANKS, CdclState
from backends.native.cdcl.watching import attach, clear
from backends.native.compiling import inlined, internal
from puzzles.problem.arrays import Int32Array

CORE, MIDDLE = 2, 6  # greatest LBD of these tiers
SLOWER = 4  # factor by which clauses of the middle tier age more slowly than the others


@internal
def forget(s: CdclState, arena: Int32Array) -> None:
    """Delete clauses, at the root, all propagated. Clauses lose their false literals, and all watches are set anew."""
    worst, surplus = threshold(s, arena)
    clear(s)
    top, c, n, learned = 0, 0, 0, 0
    while c < s.counts[at.TOP]:
        size, lbd, used, r = arena[c + at.SIZE], arena[c + at.LBD], arena[c + at.USED], rank(s, arena, c)
        start, c = c + at.LITERALS, c + at.LITERALS + size
        satisfied = lbd == DEAD
        for k in range(start, start + size):
            satisfied |= s.value[arena[k]] == 1
        if satisfied:
            continue
        if r >= worst and (r > worst or surplus > 0):
            surplus -= r == worst
            continue
        new = top + at.LITERALS
        for k in range(start, start + size):
            if s.value[arena[k]] == 0:
                arena[new] = arena[k]
                new += 1
        arena[top + at.SIZE], arena[top + at.LBD], arena[top + at.USED] = new - top - at.LITERALS, lbd, used
        attach(s, arena, top)
        n += 1
        learned += r > 0
        top = new
    s.counts[at.TOP], s.counts[at.CLAUSES], s.counts[at.LEARNED] = top, n, learned


@inlined
def rank(s: CdclState, arena: Int32Array, c: int) -> int:
    """Return 0 for a clause that stays, else a number that grows with the conflicts since it took part in one."""
    lbd, age = arena[c + at.LBD], s.counts[at.CONFLICTS] - arena[c + at.USED]
    if lbd <= CORE:
        return 0
    age //= SLOWER if lbd <= MIDDLE else 1
    elapsed: int = min(age * (RANKS - 2) // s.counts[at.LIMIT], RANKS - 2)
    return 1 + elapsed


@internal
def threshold(s: CdclState, arena: Int32Array) -> tuple[int, int]:
    """Return the rank beyond which all clauses are deleted, and how many of that rank are."""
    counts = s.histogram
    for r in range(RANKS + 1):
        counts[r] = 0
    c, total = 0, 0
    while c < s.counts[at.TOP]:
        r = rank(s, arena, c)
        counts[r] += 1
        total += r > 0
        c += at.LITERALS + arena[c + at.SIZE]
    excess, r = total // 2, RANKS
    while excess > 0:
        r -= 1
        excess -= counts[r]
    return r, counts[r] + excess
