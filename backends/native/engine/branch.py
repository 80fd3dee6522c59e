"""Which variable to decide: the most active, those of the latest clashes first (VSIDS as in MiniSat, Een & Sorensson
2003), kept in a binary heap.
"""

import numpy as np
from backends.native.engine.machine import compiled, population, lowest
from backends.native.engine.state import HEAP, Search, Board


@compiled
def rise(f: Search, i: int) -> None:
    """Move the variable at place i of the heap up to where it belongs."""
    x = f.heap[i]
    while i > 0:
        above = (i - 1) >> 1
        y = f.heap[above]
        if f.activity[y] >= f.activity[x]:
            break
        f.heap[i] = y
        f.where[y] = i
        i = above
    f.heap[i] = x
    f.where[x] = i


@compiled
def sink(f: Search, i: int) -> None:
    """Move the variable at place i of the heap down to where it belongs."""
    x = f.heap[i]
    size = f.at[HEAP]
    while 2 * i + 1 < size:
        below = 2 * i + 1
        if below + 1 < size and f.activity[f.heap[below + 1]] > f.activity[f.heap[below]]:
            below += 1
        y = f.heap[below]
        if f.activity[y] <= f.activity[x]:
            break
        f.heap[i] = y
        f.where[y] = i
        i = below
    f.heap[i] = x
    f.where[x] = i


@compiled
def put_back(f: Search, x: int) -> None:
    """x may be decided again."""
    if f.where[x] < 0:
        i = f.at[HEAP]
        f.at[HEAP] += 1
        f.heap[i] = x
        rise(f, i)


@compiled
def take_most_active(f: Search) -> int:
    """The most active variable that is open, or -1."""
    while f.at[HEAP] > 0:
        x = f.heap[0]
        f.at[HEAP] -= 1
        f.where[x] = -1
        if f.at[HEAP] > 0:
            f.heap[0] = f.heap[f.at[HEAP]]
            sink(f, 0)
        if f.value[x] == 0:
            return x  # type: ignore[no-any-return]
    return -1


@compiled
def raise_activity(f: Search, x: int) -> None:
    """x took part in a clash."""
    f.activity[x] += f.bump[0]
    if f.activity[x] > 1e100:
        for y in range(f.activity.size):
            f.activity[y] *= 1e-100
        f.bump[0] *= 1e-100
    if f.where[x] >= 0:
        rise(f, f.where[x])


@compiled
def best_group(b: Board, f: Search, opts) -> int:
    V = b.values
    best = -1.0
    found = -1
    one = np.uint64(1)
    for g in range(b.squares + b.units * V):
        if g < b.squares:
            left = f.domain[g]
        else:
            if not b.permutation[(g - b.squares) // V]:
                continue
            left = f.place[g - b.squares]
        if left & (left - one) == 0:
            continue
        n = population(left)
        total = 0.0
        top = -1.0
        pick = -1
        u = (g - b.squares) // V
        v = (g - b.squares) % V
        while left:
            k = lowest(left)
            left &= left - one
            x = g * V + k if g < b.squares else b.unit_squares[b.unit_start[u] + k] * V + v
            a = f.activity[x]
            total += a
            if a > top:
                top = a
                pick = x
        if opts[9] == 0:
            score = (total + f.bump[0] * 0.001) / (n * n)
        elif opts[9] == 1:
            score = (total + f.bump[0] * 0.001) / (n * n * n)
        elif opts[9] == 2:
            score = (top + f.bump[0] * 0.001) / (n * n)
        elif opts[9] == 3:
            score = (total + f.bump[0] * 0.001) / (n )
        else:
            score = (1+ total / f.bump[0]*0.01) * 2.0 ** (-n)
        if score > best:
            best = score
            found = pick
    return found
