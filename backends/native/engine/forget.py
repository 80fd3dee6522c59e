"""Deletion of learned clauses: of those that took part in no clash since the last deletion, the worse half by quality.

Older clauses go first. As in glucose (Audemard & Simon 2009), clauses of at most two decision levels are never deleted;
nor are those of quality 0, which block found solutions.
"""

from backends.native.compiling import internal
from backends.native.engine import state as at
from backends.native.engine.state import HEADER, USED, LayoutArrays, SearchState
from puzzles.problem.arrays import Int32Array

WORST = 64  # larger qualities count as this one


@internal
def attach(f: SearchState, arena: Int32Array, c: int) -> None:
    """Watch the first two literals of the clause at `c`."""
    for slot in range(2):
        literal = arena[c + HEADER + slot]
        arena[c + 2 + slot] = f.head[literal]
        f.head[literal] = 2 * c + slot


@internal
def threshold(f: SearchState, arena: Int32Array) -> tuple[int, int]:
    """Return the quality up to which all clauses are kept, and the number of clauses of the next quality to delete."""
    counts = f.histogram
    for quality in range(WORST + 2):
        counts[quality] = 0
    c, unused = 0, 0
    while c < f.counts[at.END]:
        if arena[c + 1] < USED:
            counts[min(arena[c + 1], WORST)] += 1
            unused += 1
        c += HEADER + arena[c]
    limit, stay = 2, counts[0] + counts[1] + counts[2]
    while limit < WORST and stay + counts[limit + 1] <= unused // 2:
        limit += 1
        stay += counts[limit]
    return limit, counts[limit + 1] - (unused // 2 - stay)


@internal
def forget(b: LayoutArrays, f: SearchState, arena: Int32Array) -> None:
    """Keep the better half of the clauses, simplified by the root; call at the root, all propagated."""
    limit, go = threshold(f, arena)
    for literal in range(2 * b.variables):
        f.head[literal] = -1
    f.counts[at.LEARNED] = 0
    c, end = 0, 0
    while c < f.counts[at.END]:
        length, quality = arena[c], arena[c + 1]
        keep = quality <= limit or quality >= USED
        if quality < USED and min(quality, WORST) == limit + 1:
            go -= 1
            keep = go < 0
        kept = 0
        for i in range(c + HEADER, c + HEADER + length):
            literal = arena[i]
            value = f.value[literal >> 1]
            if value == 1 - 2 * (literal & 1):
                keep = False
            if value == 0 and keep:
                arena[end + HEADER + kept] = literal
                kept += 1
        if keep:
            arena[end], arena[end + 1] = kept, quality & USED - 1
            attach(f, arena, end)
            end += HEADER + kept
            f.counts[at.LEARNED] += 1
        c += HEADER + length
    f.counts[at.END] = end
    f.counts[at.FORGOTTEN] += 1
