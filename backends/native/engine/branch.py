"""Which variable to decide: the group with few places left that took part in most clashes, in it the most active variable.

Both views of the board are open to choice, the values of a square and the places of a value in a unit (Dotu, del Val &
Cebrian 2003). Weights follow clashes as in Boussemart et al. 2004 (dom/wdeg), and fade as in Een & Sorensson 2003 (VSIDS).
"""

import numpy as np

from backends.native.engine.machine import compiled, inlined, lowest, population
from backends.native.engine.state import Board, Int32Array, Search

ONE = np.uint64(1)


@inlined
def raise_activity(b: Board, f: Search, x: int) -> None:
    """x took part in a clash."""
    bump = f.bump[0]
    s, v = x // b.values, x % b.values
    f.activity[x] += bump
    f.weight[s] += bump
    for i in range(b.of_start[s], b.of_start[s + 1]):
        f.weight[b.squares + b.of_unit[i] * b.values + v] += bump


@compiled
def fade(f: Search, decay: float) -> None:
    """Older clashes count for less from now on."""
    f.bump[0] /= decay
    if f.bump[0] > 1e100:
        for x in range(f.activity.size):
            f.activity[x] *= 1e-100
        for g in range(f.weight.size):
            f.weight[g] *= 1e-100
        f.bump[0] *= 1e-100


@compiled
def choose(b: Board, f: Search, opts: Int32Array) -> int:
    """The variable to decide, -1 if every square is settled."""
    V = b.values
    best = -1.0
    chosen = -1
    floor = f.bump[0] * opts[10] / 1000.0
    for s in range(b.squares):
        left = f.domain[s]
        if left & (left - ONE) != 0:
            n = population(left)
            score = (f.weight[s] + floor) / (n * n * n)
            if score > best:
                best, chosen = score, s
    if chosen < 0:
        return -1
    for u in range(b.units):
        if b.permutation[u]:
            for g in range(u * V, u * V + V):
                left = f.place[g]
                if left & (left - ONE) != 0:
                    n = population(left)
                    score = (f.weight[b.squares + g] + floor) / (n * n * n)
                    if score > best:
                        best, chosen = score, b.squares + g
    top, found = -1.0, -1
    if chosen < b.squares:
        left = f.domain[chosen]
        while left:
            x = chosen * V + lowest(left)
            if f.activity[x] > top:
                top, found = f.activity[x], x
            left &= left - ONE
    else:
        u, v = (chosen - b.squares) // V, (chosen - b.squares) % V
        left = f.place[chosen - b.squares]
        while left:
            x = b.unit_squares[b.unit_start[u] + lowest(left)] * V + v
            if f.activity[x] > top:
                top, found = f.activity[x], x
            left &= left - ONE
    return found
