"""Unit propagation with two watched literals per clause (Moskewicz et al. 2001), and changes of the trail."""

from backends.native.cdcl import state as at
from backends.native.cdcl.branch import insert
from backends.native.cdcl.explain import by_literal, by_row, explain
from backends.native.cdcl.state import CHUNK, NONE, CdclState
from backends.native.compiling import inlined, internal
from puzzles.problem.arrays import Int32Array


@inlined
def assign(s: CdclState, p: int, reason: int) -> None:
    """Make an open literal true."""
    s.value[p], s.value[p ^ 1] = 1, -1
    x = p >> 1
    s.level[x], s.reason[x], s.position[x] = s.counts[at.LEVELS], reason, s.counts[at.TRAIL]
    s.trail[s.counts[at.TRAIL]] = p
    s.counts[at.TRAIL] += 1


@inlined
def watch(s: CdclState, tops: Int32Array, p: int, c: int, other: int) -> None:
    """Watch literal p of a clause that has another literal, in one of its lists."""
    top = tops[p]
    if top & CHUNK - 1 == 0:
        base = s.counts[at.FREE]
        if base:
            s.counts[at.FREE] = s.watches[base + 1]
        else:
            base = s.counts[at.FRESH]
            s.counts[at.FRESH] += CHUNK
        s.watches[base] = top
        top = base + 2
    s.watches[top], s.watches[top + 1] = c, other
    tops[p] = top + 2


@internal
def attach(s: CdclState, arena: Int32Array, c: int) -> None:
    """Watch the first two literals of a clause."""
    p, q = arena[c + at.LITERALS], arena[c + at.LITERALS + 1]
    if arena[c + at.SIZE] == 2:
        watch(s, s.pairs, p, c, q)
        watch(s, s.pairs, q, c, p)
    else:
        watch(s, s.tops, p, c, q)
        watch(s, s.tops, q, c, p)


@internal
def propagate(s: CdclState, arena: Int32Array) -> int:
    """Propagate all literals of the trail, and rows of sums when no literal is left. Return a false clause, or NONE."""
    value, watches, trail, counts = s.value, s.watches, s.trail, s.counts
    level, reason, position = s.level, s.reason, s.position
    head, size, depth = counts[at.HEAD], counts[at.TRAIL], counts[at.LEVELS]
    start, conflict = head, NONE
    while conflict == NONE:
        if head == size:
            if counts[at.QUEUED] == 0:
                break
            counts[at.QUEUED] -= 1
            r = s.queue[counts[at.QUEUED]]
            s.queued[r] = 0
            counts[at.TRAIL] = size
            if s.slack[r] < 0:
                conflict = explain(s, arena, NONE, by_row(r))
                break
            propagate_row(s, r)
            size = counts[at.TRAIL]
            continue
        true = trail[head]
        false = true ^ 1
        head += 1
        if s.ruled:
            weaken_rows(s, false)
            counts[at.TRAIL] = size
            conflict = exclude(s, arena, true)
            size = counts[at.TRAIL]
            if conflict != NONE:
                break
        end = s.pairs[false]
        k = (end - 1 & -CHUNK) + 2
        while end:
            other = watches[k + 1]
            if value[other] != 1:
                if value[other] == -1:
                    conflict = watches[k]
                    break
                value[other], value[other ^ 1] = 1, -1
                x = other >> 1
                level[x], reason[x], position[x] = depth, watches[k], size
                trail[size] = other
                size += 1
            k += 2
            if k == end:
                end = watches[k - 1 & -CHUNK]
                k = end - (CHUNK - 2)
        if conflict != NONE:
            break
        end = top = s.tops[false]
        k = (top - 1 & -CHUNK) + 2
        while end:
            if value[watches[k + 1]] != 1:
                c = watches[k]
                other = arena[c + at.LITERALS] ^ arena[c + at.LITERALS + 1] ^ false
                watches[k + 1] = other
                if value[other] != 1:
                    i, after = c + at.LITERALS + 2, c + at.LITERALS + arena[c + at.SIZE]
                    while i < after and value[arena[i]] == -1:
                        i += 1
                    if i < after:  # another literal can be watched
                        p = arena[i]
                        arena[c + at.LITERALS], arena[c + at.LITERALS + 1], arena[i] = other, p, false
                        watch(s, s.tops, p, c, other)
                        last = top - 2  # the last watch of the first chunk takes the place of this one
                        watches[k], watches[k + 1] = watches[last], watches[last + 1]
                        if end == top:
                            end, k = last, k - 2
                        top = last
                        if last & CHUNK - 1 == 2:  # the chunk is empty
                            base = last - 2
                            top, watches[base + 1], counts[at.FREE] = watches[base], counts[at.FREE], base
                    elif value[other] == -1:
                        conflict = c
                        break
                    else:
                        value[other], value[other ^ 1] = 1, -1
                        x = other >> 1
                        level[x], reason[x], position[x] = depth, c, size
                        trail[size] = other
                        size += 1
            k += 2
            if k == end:
                end = watches[k - 1 & -CHUNK]
                k = end - (CHUNK - 2)
        s.tops[false] = top
    counts[at.PROPAGATIONS] += head - start
    counts[at.HEAD], counts[at.TRAIL] = head, size
    for i in range(counts[at.QUEUED]):
        s.queued[s.queue[i]] = 0
    counts[at.QUEUED] = 0
    return conflict


