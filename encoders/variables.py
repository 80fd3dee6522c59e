"""Encodings of integer variables: one class each, named as in the literature.

A variable of n numbers d[0] < d[1] < ... < d[n-1] has literals for "takes number d[i]" and "is at least d[i]":

    name    variables         x = d[i]                      x >= d[i]                       source
    direct  n                 each a variable               made when asked for, a ladder   Walsh 2000
    order   n - 1             made when asked for           each a variable                 Tamura et al. 2009
    log     ceil(log2 n)      made when asked for           made when asked for             Iwama & Miyazaki 1994

`log` writes i, the index of the number, in binary. A variable of one number has only constant literals, and where all
variables are Boolean each has one variable in every encoding.
"""

from collections.abc import Sequence

import numpy as np

from encoders.axes import Axes
from encoders.formula import Int32Array
from encoders.integers import Domain, Variables


class Direct(Variables):
    """One variable per number."""

    def width(self, size: int) -> int:
        return size

    def define(self, rows: Int32Array, size: int) -> None:
        self.blocks.append(rows)
        self.exclude([rows])

    def make_equal(self, x: int, i: int) -> int:
        return self.first[x] + i

    def make_least(self, x: int, i: int) -> int:
        """Return a step of the ladder, after making the steps above it."""
        first, last = self.first[x], len(self.domains[x]) - 1
        if i == last:
            return first + last
        if i == 1:
            return -first
        above = next((k for k in range(i + 1, last) if (x, k) in self.least), last)
        for k in range(above - 1, i - 1, -1):
            step, higher, own = self.new(), self.at_least(x, k + 1), first + k
            self.least[x, k] = step
            for clause in ((-own, step), (-higher, step), (-step, own, higher), (1 - own, -step)):
                self.add(clause)
        return self.least[x, i]


class Order(Variables):
    """One variable for each number but the lowest: the variable is at least that number."""

    def width(self, size: int) -> int:
        return size - 1

    def define(self, rows: Int32Array, size: int) -> None:
        if size > 2:
            self.blocks.append(np.stack([-rows[:, 1:], rows[:, :-1]], axis=2).reshape(-1, 2))

    def make_least(self, x: int, i: int) -> int:
        return self.first[x] + i - 1

    def make_equal(self, x: int, i: int) -> int:
        low, high = self.at_least(x, i), self.at_least(x, i + 1)
        if i == 0:
            return -high
        if i == len(self.domains[x]) - 1:
            return low
        equal = self.new()
        for clause in ((-equal, low), (-equal, -high), (equal, -low, high)):
            self.add(clause)
        return equal


class Log(Variables):
    """The bits of the index, lowest first."""

    def __init__(self, domains: Sequence[Domain], axes: Axes, binary: bool = False) -> None:
        self.compared: dict[tuple[int, int, int], int] = {}  # the lowest bits with a number, by variable
        super().__init__(domains, axes, binary)

    def width(self, size: int) -> int:
        return (size - 1).bit_length()

    def bits(self, x: int) -> range:
        """Return the Boolean variables of a variable that is no indicator and has two or more numbers."""
        return range(self.first[x], self.first[x] + self.width(len(self.domains[x])))

    def define(self, rows: Int32Array, size: int) -> None:
        """Forbid indices above the last: a bit is 0 if it is 0 in the last index and all higher bits are equal."""
        last, width = size - 1, rows.shape[1]
        for b in range(width):
            if not last >> b & 1:
                higher = [h for h in range(b + 1, width) if last >> h & 1]
                self.blocks.append(-rows[:, [b, *higher]])

    def make_equal(self, x: int, i: int) -> int:
        parts = [bit if i >> b & 1 else -bit for b, bit in enumerate(self.bits(x))]
        if len(parts) == 1:
            return parts[0]
        equal = self.new()
        for part in parts:
            self.add((-equal, part))
        self.add((equal, *(-part for part in parts)))
        return equal

    def make_least(self, x: int, i: int) -> int:
        """Compare bit by bit from the lowest. Thresholds with the same lowest bits share their comparison."""
        found = 0  # at least the lowest bits of i; 0 while these are 0
        for b, bit in enumerate(self.bits(x)):
            one, known = i >> b & 1, i & ((2 << b) - 1)
            if known == 0 or found == 0:
                found = bit if known else 0
                continue
            lower, found = found, self.compared.get((x, b, known), 0)
            if not found:
                found = self.compared[x, b, known] = self.new()
                sign = 1 if one else -1  # and of bit and lower if one, else or
                for clause in ((-sign * found, sign * bit), (-sign * found, sign * lower)):
                    self.add(clause)
                self.add((sign * found, -sign * bit, -sign * lower))
        return found


# The first is the default.
VARIABLES: dict[str, type[Variables]] = {"direct": Direct, "order": Order, "log": Log}
