"""Breaking the symmetry of values: of solutions that differ by an exchange of values, the search finds only some.

Two values are interchangeable if every square has both as candidates, or neither: colours before the first vertex is
coloured, symbols that no given uses. Along any sequence of squares, values of a class can be renamed to appear in
order, so the square at index i needs only the first i + 1 values of it (Law & Lee 2004).
"""

import numpy as np

from backends.native.compiling import internal
from backends.native.engine import state as at
from backends.native.engine.assign import push
from backends.native.engine.state import DECIDED, LayoutArrays, SearchState
from backends.native.intrinsics import lowest, population
from puzzles.problem.arrays import UInt64Array

ONE = np.uint64(1)


@internal
def classes(b: LayoutArrays, f: SearchState, domains: UInt64Array, first: int) -> bool:
    """Write the values that are interchangeable with each value to f.holder. False if there are none."""
    for v in range(b.values):
        f.holder[v] = ~np.uint64(0) >> np.uint64(64 - b.values)
    for s in range(first, first + b.squares):
        for v in range(b.values):
            f.holder[v] &= domains[s] if domains[s] >> np.uint64(v) & ONE else ~domains[s]
    several = False
    for v in range(b.values):
        several |= f.holder[v] & (f.holder[v] - ONE) != 0
    return several


@internal
def break_symmetry(b: LayoutArrays, f: SearchState, domains: UInt64Array, first: int) -> None:
    """Remove candidates by symmetry, after `start`: if the puzzle has solutions, at least one is left.

    The sequence begins at a square of most units, and goes on with the square that shares most units with the earlier
    ones: a clique, if there is one.
    """
    if not classes(b, f, domains, first):
        return
    near = f.stack
    for s in range(b.squares):
        near[s] = b.of_start[s + 1] - b.of_start[s]
    for i in range(min(b.squares, b.values - 1)):
        chosen = 0
        for s in range(1, b.squares):
            if near[s] > near[chosen]:
                chosen = s
        for j in range(b.of_start[chosen], b.of_start[chosen + 1]):
            u = b.of_unit[j]
            for k in range(b.unit_start[u], b.unit_start[u + 1]):
                near[b.unit_squares[k]] += b.units
        near[chosen] = -(1 << 30)
        left = domains[first + chosen]
        while left:
            v = lowest(left)
            if population(f.holder[v] & ((ONE << np.uint64(v)) - ONE)) > i:
                push(f, chosen * b.values + v, -1, DECIDED)
                f.counts[at.BROKEN] = 1
            left &= left - ONE
