"""Branching heuristic: the most active variable of a group with few candidates left and many clashes.

Groups of both views of the board compete, the values of a square and the squares of a value in a unit (Dotu, del Val &
Cebrian 2003). Weights grow with clashes as in dom/wdeg (Boussemart et al. 2004) and decay as in MiniSat (Een &
Sorensson 2003). A decision always makes the variable true: false would propagate next to nothing.

After some clashes a search without walks aims at the longest trail of late that had no clash: of the group it takes the
variable on this trail (Biere & Fleury 2020, target phases). Its weights decay more slowly.
"""

import numpy as np

from backends.native.compiling import inlined, internal
from backends.native.engine import state as at
from backends.native.engine.assign import member
from backends.native.engine.state import LayoutArrays, SearchState
from backends.native.intrinsics import lowest, population

ONE = np.uint64(1)
DECAY, AIMED_DECAY = 0.95, 0.99
AIMING, RENEWAL = 200, 2_000  # clashes before the search has an aim, and between its renewals
FLOOR = 0.1  # weight of a group without clashes, in clashes: small groups come first


@inlined
def raise_activity(b: LayoutArrays, f: SearchState, x: int) -> None:
    """Increase the activity of x, and the weights of its groups, after a clash that involves x."""
    bump = f.mean[at.BUMP]
    s, v = x // b.values, x % b.values
    f.activity[x] += bump
    f.weight[s] += bump
    for i in range(b.of_start[s], b.of_start[s + 1]):
        f.weight[b.squares + b.of_unit[i] * b.values + v] += bump


@internal
def decay_activities(b: LayoutArrays, f: SearchState) -> None:
    """Reduce the influence of older clashes, by raising the increment; rescale before it overflows."""
    f.mean[at.BUMP] /= AIMED_DECAY if f.counts[at.BEST] > 0 else DECAY
    if f.mean[at.BUMP] > 1e100:
        for x in range(b.variables):
            f.activity[x] *= 1e-100
        for g in range(b.groups):
            f.weight[g] *= 1e-100
        f.mean[at.BUMP] *= 1e-100


@internal
def aim(b: LayoutArrays, f: SearchState) -> None:
    """Aim at the trail of a clash, without its last level, if it is the longest since the last renewal."""
    if f.counts[at.CONFLICTS] % RENEWAL == 0:
        f.counts[at.BEST] = 0
    end = f.marks[f.counts[at.LEVEL] - 1]
    if end > f.counts[at.BEST]:
        f.counts[at.BEST] = end
        for i in range(end):
            if f.trail[i] & 1 == 0:
                f.current[(f.trail[i] >> 1) // b.values] = (f.trail[i] >> 1) % b.values


@inlined
def score(left: np.uint64, weight: float) -> float:
    """Return the branching score of a group with these candidates left; negative if it is decided."""
    n = population(left)
    return weight / (n * n) if n > 1 else -1.0


@internal
def choose(b: LayoutArrays, f: SearchState) -> int:
    """Return the variable to decide, -1 if every square is decided."""
    wide = b.values
    best = -1.0
    chosen = -1
    floor = f.mean[at.BUMP] * FLOOR
    for s in range(b.squares):
        rated = score(f.domain[s], f.weight[s] + floor)
        if rated > best:
            best, chosen = rated, s
    if chosen < 0:
        return -1
    for u in range(b.units):
        if b.permutation[u]:
            for g in range(u * wide, u * wide + wide):
                rated = score(f.dual[g], f.weight[b.squares + g] + floor)
                if rated > best:
                    best, chosen = rated, b.squares + g
    top, found = -1.0, -1
    left = f.domain[chosen] if chosen < b.squares else f.dual[chosen - b.squares]
    while left:
        x = member(b, chosen, lowest(left))
        if f.counts[at.BEST] > 0 and f.current[x // wide] == x % wide:
            return x
        if f.activity[x] > top:
            top, found = f.activity[x], x
        left &= left - ONE
    return found
