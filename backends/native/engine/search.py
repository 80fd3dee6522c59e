"""Search loop: propagate, decide, learn, backjump, restart, until enough is found or a limit reached.

Restarts (Gomes et al. 1998) follow Luby's sequence, or if there are walks, glucose's rule (Audemard & Simon 2012). The
search stays complete across them, since clauses refute explored branches, and a clause over its decisions blocks each
solution found. The whole state of a search is in the SearchState arrays, so a search can be left and resumed.
"""

import numpy as np

from backends.native.compiling import internal
from backends.native.engine import state as at
from backends.native.engine.assign import propagate, push
from backends.native.engine.branch import AIMING, aim, choose, decay_activities
from backends.native.engine.forget import attach, forget
from backends.native.engine.learn import learn
from backends.native.engine.matching import match_unit
from backends.native.engine.state import DECIDED, HEADER, NEVER, EngineTask, LayoutArrays, SearchState
from backends.native.engine.walk import walk
from backends.native.intrinsics import lowest, nanoseconds
from backends.native.luby import luby
from puzzles.problem.arrays import Int32Array, UInt64Array

ONE = np.uint64(1)
# Reasons to end: exhausted; count reached; out of nodes; out of time; no room for clauses, or for solutions.
COMPLETE, ENOUGH, NODES, TIME, CLAUSES, SOLUTIONS = 0, 1, 2, 3, 4, 5
BETWEEN_RESTARTS = 50  # clashes at least
UNIT = 200  # clashes, times a number of Luby's sequence, between restarts of a search without walks
WORSE = 1.1  # with walks, restart if recent clauses are worse than average by this factor
FIRST_FORGET, LATER_FORGET = 300, 30  # clashes before the first deletion of clauses, and added to each later wait
LOOK_AT_CLOCK = 15  # a mask: the clock is read every 16 steps


@internal
def start(b: LayoutArrays, f: SearchState, domains: UInt64Array, first: int) -> bool:
    """Reset the search to these domains. False if a square has no candidate."""
    wide = b.values
    for i in range(at.NUMBERS):
        f.counts[i] = 0
    for literal in range(2 * b.variables):
        f.head[literal] = -1
    for x in range(b.variables):
        f.value[x] = f.seen[x] = 0
        f.activity[x] = 0.0
    for g in range(b.groups):
        f.weight[g] = 0.0
    for level in range(b.room):
        f.stamps[level] = 0
    f.mean[1] = f.mean[2] = 0.0
    f.mean[0] = 1.0
    f.counts[at.NEXT_RESTART] = BETWEEN_RESTARTS
    f.counts[at.NEXT_FORGET] = FIRST_FORGET
    f.counts[at.NEXT_WALK] = NEVER
    full = ~np.uint64(0) >> np.uint64(64 - wide)
    for g in range(b.units * wide):
        u = g // wide
        f.dual[g] = ~np.uint64(0) >> np.uint64(64 - (b.unit_start[u + 1] - b.unit_start[u]))
    fine = True
    for s in range(b.squares):
        f.domain[s], f.current[s] = full, -1
        out = full & ~domains[first + s]
        if out == full:
            fine = False
        while out:
            push(f, s * wide + lowest(out), -1, DECIDED)
            out &= out - ONE
        if wide == 1:
            push(f, s, 1, DECIDED)
    return fine


@internal
def settle(b: LayoutArrays, f: SearchState, arena: Int32Array, rules: bool) -> bool:
    """Propagate to a fixpoint; with `rules`, at the root, also match every unit. False on a clash."""
    u = 0
    while propagate(b, f, arena):  # the only call, since the compiler inlines each one
        if not rules or b.units == 0 or (u == 0 and f.counts[at.PUSHED] == f.counts[at.ROOTED]):
            return True
        if u == 0:
            f.counts[at.ROOTED] = f.counts[at.PUSHED]
        if not match_unit(b, f, u):
            return False
        u = (u + 1) % b.units
    return False


@internal
def backjump(b: LayoutArrays, f: SearchState, level: int) -> None:
    """Undo every decision above `level` and its consequences."""
    if f.counts[at.LEVEL] > level:
        wide = b.values
        first = f.marks[level]
        for i in range(first, f.counts[at.PUSHED]):
            x = f.trail[i] >> 1
            f.value[x] = 0
            if f.trail[i] & 1 and i < f.counts[at.POPPED]:
                s, v = x // wide, x % wide
                f.domain[s] |= ONE << np.uint64(v)
                for j in range(b.of_start[s], b.of_start[s + 1]):
                    f.dual[b.of_unit[j] * wide + v] |= ONE << np.uint64(b.of_index[j])
        f.counts[at.PUSHED] = f.counts[at.POPPED] = first
        f.counts[at.LEVEL] = level


