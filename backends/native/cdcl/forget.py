"""Deletion of the worse half of the learned clauses, and of what is satisfied at the root. The arena is compacted."""

from backends.answer import Int32Array
from backends.native.cdcl.propagate import watch
from backends.native.cdcl.state import CLAUSES, LARGEST, LBD, LEARNED, LITERALS, NONE, SIZE, TOP, Solver
from backends.native.uncounted import internal

KEPT = 2  # clauses of so small an LBD are kept


@internal
def forget(s: Solver, arena: Int32Array) -> None:
    """Delete clauses, at the root, all propagated; clauses lose their false literals, and all watches are set anew."""
    limit = median_lbd(s, arena)
    for p in range(2 * s.variables):
        s.heads[p] = NONE
    top, c, n, learned = 0, 0, 0, 0
    while c < s.counts[TOP]:
        size, lbd = arena[c + SIZE], arena[c + LBD]
        start, c = c + LITERALS, c + LITERALS + size
        satisfied = False
        for k in range(start, start + size):
            satisfied |= s.value[arena[k]] == 1
        if satisfied or (lbd > KEPT and lbd >= limit):
            continue
        new = top + LITERALS
        for k in range(start, start + size):
            if s.value[arena[k]] == 0:
                arena[new] = arena[k]
                new += 1
        arena[top + SIZE], arena[top + LBD] = new - top - LITERALS, lbd
        s.offsets[n] = top
        watch(s, arena, n, 0)
        watch(s, arena, n, 1)
        n += 1
        learned += lbd > 0
        top = new
    s.counts[TOP], s.counts[CLAUSES], s.counts[LEARNED] = top, n, learned


@internal
def median_lbd(s: Solver, arena: Int32Array) -> int:
    """Return the median LBD of learned clauses, at most LARGEST."""
    counts = s.histogram
    for lbd in range(LARGEST + 1):
        counts[lbd] = 0
    c, total = 0, 0
    while c < s.counts[TOP]:
        lbd = arena[c + LBD]
        if lbd > 0:
            counts[min(lbd, LARGEST)] += 1
            total += 1
        c += LITERALS + arena[c + SIZE]
    below, lbd = 0, 0
    while lbd < LARGEST and 2 * (below + counts[lbd]) <= total:
        below += counts[lbd]
        lbd += 1
    return lbd
