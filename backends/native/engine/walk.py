"""Local search between restarts: TabuCol (Hertz & de Werra 1987), with the tenures of Galinier & Hao (1999).

Each square holds one of its candidates, and two squares of a unit that hold the same value are a *conflict*. A move
gives a square in conflict the value that leaves the fewest of them, and forbids it the old one for some moves. A walk
goes on from what the one before held.
"""

import numpy as np

from backends.native.compiling import inlined, internal
from backends.native.engine import state as at
from backends.native.engine.state import NEVER, Board, Search
from backends.native.intrinsics import lowest, nanoseconds, population

ONE = np.uint64(1)
FIRST_WALK, BETWEEN_WALKS = 50, 2  # clashes before the first walk; their number grows by this factor to the next
SHARE = 3  # squares looked at, for each propagation since the walk before
CREDIT = 70_000  # propagations that the first walk has beside
MODULUS, FACTOR = 2**31 - 1, 48271  # of random numbers (Park & Miller 1993)
LOOK_AT_CLOCK = 63  # a mask: the clock is read every 64 moves


@internal
def plan_walks(b: Board, f: Search) -> None:
    """Plan the first walk, unless the squares are covered by permutations: there, walks find less than the search."""
    covered = 0
    for u in range(b.units):
        if b.permutation[u]:
            covered += b.unit_start[u + 1] - b.unit_start[u]
    f.counts[at.RANDOM], f.counts[at.LAST_WALK] = 1, -CREDIT
    f.counts[at.NEXT_WALK] = FIRST_WALK if covered < b.squares else NEVER


@inlined
def enlist(f: Search, size: int, s: int, inside: bool) -> int:
    """Add s to the list of `size` squares in conflict, or remove it. Returns the new size."""
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
def set_out(b: Board, f: Search) -> int:
    """Count conflicts, after giving squares that hold no candidate a random one. Returns how many are in conflict."""
    for x in range(b.variables):
        f.equal[x] = f.until[x] = 0
    for s in range(b.squares):
        left = f.domain[s]
        if f.counts[at.MOVES] == 0 or not left >> np.uint64(f.held[s]) & ONE:
            f.counts[at.RANDOM] = f.counts[at.RANDOM] * FACTOR % MODULUS
            for _ in range(f.counts[at.RANDOM] % population(left)):
                left &= left - ONE
            f.held[s] = lowest(left)
    for s in range(b.squares):
        for i in range(b.of_start[s], b.of_start[s + 1]):
            u = b.of_unit[i]
            for k in range(b.unit_start[u], b.unit_start[u + 1]):
                other = b.unit_squares[k]
                f.equal[s * b.values + f.held[other]] += other != s
    size = 0
    for s in range(b.squares):
        f.position[s] = -1
        size = enlist(f, size, s, f.equal[s * b.values + f.held[s]] > 0)
    return size


@internal
def walk(b: Board, f: Search, ends: int) -> None:
    """Walk, at the root, until the steps are used up or the deadline `ends` reached.

    A solution is left in f.domain; it is not known to be the only one.
    """
    wide = b.values
    size = set_out(b, f)
    steps = SHARE * (f.counts[at.PROPAGATIONS] - f.counts[at.LAST_WALK])
    conflicts, fewest = 0, 0  # beside those at the start
    number = f.counts[at.RANDOM]
    while size > 0 and steps > 0 and not (f.counts[at.MOVES] & LOOK_AT_CLOCK == 0 and nanoseconds() > ends):
        f.counts[at.MOVES] += 1
        now = f.counts[at.MOVES]
        chosen, best, ties = -1, 1 << 30, 0
        for i in range(size):
            s = f.listed[i]
            present = f.equal[s * wide + f.held[s]]
            left = f.domain[s] & ~(ONE << np.uint64(f.held[s]))
            while left:
                x = s * wide + lowest(left)
                change = f.equal[x] - present
                if change <= best and (f.until[x] < now or conflicts + change < fewest):
                    ties = 1 if change < best else ties + 1
                    number = number * FACTOR % MODULUS
                    if number * ties < MODULUS:
                        chosen, best = x, change
                left &= left - ONE
        steps -= size
        if chosen < 0:
            continue
        s, v = chosen // wide, chosen % wide
        old = f.held[s]
        f.held[s] = v
        f.until[s * wide + old] = now + number % 10 + 3 * size // 5
        conflicts += best
        fewest = min(fewest, conflicts)
        size = enlist(f, size, s, f.equal[chosen] > 0)
        for i in range(b.of_start[s], b.of_start[s + 1]):
            u = b.of_unit[i]
            for k in range(b.unit_start[u], b.unit_start[u + 1]):
                other = b.unit_squares[k]
                if other != s:
                    f.equal[other * wide + old] -= 1
                    f.equal[other * wide + v] += 1
                    size = enlist(f, size, other, f.equal[other * wide + f.held[other]] > 0)
    f.counts[at.RANDOM] = number
    f.counts[at.LAST_WALK], f.counts[at.NEXT_WALK] = f.counts[at.PROPAGATIONS], f.counts[at.CONFLICTS] * BETWEEN_WALKS
    if size == 0:
        f.counts[at.BROKEN] = 1
        for s in range(b.squares):
            f.domain[s] = ONE << np.uint64(f.held[s])
