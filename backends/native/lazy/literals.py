"""Literals of the integer variables of one ask, as in lazy clause generation: an order literal for each step.

    x  a variable    i  a value of its own, from 0, ascending    literal  1 or more, or negated; TRUE holds always

    [x >= i]  a Boolean for each i > 0, consecutive from `first[x]`: the chain of x, made for all variables
    [x = i]   inside the domain a Boolean of its own, made when first asked for; at the ends a literal of the chain

A Boolean variable has a chain of one literal, which is true for its value 1.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from encoders.elementary.parts import Sum
from encoders.formula import Constraints
from puzzles.problem.arrays import BoolArray, Int32Array, Int64Array
from puzzles.problem.values import WORD, Domains, Solution, bits

TRUE = 1


class NumberColumns(NamedTuple):
    """Domains of all variables, one after the other.

    values  as the problem numbers them, of auxiliary variables the numbers    numbers  that they stand for
    starts  of each variable's part
    """

    values: Int64Array
    numbers: Int64Array
    starts: Int64Array

    @classmethod
    def of(cls, form: Constraints, domains: Domains, more: Sequence[Sequence[int]] = ()) -> Self:
        """Return the domains of variables of a formula, and of auxiliary ones of `more` numbers."""
        sizes, values = flattened(domains, form.ranged)
        auxiliary = np.fromiter((n for own in more for n in own), np.int64)
        sizes = np.concatenate([sizes, np.array([len(own) for own in more], np.int64)])
        own = values + form.numbers[0] if form.ranged else np.array(form.numbers, np.int64)[values]
        known, values = np.concatenate([own, auxiliary]), np.concatenate([values, auxiliary])
        return cls(values, known, np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)]))

    def part(self, x: int) -> slice:
        """Return the place of a variable's domain."""
        return slice(self.starts[x], self.starts[x + 1])

    def only(self, kept: BoolArray) -> Self:
        """Return the columns without numbers that are not kept."""
        before = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept)])
        return type(self)(self.values[kept], self.numbers[kept], before[self.starts])


