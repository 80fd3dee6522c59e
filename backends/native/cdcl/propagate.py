"""Unit propagation with two watched literals per clause (Moskewicz et al. 2001), and changes of the trail."""

from backends.answer import Int32Array
from backends.native.cdcl.branch import insert
from backends.native.cdcl.state import HEAD, LBD, LEVELS, LITERALS, NEXT, NONE, PROPAGATIONS, SIZE, TOP, TRAIL, Solver
from backends.native.engine.intrinsics import inlined, internal


@inlined
def assign(s: Solver, p: int, reason: int) -> None:
    """Make an open literal true."""
    s.value[p], s.value[p ^ 1] = 1, -1
    x = p >> 1
    s.level[x], s.reason[x] = s.counts[LEVELS], reason
    s.trail[s.counts[TRAIL]] = p
    s.counts[TRAIL] += 1


@inlined
def watch(s: Solver, arena: Int32Array, c: int, i: int) -> None:
    """Watch literal i of clause c."""
    p = arena[c + LITERALS + i]
    arena[c + NEXT + i] = s.heads[p]
    s.heads[p] = 2 * c + i


@internal
def propagate(s: Solver, arena: Int32Array) -> int:
    """Propagate all literals of the trail; return a clause that is false, or NONE."""
    value, heads, trail, level, reason = s.value, s.heads, s.trail, s.level, s.reason
    head, size, depth = s.counts[HEAD], s.counts[TRAIL], s.counts[LEVELS]
    start, conflict = head, NONE
    while head < size and conflict == NONE:
        false = trail[head] ^ 1
        head += 1
        before, link = NONE, heads[false]
        while link != NONE:
            c = link >> 1
            at = c + (link & 1)
            after = arena[at + NEXT]
            other = arena[c + LITERALS + 1 - (link & 1)]
            if value[other] != 1:
                end = c + LITERALS + arena[c + SIZE]
                k = c + LITERALS + 2
                while k < end and value[arena[k]] == -1:
                    k += 1
                if k < end:  # another literal can be watched
                    p = arena[k]
                    arena[at + LITERALS], arena[k] = p, false
                    arena[at + NEXT], heads[p] = heads[p], link
                    if before == NONE:
                        heads[false] = after
                    else:
                        arena[(before >> 1) + (before & 1) + NEXT] = after
                    link = after
                    continue
                if value[other] == -1:
                    conflict = c
                    break
                value[other], value[other ^ 1] = 1, -1
                level[other >> 1], reason[other >> 1] = depth, c
                trail[size] = other
                size += 1
            before, link = link, after
    s.counts[PROPAGATIONS] += head - start
    s.counts[HEAD], s.counts[TRAIL] = size if conflict != NONE else head, size
    return conflict


@internal
def backtrack(s: Solver, level: int) -> None:
    """Undo all decisions above a level."""
    if s.counts[LEVELS] <= level:
        return
    start = s.limits[level]
    for i in range(s.counts[TRAIL] - 1, start - 1, -1):
        p = s.trail[i]
        s.value[p], s.value[p ^ 1] = 0, 0
        s.phase[p >> 1] = p & 1
        insert(s, p >> 1)
    s.counts[TRAIL], s.counts[HEAD], s.counts[LEVELS] = start, start, level


@internal
def add(s: Solver, arena: Int32Array, literals: Int32Array, size: int, lbd: int) -> int:
    """Store a clause of two or more literals, watch its first two, and return it."""
    c: int = s.counts[TOP]
    arena[c + SIZE], arena[c + LBD] = size, lbd
    for i in range(size):
        arena[c + LITERALS + i] = literals[i]
    s.counts[TOP] = c + LITERALS + size
    watch(s, arena, c, 0)
    watch(s, arena, c, 1)
    return c