@internal
def add_clause(b: LayoutArrays, f: SearchState, arena: Int32Array, length: int, quality: int) -> None:
    """Add the clause in f.learned, backjump to the level where it is unit, and assert its first literal."""
    literal = f.learned[0]
    x, sign = literal >> 1, 1 - 2 * (literal & 1)
    backjump(b, f, f.level[f.learned[1] >> 1] if length > 1 else 0)
    reason = DECIDED
    if length > 1:
        c = f.counts[at.END]
        arena[c], arena[c + 1] = length, quality
        for i in range(length):
            arena[c + HEADER + i] = f.learned[i]
        attach(f, arena, c)
        f.counts[at.END] = c + HEADER + length
        f.counts[at.LEARNED] += 1
        reason = b.variables + b.groups + c
    push(f, x, sign, reason)


@internal
def restart_due(f: SearchState, quality: int) -> bool:
    """Record a clash whose clause has this quality. Returns True if a restart is due."""
    f.counts[at.CONFLICTS] += 1
    f.mean[at.RECENT] += (quality - f.mean[at.RECENT]) / 32.0
    f.mean[at.USUAL] += (quality - f.mean[at.USUAL]) / min(f.counts[at.CONFLICTS], 8192)
    worse = f.counts[at.NEXT_WALK] == NEVER or f.mean[at.RECENT] > WORSE * f.mean[at.USUAL]
    return f.counts[at.CONFLICTS] >= f.counts[at.NEXT_RESTART] and worse  # type: ignore[no-any-return]


@internal
def run(b: LayoutArrays, f: SearchState, t: EngineTask, used: int, ends: int) -> int:
    """Search, after `start`, until the deadline `ends` (ns of the clock); write solutions to rows from `used` on.

    Returns the reason of the end. After CLAUSES or SOLUTIONS the search can be resumed with larger arrays.
    """
    arena = t.arena
    due = False
    steps = 0
    while True:
        steps += 1
        if steps & LOOK_AT_CLOCK == 0 and nanoseconds() > ends:
            return TIME
        if f.counts[at.END] + HEADER + b.squares * b.values > t.words:
            return CLAUSES
        root = f.counts[at.LEVEL] == 0
        forgetting = f.counts[at.CONFLICTS] >= f.counts[at.NEXT_FORGET]
        if not settle(b, f, arena, t.rules > 0 and root and (forgetting or f.counts[at.ROOTED] == 0)):
            if root:
                return COMPLETE
            if f.counts[at.CONFLICTS] >= AIMING and f.counts[at.NEXT_WALK] == NEVER:
                aim(b, f)
            length, quality = learn(b, f, arena)
            due = restart_due(f, quality)
            decay_activities(b, f)
            add_clause(b, f, arena, length, quality)
            continue
        if root:
            for s in range(b.squares):
                f.root_domain[s] = f.domain[s]
            for g in range(b.units * b.values):
                f.root_dual[g] = f.dual[g]
            if forgetting:
                forget(b, f, arena)
                f.counts[at.NEXT_FORGET] = f.counts[at.CONFLICTS] + FIRST_FORGET + LATER_FORGET * f.counts[at.FORGOTTEN]
            if f.counts[at.CONFLICTS] >= f.counts[at.NEXT_WALK]:
                walk(b, f, ends)
        if due or f.counts[at.CONFLICTS] >= f.counts[at.NEXT_WALK]:
            due = False
            wait = UNIT * luby(f.counts[at.RESTARTS]) if f.counts[at.NEXT_WALK] == NEVER else BETWEEN_RESTARTS
            f.counts[at.NEXT_RESTART] = f.counts[at.CONFLICTS] + wait
            f.counts[at.RESTARTS] += 1
            backjump(b, f, 0)
            continue
        x = choose(b, f)
        if x < 0:
            row = used + f.counts[at.FOUND]
            if row == t.rows:
                return SOLUTIONS
            for s in range(b.squares):
                t.solutions[row * b.squares + s] = lowest(f.domain[s])
            f.counts[at.FOUND] += 1
            if f.counts[at.LEVEL] == 0 and f.counts[at.BROKEN] == 0:
                return COMPLETE
            if f.counts[at.FOUND] >= t.wanted:
                return ENOUGH
            length = f.counts[at.LEVEL]
            for i in range(length):
                f.learned[i] = f.trail[f.marks[length - 1 - i]] ^ 1
            add_clause(b, f, arena, length, 0)
            continue
        if f.counts[at.DECISIONS] >= t.nodes:
            return NODES
        f.counts[at.DECISIONS] += 1
        f.marks[f.counts[at.LEVEL]] = f.counts[at.PUSHED]
        f.counts[at.LEVEL] += 1
        push(f, x, 1, DECIDED)
