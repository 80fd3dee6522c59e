"""Local search between restarts: TabuCol (Hertz & de Werra 1987), on the candidates that the root has left.

Each square holds one of its candidates, and two squares of a unit that hold the same value are a *conflict*. A move
gives a square in conflict the value that leaves the fewest conflicts, and forbids it the old value for some moves. A
walk continues from the values at the end of the previous walk.
"""

import numpy as np

from backends.native.compiling import inlined, internal
from backends.native.engine import state as at
from backends.native.engine.state import NEVER, LayoutArrays, SearchState
from backends.native.intrinsics import lowest, nanoseconds, population
from backends.native.random_numbers import MODULUS, random

ONE = np.uint64(1)
FIRST_WALK, BETWEEN_WALKS = 50, 2  # clashes before the first walk; their number grows by this factor to the next
SHARE = 3  # squares looked at, for each propagation since the walk before
CREDIT = 70_000  # propagations that the first walk has beside
LOOK_AT_CLOCK = 63  # a mask: the clock is read every 64 moves


@internal
def plan_walks(b: LayoutArrays, f: SearchState) -> None:
    """Plan the first walk, unless permutations cover the squares: there the search is faster than walks."""
    f.counts[at.RANDOM], f.counts[at.LAST_WALK] = 1, -CREDIT
    f.counts[at.NEXT_WALK] = FIRST_WALK if b.covered < b.squares else NEVER


@inlined
def enlist(f: SearchState, size: int, s: int, inside: bool) -> int:
    """Add square s to the list of `size` squares in conflict, or remove s. Returns the new size."""
    if inside and f.position[s] < 0:
        f.listed[size], f.position[s] = s, size
        size += 1
    elif not inside and f.position[s] >= 0:
        size -= 1
        other = f.listed[size]
        f.listed[f.position[s]], f.position[other] = other, f.position[s]
        f.position[s] = -1
    return size


@internal
def set_out(b: LayoutArrays, f: SearchState) -> int:
    """Count conflicts, after giving squares without a candidate a random one. Returns how many are in conflict."""
    for x in range(b.variables):
        f.equal[x] = f.until[x] = 0
    for s in range(b.squares):
        left = f.domain[s]
        if f.counts[at.MOVES] == 0 or not left >> np.uint64(f.current[s]) & ONE:
            for _ in range(random(f.counts, at.RANDOM) % population(left)):
                left &= left - ONE
            f.current[s] = lowest(left)
    for s in range(b.squares):
        for i in range(b.of_start[s], b.of_start[s + 1]):
            u = b.of_unit[i]
            for k in range(b.unit_start[u], b.unit_start[u + 1]):
                other = b.unit_squares[k]
                f.equal[s * b.values + f.current[other]] += other != s
    size = 0
    for s in range(b.squares):
        f.position[s] = -1
        size = enlist(f, size, s, f.equal[s * b.values + f.current[s]] > 0)
    return size


@internal
def best_move(b: LayoutArrays, f: SearchState, size: int, allowed: int) -> tuple[int, int]:
    """Return a move, as a variable, and its change of the number of conflicts: the least, ties broken at random.

    A forbidden move is taken if its change is at most `allowed`. The variable is -1 if all moves are forbidden.
    """
    chosen, best, ties = -1, 1 << 30, 0
    for i in range(size):
        s = f.listed[i]
        now = f.equal[s * b.values + f.current[s]]
        left = f.domain[s] & ~(ONE << np.uint64(f.current[s]))
        while left:
            x = s * b.values + lowest(left)
            change = f.equal[x] - now
            if change <= best and (change <= allowed or f.until[x] < f.counts[at.MOVES]):
                ties = 1 if change < best else ties + 1
                if ties == 1 or random(f.counts, at.RANDOM) * ties < MODULUS:
                    chosen, best = x, change
            left &= left - ONE
    return chosen, best


@internal
def move(b: LayoutArrays, f: SearchState, size: int, x: int) -> int:
    """Make a move, and forbid the way back for some moves. Returns the number of squares in conflict then."""
    s, v = x // b.values, x % b.values
    old = f.current[s]
    f.current[s] = v
    f.until[s * b.values + old] = f.counts[at.MOVES] + random(f.counts, at.RANDOM) % 10 + size
    size = enlist(f, size, s, f.equal[x] > 0)
    for i in range(b.of_start[s], b.of_start[s + 1]):
        u = b.of_unit[i]
        for k in range(b.unit_start[u], b.unit_start[u + 1]):
            other = b.unit_squares[k]
            if other != s:
                f.equal[other * b.values + old] -= 1
                f.equal[other * b.values + v] += 1
                size = enlist(f, size, other, f.equal[other * b.values + f.current[other]] > 0)
    return size


@internal
def walk(b: LayoutArrays, f: SearchState, ends: int) -> None:
    """Walk from the root until the share of walks is used up, or the deadline `ends` is reached.

    A solution is left in f.domain; there may be others.
    """
    size = set_out(b, f)
    share = SHARE * (f.counts[at.PROPAGATIONS] - f.counts[at.LAST_WALK])
    conflicts, fewest = 0, 0  # more than at the start
    while size > 0 and share > 0 and not (f.counts[at.MOVES] & LOOK_AT_CLOCK == 0 and nanoseconds() > ends):
        f.counts[at.MOVES] += 1
        share -= size
        x, change = best_move(b, f, size, fewest - conflicts - 1)
        if x >= 0:
            conflicts += change
            fewest = min(fewest, conflicts)
            size = move(b, f, size, x)
    f.counts[at.LAST_WALK] = f.counts[at.PROPAGATIONS]
    f.counts[at.NEXT_WALK] = f.counts[at.CONFLICTS] * BETWEEN_WALKS
    if size == 0:
        f.counts[at.BROKEN] = 1
        for s in range(b.squares):
            f.domain[s] = ONE << np.uint64(f.current[s])
