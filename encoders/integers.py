"""Variables and clauses of a formula under construction, with literals of integer variables in some encoding.

x  a variable   n  a number   i  its index in the variable's domain   literal  v or -v, a variable of the formula
"""

from abc import ABC, abstractmethod
from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence

import numpy as np

from encoders.at_most_one import AT_MOST_ONE
from encoders.axes import Axes
from encoders.cnf import Signs, distinct_pairs, flatten, stamp_all
from encoders.formula import MAX_LISTED, Cnf, Int32Array, Unsupported

MAX_NUMBERS = 30_000_000  # numbers in all clauses: literals and ends
MAX_PAIRWISE = 1500  # literals of a group

Domain = Sequence[int]


class TooLarge(Unsupported):
    """A constraint or a domain whose clauses would be too many; the text says how large it is."""


class Variables(ABC):
    """Variables and clauses of one formula under construction.

    If `binary`, all domains have two numbers, and the literal x + 1 stands for the higher one of x.

    domains  the numbers of each variable, ascending
    true     a literal that is true, -true is false; `add` simplifies clauses with either
    """

    def __init__(self, domains: Sequence[Domain], axes: Axes, binary: bool = False) -> None:
        self.axes = axes
        self.booleans = len(domains) if binary else 0
        self.domains: list[Domain] = list(domains[: self.booleans])
        self.count = self.booleans  # number of Boolean variables in the formula
        self.constant = 0  # the variable that is true, once there is one
        self.flat = array("i")
        self.blocks: list[Int32Array] = []
        self.at_most: list[tuple[tuple[int, ...], int]] = []
        self.first: list[int] = [0] * self.booleans  # first Boolean variable of each integer variable
        self.equal: dict[tuple[int, int], int] = {}  # literals made when asked for, by variable and index
        self.least: dict[tuple[int, int], int] = {}
        self.extend(domains[self.booleans :])

    @property
    def true(self) -> int:
        if not self.constant:
            self.constant = self.new()
            self.flat.extend((self.constant, 0))
        return self.constant

    def new(self) -> int:
        """Return an auxiliary Boolean variable."""
        self.count += 1
        return self.count

    def add(self, clause: Collection[int]) -> None:
        """Add a clause. Raises TooLarge."""
        if self.constant and (self.constant in clause or -self.constant in clause):
            if self.constant in clause:
                return
            clause = [x for x in clause if x != -self.constant]
        self.flat.extend(clause)
        self.flat.append(0)
        if len(self.flat) > MAX_NUMBERS:
            raise TooLarge(f"clauses with more than {MAX_NUMBERS:,} literals")

    def exclude(self, groups: Iterable[Int32Array]) -> None:
        """Allow at most one literal of each row of each array to be true; none is constant. Raises TooLarge."""
        groups = [g for g in groups if g.shape[1] > 1 and len(g)]
        name = self.axes.at_most_one
        for group in groups:
            rows, length = group.shape
            pairs = name == "pairwise" and rows * length * (length - 1) * 3 // 2 > MAX_NUMBERS
            if pairs or (name == "pairwise" and length > MAX_PAIRWISE):
                limits = f"at most {MAX_PAIRWISE:,} a group, {MAX_NUMBERS:,} of all pairs"
                what = f"{rows:,} groups of {length:,} literals as pairs ({limits})"
                raise TooLarge(f"{what}: add another at-most-one encoding, such as +product")
        blocks, at_most, self.count = stamp_all(groups, AT_MOST_ONE[name], self.count)
        self.blocks += blocks
        self.at_most += at_most

    def extend(self, domains: Iterable[Domain]) -> None:
        """Add integer variables."""
        start = len(self.domains)
        self.domains += domains
        self.first += [0] * (len(self.domains) - start)
        by_size: dict[int, list[int]] = {}
        for x in range(start, len(self.domains)):
            by_size.setdefault(len(self.domains[x]), []).append(x)
        for size, xs in by_size.items():
            if size < 2:
                if size == 0:
                    self.add(())
                continue
            width = self.width(size)
            rows = np.arange(self.count + 1, self.count + 1 + len(xs) * width, dtype=np.int32).reshape(-1, width)
            for x, first in zip(xs, rows[:, 0].tolist(), strict=True):
                self.first[x] = first
            self.count += rows.size
            self.define(rows, size)

    def integer(self, numbers: Domain) -> int:
        """Add an auxiliary integer variable with these numbers, ascending, and return its index."""
        self.extend([numbers])
        return len(self.domains) - 1

    def wide(self, x: int) -> bool:
        """Return True if the domain of a variable is a range whose numbers are not listed."""
        return isinstance(self.domains[x], range) and len(self.domains[x]) > MAX_LISTED

    def indicator(self, literal: int) -> int:
        """Add an integer variable that is 1 if the literal is true, else 0, and return its index."""
        x = len(self.domains)
        self.domains.append(range(2))
        self.first.append(0)
        self.equal[x, 0], self.equal[x, 1], self.least[x, 1] = -literal, literal, literal
        return x

    def eq(self, x: int, n: int) -> int:
        """Return the literal for: variable x takes number n."""
        domain = self.domains[x]
        i = bisect_left(domain, n)
        if i == len(domain) or domain[i] != n:
            return -self.true
        return self.equals(x, i)

    def equals(self, x: int, i: int) -> int:
        """Return the literal for: variable x takes the number of index i."""
        if x < self.booleans:
            return x + 1 if i else -x - 1
        if len(self.domains[x]) == 1:
            return self.true
        found = self.equal.get((x, i))
        if found is None:
            found = self.equal[x, i] = self.make_equal(x, i)
        return found

    def ge(self, x: int, n: int) -> int:
        """Return the literal for: the number of variable x is at least n."""
        return self.at_least(x, bisect_left(self.domains[x], n))

    def at_least(self, x: int, i: int) -> int:
        """Return the literal for: the number of variable x has the index i, or a higher one."""
        if i <= 0:
            return self.true
        if i >= len(self.domains[x]):
            return -self.true
        if x < self.booleans:
            return x + 1
        found = self.least.get((x, i))
        if found is None:
            found = self.least[x, i] = self.make_least(x, i)
        return found

    def formula(self, variables: int, numbers: Sequence[int]) -> Cnf:
        """Return the formula. Its literals are those of the first `variables` variables, for all `numbers`."""
        if self.booleans:
            return Cnf(self.clauses(), self.count, Signs(variables), tuple(self.at_most))
        index = {n: v for v, n in enumerate(numbers)}
        literal = []
        for x in range(variables):
            row = [0] * len(numbers)
            for i, n in enumerate(self.domains[x]):
                row[index[n]] = self.equals(x, i)
            literal.append(tuple(row) if all(row) else tuple([found or -self.true for found in row]))
        return Cnf(self.clauses(), self.count, tuple(literal), tuple(self.at_most))

    def clauses(self) -> Int32Array:
        """Return all clauses in one array, each ended by 0."""
        return np.concatenate([flatten(distinct_pairs(self.blocks)), np.frombuffer(self.flat, np.int32)])

    @abstractmethod
    def width(self, size: int) -> int:
        """Return the number of Boolean variables of an integer variable of two or more numbers."""

    @abstractmethod
    def define(self, rows: Int32Array, size: int) -> None:
        """Add clauses that rows of Boolean variables stand for integer variables of `size` numbers."""

    @abstractmethod
    def make_equal(self, x: int, i: int) -> int:
        """Make a literal for `equals`, with clauses that define it."""

    @abstractmethod
    def make_least(self, x: int, i: int) -> int:
        """Make a literal for `at_least` of 0 < i < size, with clauses that define it."""
