"""The search: propagate, decide, learn, jump back, restart; until enough is found, all is refuted or a budget ends."""

import numpy as np

from backends.native.engine.assign import propagate, push
from backends.native.engine.branch import choose, fade
from backends.native.engine.learn import learn
from backends.native.engine.machine import compiled, lowest, nanoseconds, population
from backends.native.engine.state import (
    CONFLICTS,
    DEADLINE,
    DECIDED,
    DECISIONS,
    END,
    FOUND,
    HEAP,
    LEARNED,
    LEVEL,
    MODE,
    NEXT_REDUCE,
    NEXT_RESTART,
    POPPED,
    PROPAGATIONS,
    PUSHED,
    RESTARTS,
    STEP,
    Board,
    Int32Array,
    Search,
    UInt64Array,
)

ONE = np.uint64(1)
COMPLETE, ENOUGH, NODES, TIME, ROOM = 0, 1, 2, 3, 4


@compiled
def jump_back(b: Board, f: Search, level: int) -> None:
    """Take back every decision above `level` and what followed."""
    if f.at[LEVEL] <= level:
        return
    V = b.values
    start = f.marks[level]
    for i in range(f.at[PUSHED] - 1, start - 1, -1):
        literal = f.trail[i]
        x = literal >> 1
        f.phase[x] = f.value[x]
        f.value[x] = 0
        if literal & 1 and i < f.at[POPPED]:
            s, v = x // V, x % V
            f.domain[s] |= ONE << np.uint64(v)
            for j in range(b.of_start[s], b.of_start[s + 1]):
                f.place[b.of_unit[j] * V + v] |= ONE << np.uint64(b.of_place[j])
    f.at[PUSHED] = start
    f.at[POPPED] = start
    f.at[LEVEL] = level


@compiled
def attach(f: Search, arena: Int32Array, c: int) -> None:
    for slot in range(2):
        literal = arena[c + 4 + slot]
        arena[c + 2 + slot] = f.head[literal]
        f.head[literal] = 2 * c + slot


@compiled
def reduce(b: Board, f: Search, arena: Int32Array) -> None:
    """At the root: forget the worse half of the learned clauses, and drop what the root has settled."""
    n = 0
    c = 0
    # median quality by counting
    counts = np.zeros(66, np.int64)
    while c < f.at[END]:
        counts[min(arena[c + 1], 65)] += 1
        c += 4 + arena[c]
    total = f.at[LEARNED]
    limit, run = 2, counts[0] + counts[1] + counts[2]
    while limit < 65 and run + counts[limit + 1] <= total // 2:
        limit += 1
        run += counts[limit]
    part = total // 2 - run  # of those with quality limit + 1, the newest so many stay
    drop_at = counts[min(limit + 1, 65)] - part
    for l in range(f.head.size):
        f.head[l] = -1
    c = 0
    end = 0
    seen_at = 0
    f.at[LEARNED] = 0
    while c < f.at[END]:
        size = arena[c]
        q = arena[c + 1]
        keep = q <= limit
        if not keep and min(q, 65) == limit + 1:
            seen_at += 1
            keep = seen_at > drop_at
        m = 0
        if keep:
            for i in range(c + 4, c + 4 + size):
                l = arena[i]
                held = f.value[l >> 1]
                if held == 0:
                    arena[end + 4 + m] = l
                    m += 1
                elif held == 1 - 2 * (l & 1):
                    keep = False
                    break
        if keep:
            arena[end] = m
            arena[end + 1] = q
            attach(f, arena, end)
            end += 4 + m
            f.at[LEARNED] += 1
        c += 4 + size
    f.at[END] = end


@compiled
def start(b: Board, f: Search, domains: UInt64Array) -> bool:
    """Set the search to these domains. False if a group is empty from the start."""
    V = b.values
    f.at[:] = 0
    f.head[:] = -1
    f.value[:] = 0
    f.seen[:] = 0
    f.stamps[:] = 0
    f.bump[0] = 1.0
    full = ~np.uint64(0) >> np.uint64(64 - V)
    f.domain[:] = full
    for u in range(b.units):
        for v in range(V):
            f.place[u * V + v] = ~np.uint64(0) >> np.uint64(64 - (b.unit_start[u + 1] - b.unit_start[u]))
    for s in range(b.squares):
        out = full & ~domains[s]
        if out == full:
            return False
        while out:
            push(f, s * V + lowest(out), -1, DECIDED)
            out &= out - ONE
        if V == 1:
            push(f, s, 1, DECIDED)
    return True


