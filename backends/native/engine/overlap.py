"""Locked candidates, for overlapping units.

If all places of a value in one unit are in another, it is removed from the rest of the other. Run at the root only:
inside the search, clauses learned from clashes cover the cases that matter.
"""

import numpy as np

from backends.native.compiling import internal
from backends.native.engine.assign import push
from backends.native.engine.state import DECIDED, Board, Search
from backends.native.intrinsics import lowest

ONE = np.uint64(1)


@internal
def contained(b: Board, f: Search, g: int, u: int) -> bool:
    """Return True if all squares left in place group `g` are in unit `u` too."""
    left = f.place[g]
    first = b.unit_start[g // b.values]
    inside = True
    while left and inside:
        s = b.unit_squares[first + lowest(left)]
        left &= left - ONE
        inside = False
        for i in range(b.of_start[s], b.of_start[s + 1]):
            if b.of_unit[i] == u:
                inside = True
    return inside


@internal
def lock_candidates(b: Board, f: Search) -> bool:
    """Apply the rule once to every unit and value. False on a clash."""
    wide = b.values
    for g in range(b.units * wide):
        u, v = g // wide, g % wide
        left = f.place[g]
        if b.permutation[u] and left & (left - ONE):
            s = b.unit_squares[b.unit_start[u] + lowest(left)]
            for i in range(b.of_start[s], b.of_start[s + 1]):
                other = b.of_unit[i]
                if other != u and contained(b, f, g, other):
                    for j in range(b.unit_start[other], b.unit_start[other + 1]):
                        t = b.unit_squares[j]
                        shared = False
                        for k in range(b.of_start[t], b.of_start[t + 1]):
                            if b.of_unit[k] == u:
                                shared = True
                        if not shared and not push(f, t * wide + v, -1, DECIDED):
                            return False
    return True
