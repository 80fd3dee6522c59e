"""The search loop, and loading. The loop returns NO_ROOM if the arena or the log is full, which Python then enlarges.

It returns PAUSE, at the root, where a walk is due, and FAILED, with a core, where the assumptions can't all hold.

Assumptions are the first decisions (Een & Soerensson 2003, "Temporal induction by incremental SAT solving"): the
assumption of index d is decided on level d, or has an empty level if it is true already. So what is learned follows
from the clauses alone, and holds for other assumptions too. A restart keeps their levels.
"""

from backends.native.cdcl import state as at
from backends.native.cdcl.branch import most_active, pop
from backends.native.cdcl.explain import dimacs, explain_root
from backends.native.cdcl.forget import forget
from backends.native.cdcl.learn import analyse, fail, second_to_front
from backends.native.cdcl.modes import due, interval, note, take_turns
from backends.native.cdcl.propagate import add, assign, backtrack, propagate
from backends.native.cdcl.queue import newest
from backends.native.cdcl.state import NONE, CdclState, Memory
from backends.native.compiling import compiled, internal
from backends.native.intrinsics import nanoseconds
from backends.native.memory import view
from puzzles.problem.arrays import Int64Array

SATISFIABLE, UNSATISFIABLE, TIME_OUT, NO_ROOM, PAUSE, FAILED, ENOUGH = 1, 0, 2, 3, 4, 5, 6  # results of a search
CLOCK = 1 << 10  # steps between readings of the clock


@compiled
def load(solver: Int64Array, memory: Int64Array) -> int:
    """Add clauses, at the root; the arguments are words. Returns UNSATISFIABLE if a clause is false at once.

    Decisions are undone first. Repeated literals are removed, and clauses with both signs of a variable left out.
    The arena must have room for all clauses.
    """
    s, m = view(solver, CdclState), view(memory, Memory)
    backtrack(s, 0)
    size, useless = 0, False
    for i in range(m.given):
        literal = m.clauses[i]
        if literal != 0:
            x = abs(literal) - 1
            p = 2 * x + (literal < 0)
            mark = 1 + (p & 1)
            if s.value[p] == 1 or s.seen[x] == 3 - mark:
                useless = True
            elif s.value[p] == 0 and s.seen[x] == 0:
                s.seen[x] = mark
                s.learned[size] = p
                size += 1
            continue
        for k in range(size):
            s.seen[s.learned[k] >> 1] = 0
        if not useless:
            if size == 0:
                return UNSATISFIABLE
            if size == 1:
                assign(s, s.learned[0], NONE)
            else:
                add(s, m.arena, s.learned, size, 0)
        size, useless = 0, False
    return SATISFIABLE


@compiled
def search(solver: Int64Array, memory: Int64Array, deadline: int) -> int:
    """Search for a model until the monotonic clock passes `deadline` (ns), or enough conflicts. A model is in `value`.

    The other arguments are words. Lemmas are written to the log unless it is empty.
    """
    s, m = view(solver, CdclState), view(memory, Memory)
    arena, counts = m.arena, s.counts
    steps = 0
    limit = interval(s)
    while True:
        steps += 1
        if steps % CLOCK == 0 and nanoseconds() > deadline:
            return TIME_OUT
        conflict = propagate(s, arena)
        if counts[at.REASONS] and counts[at.LEVELS] == 0:
            explain_root(s, arena)
        if conflict != NONE:
            counts[at.CONFLICTS] += 1
            counts[at.SINCE] += 1
            if counts[at.LEVELS] == 0:
                return UNSATISFIABLE
            size, lbd = analyse(s, arena, conflict)
            note(s, lbd)
            level = second_to_front(s, size)
            backtrack(s, level)
            record(s, m, size, lbd)
            if steps % 32 == 0 and nanoseconds() > deadline:
                return TIME_OUT
            if full(s, m):
                return NO_ROOM
            if counts[at.CONFLICTS] >= m.until:
                return ENOUGH
            continue
        if counts[at.LEARNED] > counts[at.LIMIT]:
            backtrack(s, 0)
            forget(s, arena)
            counts[at.LIMIT] += counts[at.GROWTH]
            continue
        if due(s, limit):
            walking = counts[at.CONFLICTS] >= counts[at.WALKS] or counts[at.PROPAGATIONS] >= counts[at.EFFORT]
            backtrack(s, 0 if walking else reused(s, m.assumptions))
            counts[at.RESTARTS] += 1
            counts[at.SINCE], limit = 0, take_turns(s)
            if walking:
                return PAUSE
            continue
        if counts[at.LEVELS] < m.assumptions:
            p = m.assumed[counts[at.LEVELS]]
            if s.value[p] == -1:
                fail(s, arena, p)
                return FAILED
            s.limits[counts[at.LEVELS]] = counts[at.TRAIL]
            counts[at.LEVELS] += 1
            if s.value[p] == 0:
                assign(s, p, NONE)
            continue
        x = newest(s) if counts[at.FOCUSED] else most_active(s)
        if x == NONE:
            return SATISFIABLE
        counts[at.DECISIONS] += 1
        s.limits[counts[at.LEVELS]] = counts[at.TRAIL]
        counts[at.LEVELS] += 1
        assign(s, 2 * x + s.phase[x], NONE)


@internal
def reused(s: CdclState, least: int) -> int:
    """Return the level up to which a restart would decide the same again (van der Tak et al. 2011), or `least`."""
    level: int = least
    if s.counts[at.FOCUSED]:
        x = newest(s)
        while level < s.counts[at.LEVELS] and x != NONE and s.stamp[s.trail[s.limits[level]] >> 1] > s.stamp[x]:
            level += 1
        return level
    while s.counts[at.HEAP] > 0 and s.value[2 * s.heap[0]] != 0:
        pop(s)
    if s.counts[at.HEAP] > 0:
        next_ = s.activity[s.heap[0]]
        while level < s.counts[at.LEVELS] and s.activity[s.trail[s.limits[level]] >> 1] > next_:
            level += 1
    return level


@internal
def record(s: CdclState, m: Memory, size: int, lbd: int) -> None:
    """Add the learned clause to the arena and the log, and assert its first literal."""
    log(s, m, size)
    if size == 1:
        assign(s, s.learned[0], NONE)
    else:
        c = add(s, m.arena, s.learned, size, lbd)
        s.counts[at.LEARNED] += 1
        assign(s, s.learned[0], c)


@internal
def log(s: CdclState, m: Memory, size: int) -> None:
    """Add the clause in `s.learned`, of `size` literals, to the log."""
    if m.logs:
        start = s.counts[at.LOGGED]
        for i in range(size):
            p = s.learned[i]
            m.log[start + i] = dimacs(p)
        m.log[start + size] = 0
        s.counts[at.LOGGED] = start + size + 1


@internal
def full(s: CdclState, m: Memory) -> bool:
    """Return True if the arena or the log may lack room for the next learned clause."""
    longest = s.variables + at.LITERALS + 1
    if s.counts[at.CLAUSES] == s.counts[at.CAPACITY] or 2 * s.counts[at.EXPLAINED] > s.counts[at.REASONS]:
        return True
    return s.counts[at.TOP] + longest > m.words or (m.logs > 0 and s.counts[at.LOGGED] + longest > m.logs)