@compiled
def run(b: Board, f: Search, arena: Int32Array, domains: UInt64Array, solutions: Int32Array, count: int, nodes: int, ns: int, resume: bool, opts: Int32Array) -> int:
    began = nanoseconds()
    if not resume:
        if not start(b, f, domains):
            return COMPLETE
        if not propagate(b, f, arena):
            return COMPLETE
        f.phase[:] = opts[0]
        f.activity[:] = 0.0
        f.weight[:] = 0.0
        f.at[NEXT_RESTART] = opts[1]
        f.at[NEXT_REDUCE] = opts[2]
        f.bump[1] = 0.0
        f.bump[2] = 0.0
    base = b.squares * (b.values + 1) + b.units * b.values
    tick = 0
    while True:
        if not propagate(b, f, arena):
            if f.at[LEVEL] == 0:
                return COMPLETE
            f.at[CONFLICTS] += 1
            length, quality = learn(b, f, arena)
            fade(f, opts[3] / 1000.0)
            f.bump[1] += (quality - f.bump[1]) / 32.0
            f.bump[2] += (quality - f.bump[2]) / 8192.0 if f.at[CONFLICTS] > 8192 else (quality - f.bump[2]) / f.at[CONFLICTS]
            literal = f.learned[0]
            if length == 1:
                jump_back(b, f, 0)
                if not push(f, literal >> 1, 1 - 2 * (literal & 1), DECIDED):
                    return COMPLETE
            else:
                jump_back(b, f, f.level[f.learned[1] >> 1])
                c = f.at[END]
                if c + 4 + length > arena.size:
                    jump_back(b, f, 0)
                    return ROOM
                arena[c] = length
                arena[c + 1] = quality
                for i in range(length):
                    arena[c + 4 + i] = f.learned[i]
                f.at[END] = c + 4 + length
                f.at[LEARNED] += 1
                attach(f, arena, c)
                push(f, literal >> 1, 1 - 2 * (literal & 1), base + c)
            tick += 1
            if tick & 15 == 0 and nanoseconds() - began > ns:
                return TIME
            continue
        if f.at[LEVEL] == 0:
            f.root_domain[:] = f.domain
            f.root_place[:] = f.place
        restart = False
        if opts[4] == 0:
            restart = f.at[CONFLICTS] >= f.at[NEXT_RESTART] and f.bump[1] > f.bump[2] * 1.1
        else:
            restart = f.at[CONFLICTS] >= f.at[NEXT_RESTART]
        if restart:
            f.at[RESTARTS] += 1
            if opts[4] == 0:
                f.at[NEXT_RESTART] = f.at[CONFLICTS] + opts[1]
            else:
                # Luby
                i = f.at[RESTARTS] + 1
                k = 1
                while (1 << k) - 1 < i:
                    k += 1
                while (1 << k) - 1 != i:
                    i = i - (1 << (k - 1)) + 1
                    k = 1
                    while (1 << k) - 1 < i:
                        k += 1
                f.at[NEXT_RESTART] = f.at[CONFLICTS] + opts[1] * (1 << (k - 1))
            jump_back(b, f, 0)
            if f.at[CONFLICTS] >= f.at[NEXT_REDUCE]:
                f.at[STEP] += 1
                f.at[NEXT_REDUCE] = f.at[CONFLICTS] + opts[2] + opts[5] * f.at[STEP]
                reduce(b, f, arena)
            continue
        x = choose(b, f, opts)
        if x < 0:
            # all open variables are settled: a solution
            for s in range(b.squares):
                solutions[f.at[FOUND] * b.squares + s] = lowest(f.domain[s])
            f.at[FOUND] += 1
            if f.at[LEVEL] == 0:
                return COMPLETE
            if f.at[FOUND] >= count:
                return ENOUGH
            # block it by its decisions
            length = f.at[LEVEL]
            c = f.at[END]
            if length > 1:
                if c + 4 + length > arena.size:
                    return ROOM
                arena[c] = length
                arena[c + 1] = 0
                for i in range(length):
                    arena[c + 4 + i] = f.trail[f.marks[length - 1 - i]] ^ 1
                f.at[END] = c + 4 + length
                f.at[LEARNED] += 1
            last = f.trail[f.marks[length - 1]] ^ 1
            jump_back(b, f, length - 1)
            if length > 1:
                attach(f, arena, c)
                push(f, last >> 1, 1 - 2 * (last & 1), base + c)
            else:
                push(f, last >> 1, 1 - 2 * (last & 1), DECIDED)
            continue
        if f.at[DECISIONS] >= nodes:
            return NODES
        tick += 1
        if tick & 15 == 0 and nanoseconds() - began > ns:
            return TIME
        f.at[DECISIONS] += 1
        f.marks[f.at[LEVEL]] = f.at[PUSHED]
        f.at[LEVEL] += 1
        push(f, x, 1 if f.phase[x] >= 0 or opts[6] == 1 or opts[8] == 1 else -1, DECIDED)
