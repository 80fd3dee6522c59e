"""Deletion of learned clauses, and of clauses that are satisfied at the root. The arena is compacted.

Of the clauses that took part in no conflict since the last deletion, the half with the larger LBD is deleted.
"""

from backends.native.cdcl import state as at
from backends.native.cdcl.propagate import watch
from backends.native.cdcl.state import CHUNK, KEPT, LARGEST, USED, CdclState
from backends.native.compiling import internal
from puzzles.problem.arrays import Int32Array


@internal
def forget(s: CdclState, arena: Int32Array) -> None:
    """Delete clauses, at the root, all propagated. Clauses lose their false literals, and all watches are set anew."""
    limit = median_lbd(s, arena)
    for p in range(2 * s.variables):
        s.tops[p] = 0
    s.counts[at.FREE], s.counts[at.FRESH] = 0, CHUNK
    top, c, n, learned = 0, 0, 0, 0
    while c < s.counts[at.TOP]:
        size, lbd = arena[c + at.SIZE], arena[c + at.LBD]
        start, c = c + at.LITERALS, c + at.LITERALS + size
        satisfied = False
        for k in range(start, start + size):
            satisfied |= s.value[arena[k]] == 1
        if satisfied or max(limit, KEPT + 1) <= lbd < USED:
            continue
        new = top + at.LITERALS
        for k in range(start, start + size):
            if s.value[arena[k]] == 0:
                arena[new] = arena[k]
                new += 1
        arena[top + at.SIZE], arena[top + at.LBD] = new - top - at.LITERALS, lbd & USED - 1
        p, q = arena[top + at.LITERALS], arena[top + at.LITERALS + 1]
        watch(s, p, top, q)
        watch(s, q, top, p)
        n += 1
        learned += lbd > 0
        top = new
    s.counts[at.TOP], s.counts[at.CLAUSES], s.counts[at.LEARNED] = top, n, learned


@internal
def median_lbd(s: CdclState, arena: Int32Array) -> int:
    """Return the median LBD of unused learned clauses, at most LARGEST."""
    counts = s.histogram
    for lbd in range(LARGEST + 1):
        counts[lbd] = 0
    c, total = 0, 0
    while c < s.counts[at.TOP]:
        lbd = arena[c + at.LBD]
        if 0 < lbd < USED:
            counts[min(lbd, LARGEST)] += 1
            total += 1
        c += at.LITERALS + arena[c + at.SIZE]
    below, lbd = 0, 0
    while lbd < LARGEST and 2 * (below + counts[lbd]) <= total:
        below += counts[lbd]
        lbd += 1
    return lbd