@inlined
def weaken_rows(s: CdclState, false: int) -> None:
    """Take a false literal's weight from its rows, and queue those that may now need other literals."""
    for o in range(s.losses_of[false], s.losses_of[false + 1]):
        r = s.losing[o]
        s.slack[r] -= s.loss[o]
        if s.slack[r] < s.widest[r] and not s.queued[r]:
            s.queued[r] = 1
            s.queue[s.counts[at.QUEUED]] = r
            s.counts[at.QUEUED] += 1


@inlined
def exclude(s: CdclState, arena: Int32Array, true: int) -> int:
    """Make the other literals of the groups of a true literal false. Return a false clause, or NONE."""
    conflict = NONE
    for o in range(s.groups_of[true], s.groups_of[true + 1]):
        g = s.groups[o]
        for i in range(s.starts[g], s.starts[g + 1]):
            p = s.members[i] ^ 1
            if s.value[p] == 0:
                assign(s, p, by_literal(true))
            elif s.value[p] == -1 and p != true ^ 1:
                conflict = c = s.counts[at.TOP]
                arena[c + at.SIZE], arena[c + at.LBD] = 2, 0
                arena[c + at.LITERALS], arena[c + at.LITERALS + 1] = true ^ 1, p
    return conflict


@inlined
def propagate_row(s: CdclState, r: int) -> None:
    """Make each literal true without which a row can't reach its bound."""
    slack = s.slack[r]
    for t in range(s.rows[r], s.rows[r + 1]):
        first, last = s.chains[t], s.chains[t + 1] - 1
        if s.weights[last] <= slack:
            break
        while last >= first and s.value[s.literals[last]] == -1:
            last -= 1
        if last < first or s.weights[last] <= slack:
            continue
        needed = s.weights[last] - slack
        while last > first and s.weights[last - 1] >= needed:
            last -= 1
        if s.value[s.literals[last]] == 0:
            assign(s, s.literals[last], by_row(r))


@internal
def backtrack(s: CdclState, level: int) -> None:
    """Undo all decisions above a level."""
    if s.counts[at.LEVELS] <= level:
        return
    start = s.limits[level]
    for i in range(s.counts[at.TRAIL] - 1, start - 1, -1):
        p = s.trail[i]
        s.value[p], s.value[p ^ 1] = 0, 0
        s.phase[p >> 1] = p & 1
        if s.ruled and i < s.counts[at.HEAD]:
            for o in range(s.losses_of[p ^ 1], s.losses_of[(p ^ 1) + 1]):
                s.slack[s.losing[o]] += s.loss[o]
        insert(s, p >> 1)
    s.counts[at.TRAIL], s.counts[at.HEAD], s.counts[at.LEVELS] = start, start, level


@internal
def add(s: CdclState, arena: Int32Array, literals: Int32Array, size: int, lbd: int) -> int:
    """Store a clause of two or more literals, watch its first two, and return it."""
    c: int = s.counts[at.TOP]
    arena[c + at.SIZE], arena[c + at.LBD] = size, lbd
    for i in range(size):
        arena[c + at.LITERALS + i] = literals[i]
    s.counts[at.TOP] = c + at.LITERALS + size
    s.counts[at.CLAUSES] += 1
    attach(s, arena, c)
    return c
