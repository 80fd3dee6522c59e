"""Propagation of groups and learned clauses.

A placed value makes the rest of its groups false; a group with one candidate left takes it (naked and hidden singles,
the latter only in permutations); a learned clause with one literal left makes it true. Groups are never stored as
clauses: a bit set per group holds what is left, and each step's reason is one number, which only conflict analysis
expands.
"""

import numpy as np

from backends.native.compiling import inlined, internal
from backends.native.engine import state as at
from backends.native.engine.state import LayoutArrays, SearchState
from backends.native.intrinsics import lowest
from puzzles.problem.arrays import Int32Array

ONE = np.uint64(1)


@inlined
def member(b: LayoutArrays, g: int, k: int) -> int:
    """Return the variable at index k of group g: value k of a square, or a value in the square at index k of a unit."""
    if g < b.squares:
        return g * b.values + k
    u, v = (g - b.squares) // b.values, (g - b.squares) % b.values
    return b.unit_squares[b.unit_start[u] + k] * b.values + v  # type: ignore[no-any-return]


@inlined
def push(f: SearchState, x: int, sign: int, reason: int) -> bool:
    """Assign x true (sign 1) or false (-1). False if it has the opposite value; the clash is recorded."""
    value = f.value[x]
    if value == 0:
        f.value[x] = sign
        f.level[x] = f.counts[at.LEVEL]
        f.reason[x] = reason
        f.trail[f.counts[at.PUSHED]] = 2 * x + (sign < 0)
        f.counts[at.PUSHED] += 1
        return True
    if value == sign:
        return True
    f.counts[at.CLASH] = x
    f.counts[at.CLASH_REASON] = reason
    return False


@inlined
def place_value(b: LayoutArrays, f: SearchState, x: int) -> bool:
    """Propagate x = true: the rest of its groups becomes false. False on a clash."""
    s, v = x // b.values, x % b.values
    left = f.domain[s] & ~(ONE << np.uint64(v))
    while left:
        if not push(f, s * b.values + lowest(left), -1, x):
            return False
        left &= left - ONE
    for i in range(b.of_start[s], b.of_start[s + 1]):
        u = b.of_unit[i]
        left = f.dual[u * b.values + v] & ~(ONE << np.uint64(b.of_index[i]))
        first = b.unit_start[u]
        while left:
            if not push(f, b.unit_squares[first + lowest(left)] * b.values + v, -1, x):
                return False
            left &= left - ONE
    return True


@inlined
def remove_value(b: LayoutArrays, f: SearchState, x: int) -> bool:
    """Propagate x = false: a group with one candidate left takes it. False on a clash."""
    s, v = x // b.values, x % b.values
    left = f.domain[s] & ~(ONE << np.uint64(v))
    f.domain[s] = left
    fine = True
    if left & (left - ONE) == 0:
        fine = push(f, s * b.values + lowest(left), 1, b.variables + s)
    for i in range(b.of_start[s], b.of_start[s + 1]):
        u = b.of_unit[i]
        g = u * b.values + v
        left = f.dual[g] & ~(ONE << np.uint64(b.of_index[i]))
        f.dual[g] = left
        if fine and b.permutation[u] and left & (left - ONE) == 0:
            fine = push(f, member(b, b.squares + g, lowest(left)), 1, b.variables + b.squares + g)
    return fine


@inlined
def visit_watches(b: LayoutArrays, f: SearchState, arena: Int32Array, literal: int) -> bool:
    """Propagate a false literal: its clauses watch another literal or assert their last one. False on a clash.

    Two watched literals per clause (Moskewicz et al. 2001, Chaff); the watch lists are linked through the clauses.
    """
    base = b.variables + b.groups
    watch = f.head[literal]
    kept = -1  # the last watch that stays in this list
    while watch >= 0:
        c, slot = watch >> 1, watch & 1
        follow = arena[c + 2 + slot]
        other = arena[c + 5 - slot]
        sign = 1 - 2 * (other & 1)
        moved = False
        if f.value[other >> 1] != sign:
            for i in range(c + 6, c + 4 + arena[c]):
                literal_i = arena[i]
                if f.value[literal_i >> 1] != 2 * (literal_i & 1) - 1:
                    arena[i] = literal
                    arena[c + 4 + slot] = literal_i
                    arena[c + 2 + slot] = f.head[literal_i]
                    f.head[literal_i] = watch
                    moved = True
                    break
            if not moved and not push(f, other >> 1, sign, base + c):
                return False
        if moved:
            if kept < 0:
                f.head[literal] = follow
            else:
                arena[(kept >> 1) + 2 + (kept & 1)] = follow
        else:
            kept = watch
        watch = follow
    return True


@internal
def propagate(b: LayoutArrays, f: SearchState, arena: Int32Array) -> bool:
    """Propagate the rest of the trail. False on a clash; then a part of the trail is left unprocessed."""
    while f.counts[at.POPPED] < f.counts[at.PUSHED]:
        literal = f.trail[f.counts[at.POPPED]]
        f.counts[at.POPPED] += 1
        f.counts[at.PROPAGATIONS] += 1
        fine = remove_value(b, f, literal >> 1) if literal & 1 else place_value(b, f, literal >> 1)
        if not fine or not visit_watches(b, f, arena, literal ^ 1):
            return False
    return True
