"""All-different by matching: a value stays in a square only if a full assignment of the unit uses it.

Regin 1994: given a maximum matching of squares to values, a pair outside it is in another maximum matching iff an
alternating path leads from the value to a free value, or back to the square. Reachability is a transitive closure with
one word per square. It finds all Hall sets, naked and hidden, and every pigeonhole, on which clause learning alone
takes exponential time. Root only: it is expensive, and inside the search its reasons would be long.
"""

import numpy as np

from backends.native.compiling import internal
from backends.native.engine.assign import push
from backends.native.engine.state import DECIDED, LayoutArrays, SearchState
from backends.native.intrinsics import lowest

ONE = np.uint64(1)


@internal
def augment(b: LayoutArrays, f: SearchState, first: int, start: int) -> bool:
    """Match the square at index `start` of a unit by an augmenting path, breadth first. False if there is none.

    f.holder[v] is the index of the square matched with value v, plus one; 0 if the value is unmatched.
    """
    queue, holder, back = f.queue, f.holder, f.back
    queue[0] = start
    head, tail = 0, 1
    tried = np.uint64(0)
    end = -1
    while head < tail and end < 0:
        k = queue[head]
        head += 1
        left = f.domain[b.unit_squares[first + k]] & ~tried
        while left and end < 0:
            v = lowest(left)
            left &= left - ONE
            tried |= ONE << np.uint64(v)
            back[v] = k
            if holder[v] == 0:
                end = v
            else:
                queue[tail] = holder[v] - ONE
                tail += 1
    found = end >= 0
    while end >= 0:
        k = np.int64(back[end])
        previous = -1
        for v in range(b.values):
            if holder[v] == k + 1:
                previous = v
        holder[end] = k + 1
        end = previous if k != start else -1
    return found


@internal
def match_unit(b: LayoutArrays, f: SearchState, u: int) -> bool:
    """Remove from unit `u` every value that no matching uses. False if no matching exists."""
    wide, first = b.values, b.unit_start[u]
    n = b.unit_start[u + 1] - first
    holder, reach = f.holder, f.reach
    for v in range(wide):
        holder[v] = 0
    for k in range(n):
        if not augment(b, f, first, k):
            return False
    frees = np.uint64(0)  # squares with a candidate that no square is matched with
    for k in range(n):
        reach[k] = ONE << np.uint64(k)
        for v in range(wide):
            if f.domain[b.unit_squares[first + k]] >> np.uint64(v) & ONE:
                if holder[v]:
                    reach[k] |= ONE << (holder[v] - ONE)
                else:
                    frees |= ONE << np.uint64(k)
    for via in range(n):
        for k in range(n):
            if reach[k] >> np.uint64(via) & ONE:
                reach[k] |= reach[via]
    for k in range(n):
        s = b.unit_squares[first + k]
        for v in range(wide):
            if f.domain[s] >> np.uint64(v) & ONE and holder[v]:
                onward = reach[np.int64(holder[v]) - 1]
                if not (onward >> np.uint64(k) & ONE or onward & frees) and not push(f, s * wide + v, -1, DECIDED):
                    return False
    return True
