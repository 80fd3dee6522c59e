"""Deletion of learned clauses, and of clauses that are satisfied at the root. The arena is compacted.

Of the clauses that took part in no conflict since the last deletion, the half with the larger LBD is deleted.
"""

from backends.native.cdcl import state as at
from backends.native.cdcl.state import KEPT, LARGEST, USED, CdclState
from backends.native.cdcl.watching import attach, clear
from backends.native.compiling import inlined, internal
from puzzles.problem.arrays import Int32Array


@internal
def forget(s: CdclState, arena: Int32Array) -> None:
    """Delete clauses, at the root, all propagated. Clauses lose their false literals, and all watches are set anew."""
    worst, spare = threshold(s, arena)
    clear(s)
    top, c, n, learned = 0, 0, 0, 0
    while c < s.counts[at.TOP]:
        size, lbd = arena[c + at.SIZE], arena[c + at.LBD]
        start, c = c + at.LITERALS, c + at.LITERALS + size
        satisfied = False
        for k in range(start, start + size):
            satisfied |= s.value[arena[k]] == 1
        if satisfied:
            continue
        r = rank(lbd)
        if r > worst:
            continue
        if r == worst and spare > 0:
            spare -= 1
            continue
        new = top + at.LITERALS
        for k in range(start, start + size):
            if s.value[arena[k]] == 0:
                arena[new] = arena[k]
                new += 1
        arena[top + at.SIZE], arena[top + at.LBD] = new - top - at.LITERALS, lbd & USED - 1
        attach(s, arena, top)
        n += 1
        learned += lbd > 0
        top = new
    s.counts[at.TOP], s.counts[at.CLAUSES], s.counts[at.LEARNED] = top, n, learned


@inlined
def rank(lbd: int) -> int:
    """Return the rank of a clause: 0 if it is kept, less if it is worth more."""
    plain = lbd & USED - 1
    if plain <= KEPT:
        return 0
    return min(plain, LARGEST) + (0 if lbd >= USED else LARGEST)


@internal
def threshold(s: CdclState, arena: Int32Array) -> tuple[int, int]:
    """Return the rank from which on clauses are deleted, and how many of that rank are."""
    counts = s.histogram
    for r in range(2 * LARGEST + 1):
        counts[r] = 0
    c, total = 0, 0
    while c < s.counts[at.TOP]:
        r = rank(arena[c + at.LBD])
        if r > 0:
            counts[r] += 1
            total += 1
        c += at.LITERALS + arena[c + at.SIZE]
    excess, r = total - total // 2, 2 * LARGEST + 1
    while r > 1 and excess > 0:
        r -= 1
        excess -= counts[r]
    return r, counts[r] + excess