class Literals:
    """Clauses under construction, and the variables whose literals occur in them.

    sizes    of each variable's domain
    clauses  DIMACS literals, each clause ended by 0; `parts` are more of them
    """

    def __init__(self, columns: NumberColumns, count: int, digits: Mapping[int, Sum]) -> None:
        """Make chains of all variables; the first `count` are those of the problem, some of them of digits."""
        self.count, self.digits = count, digits
        self.values, self.numbers, self.starts = columns
        self.sizes = np.diff(self.starts)
        self.first = 1 + TRUE + np.concatenate([np.zeros(1, np.int64), np.cumsum(self.sizes - 1)[:-1]])
        self.last = TRUE + int(np.sum(self.sizes - 1))
        self.clauses = [TRUE, 0]
        self.parts = [self.chain_clauses()]
        self.made: dict[int, list[int]] = {}

    def chain_clauses(self) -> Int32Array:
        """Return the clauses [x >= i + 1] implies [x >= i]."""
        inner = np.ones(self.last + 1, np.bool_)
        inner[: TRUE + 1] = False
        inner[self.first[self.sizes > 1]] = False
        later = np.flatnonzero(inner)
        return np.stack([-later, later - 1, np.zeros_like(later)], 1).ravel().astype(np.int32)

    def own(self, x: int) -> Int64Array:
        """Return the numbers of a variable."""
        return self.numbers[self.starts[x] : self.starts[x + 1]]

    def add(self, clause: Iterable[int]) -> None:
        """Add a clause."""
        self.clauses += clause
        self.clauses.append(0)

    def new(self) -> int:
        """Return a new variable of the formula."""
        self.last += 1
        return self.last

    def equal(self, x: int) -> list[int]:
        """Return [x = i] for all i."""
        if x not in self.made:
            self.made[x] = self.make(x)
        return self.made[x]

    def make(self, x: int) -> list[int]:
        """Make [x = i] for all i, with the clauses that define them; at the ends they are literals of the chain."""
        size, first = int(self.sizes[x]), int(self.first[x])
        if size == 1:
            return [TRUE]
        inner = list(range(self.last + 1, self.last + size - 1))
        self.last += len(inner)
        for i, equal in enumerate(inner):
            least, more = first + i, first + i + 1
            self.clauses += (-equal, least, 0, -equal, -more, 0, equal, -least, more, 0)
        return [-first, *inner, first + size - 2]

    def translated(self, flat: npt.NDArray[np.integer]) -> Int32Array:
        """Return clauses over variables, in which a literal x + 1 says that the number of x is 1, as clauses."""
        first, size = self.numbers[self.starts[:-1]], self.sizes
        true = np.where(size > 1, self.first, np.where(first == 1, TRUE, -TRUE))
        boolean = (size == 1) | ((size == 2) & (first == 0) & (self.numbers[self.starts[1:] - 1] == 1))
        used = np.zeros(len(size), np.bool_)
        used[np.abs(flat[flat != 0]) - 1] = True
        for x in np.flatnonzero(used & ~boolean).tolist():
            true[x] = dict(zip(self.own(x).tolist(), self.equal(x), strict=True)).get(1, -TRUE)
        clauses: Int32Array = (np.append(0, true)[np.abs(flat)] * np.sign(flat)).astype(np.int32)
        return clauses

    def flat(self) -> Int32Array:
        """Return all clauses."""
        return np.concatenate([np.array(self.clauses, np.int32), *self.parts])

    def decode(self, model: Iterable[int], domains: Domains) -> Solution:
        """Return each variable's value: its index in the domain is the number of true literals of its chain.

        A wide one has its least value, to which its digits are added.
        """
        literals = np.array(list(model), np.int64)
        true = np.zeros(self.last + 2, np.int64)
        true[literals[(literals > 0) & (literals <= self.last)] + 1] = 1
        before = np.cumsum(true)  # true literals below each
        indices = before[self.first + self.sizes - 1] - before[self.first]
        at = self.starts[:-1] + indices
        found: list[int] = self.values[at[: self.count]].tolist()
        for x, (terms, _) in self.digits.items():
            found[x] += sum(weight * int(self.numbers[at[digit]]) for digit, weight in terms.items())
        return tuple(found)

    def indices(self, solution: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield variables with the indices of their values in a solution, those of digits for a wide one."""
        starts, values = self.starts.tolist(), self.values.tolist()
        for x, v in enumerate(solution):
            parts, rest = [(x, v)], v
            if x in self.digits:
                parts, rest = [], v - values[starts[x]]
                for digit, weight in reversed(self.digits[x][0].items()):
                    parts.append((digit, rest // weight))
                    rest %= weight
            for y, value in parts:
                yield y, values.index(value, starts[y], starts[y + 1]) - starts[y]

    def numbered(self, solution: Sequence[int]) -> list[int]:
        """Return the literals of chains that are true in a solution, numbered from 1."""
        found, last, sizes = list[int](), 0, self.sizes.tolist()
        for x, i in self.indices(solution):
            size = sizes[x]
            found += [last + k if k <= i else -last - k for k in range(1, size)]
            last += size - 1
        return found

    def forbid(self, solution: Solution) -> list[int]:
        """Return the clause that every other solution satisfies."""
        clause, firsts, sizes = [], self.first.tolist(), self.sizes.tolist()
        for x, i in self.indices(solution):
            clause += [-(firsts[x] + i - 1)] if i else []
            clause += [firsts[x] + i] if i < sizes[x] - 1 else []
        return clause


def flattened(domains: Sequence[int], ranged: bool) -> tuple[Int64Array, Int64Array]:
    """Return the size of each domain, and all their values, one domain after the other."""
    values: dict[int, Int64Array] = {
        mask: np.arange(mask & WORD, mask >> 64) if ranged else np.array(list(bits(mask)), np.int64)
        for mask in set(domains)
    }
    sizes = np.array([len(values[mask]) for mask in domains], np.int64)
    return sizes, np.concatenate([np.zeros(0, np.int64), *(values[mask] for mask in domains)])
