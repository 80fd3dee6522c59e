"""Unit propagation with two watched literals per clause (Moskewicz et al. 2001), and changes of the trail."""

from backends.native.cdcl import state as at
from backends.native.cdcl.branch import insert
from backends.native.cdcl.explain import by_literal, by_row, explain
from backends.native.cdcl.queue import reopen
from backends.native.cdcl.state import NONE, CdclState
from backends.native.cdcl.watching import attach, watch
from backends.native.compiling import inlined, internal
from puzzles.problem.arrays import Int32Array

WORDS = 16  # of a cache line; a tick is about one that is read


@inlined
def assign(s: CdclState, p: int, reason: int) -> None:
    """Make an open literal true."""
    s.value[p], s.value[p ^ 1] = 1, -1
    x = p >> 1
    s.level[x], s.reason[x], s.position[x] = s.counts[at.LEVELS], reason, s.counts[at.TRAIL]
    s.trail[s.counts[at.TRAIL]] = p
    s.counts[at.TRAIL] += 1


@internal
def propagate(s: CdclState, arena: Int32Array) -> int:
    """Propagate all literals of the trail, and rows of sums when no literal is left. Return a false clause, or NONE."""
    value, watches, trail, counts = s.value, s.watches, s.trail, s.counts
    level, reason, position, blocks, lengths = s.level, s.reason, s.position, s.blocks, s.lengths
    head, size, depth = counts[at.HEAD], counts[at.TRAIL], counts[at.LEVELS]
    before, conflict, ticks = head, NONE, 0
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
        pairs = blocks[2 * false + 1]
        ticks += 2 + (lengths[2 * false] + lengths[2 * false + 1]) // WORDS
        for k in range(pairs, pairs + lengths[2 * false + 1], 2):
            other = watches[k + 1]
            if value[other] == 0:
                value[other], value[other ^ 1] = 1, -1
                x = other >> 1
                level[x], reason[x], position[x] = depth, watches[k], size
                trail[size] = other
                size += 1
            elif value[other] == -1:
                conflict = watches[k]
                break
        if conflict != NONE:
            break
        first = kept = k = blocks[2 * false]
        end = k + lengths[2 * false]
        while k < end:
            c, other = watches[k], watches[k + 1]
            k += 2
            if value[other] != 1:
                ticks += 1
                other = arena[c + at.LITERALS] ^ arena[c + at.LITERALS + 1] ^ false
                if value[other] != 1:
                    i, after = c + at.LITERALS + 2, c + at.LITERALS + arena[c + at.SIZE]
                    while i < after and value[arena[i]] == -1:
                        i += 1
                    if i < after:  # another literal can be watched
                        p = arena[i]
                        arena[c + at.LITERALS], arena[c + at.LITERALS + 1], arena[i] = other, p, false
                        watch(s, 2 * p, c, other)
                        moved = blocks[2 * false] - first
                        first, kept, k, end = first + moved, kept + moved, k + moved, end + moved
                        continue
                    if value[other] == -1:
                        conflict = c
                        break
                    value[other], value[other ^ 1] = 1, -1
                    x = other >> 1
                    level[x], reason[x], position[x] = depth, c, size
                    trail[size] = other
                    size += 1
            watches[kept], watches[kept + 1] = c, other
            kept += 2
        if conflict != NONE:
            for i in range(k - 2, end):
                watches[kept] = watches[i]
                kept += 1
        lengths[2 * false] = kept - first
    counts[at.PROPAGATIONS] += head - before
    counts[at.TICKS] += ticks
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
        reopen(s, p >> 1)
    s.counts[at.TRAIL], s.counts[at.HEAD], s.counts[at.LEVELS] = start, start, level


@internal
def add(s: CdclState, arena: Int32Array, literals: Int32Array, size: int, lbd: int) -> int:
    """Store a clause of two or more literals, watch its first two, and return it."""
    c: int = s.counts[at.TOP]
    arena[c + at.SIZE], arena[c + at.LBD], arena[c + at.USED] = size, lbd, s.counts[at.CONFLICTS]
    for i in range(size):
        arena[c + at.LITERALS + i] = literals[i]
    s.counts[at.TOP] = c + at.LITERALS + size
    s.counts[at.CLAUSES] += 1
    attach(s, arena, c)
    return c
