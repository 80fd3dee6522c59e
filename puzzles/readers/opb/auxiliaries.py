"""Variables of OPB and WBO files that are not x1, x2, ...: names, and auxiliary variables, which come after the file's.

    n  a name, such as y_x1_5 or x0
    p  a product of literals: 1 where all of them are true, by a row for each direction of each literal
    v  a relaxed soft constraint: it may be violated where v is 1, which has its cost

Until the file's variables are known, these are numbered from MAX_VARIABLES. In a file with names, its variables are
those that occur: x0, x1, x2, ... by their numbers, then names in the order of the file.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from puzzles.constraints.clauses import IntArray
from puzzles.constraints.linear import Row
from puzzles.problem.values import Numbered
from puzzles.readers.opb.sums import MAX_VARIABLES, Comparison, Term

ZERO = re.compile("x0+")


@dataclass
class Auxiliaries:
    """Names and auxiliary variables, the rows that define products, and the costs of relaxed constraints.

    `seen` are the numbers of the variables x1, x2, ... in sums so far.
    """

    names: dict[str, int] = field(default_factory=dict)
    products: dict[tuple[int, ...], int] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    costs: list[Term] = field(default_factory=list)
    seen: set[int] = field(default_factory=set)

    def __len__(self) -> int:
        return len(self.names) + len(self.products) + len(self.costs)

    def named(self, name: str) -> int:
        """Return the number of a name."""
        if name not in self.names:
            self.names[name] = self.new()
        return self.names[name]

    def new(self) -> int:
        """Return the literal of another auxiliary variable."""
        return MAX_VARIABLES + len(self) + 1

    def product(self, literals: Sequence[int]) -> int:
        """Return the literal that equals a product of literals, 0 if the product is always 0."""
        factors = tuple(sorted(set(literals), key=abs))
        if len(set(map(abs, factors))) < len(factors):
            return 0
        if len(factors) == 1:
            return factors[0]
        if factors not in self.products:
            p = self.products[factors] = self.new()
            self.rows += [self.row([(1, (literal,)), (-1, (p,))], ">=", 0) for literal in factors]
            self.rows.append(self.row([(1, (p,)), *((1, (-literal,)) for literal in factors)], ">=", 1))
        return self.products[factors]

    def see(self, terms: Sequence[Term]) -> None:
        """Keep the variables x1, x2, ... of terms."""
        numbers = (abs(literal) for _, literals in terms for literal in literals)
        self.seen.update(number for number in numbers if number <= MAX_VARIABLES)

    def sum(self, terms: Sequence[Term]) -> tuple[list[int], list[int], int]:
        """Return an equal sum without negated literals, as coefficients, variables and offset: `a ~x` is `a - a x`."""
        self.see(terms)
        coefficients, variables, offset = list[int](), list[int](), 0
        for a, literals in terms:
            if literal := literals[0] if len(literals) == 1 else self.product(literals):
                coefficients.append(a if literal > 0 else -a)
                variables.append(abs(literal) - 1)
                offset += a if literal < 0 else 0
        return coefficients, variables, offset

    def row(self, terms: Sequence[Term], sign: str, bound: int) -> Row:
        """Return the row of a comparison."""
        coefficients, variables, offset = self.sum(terms)
        return coefficients, variables, sign, bound - offset

    def relaxed(self, constraint: Comparison, cost: int) -> list[Row]:
        """Return the rows of a soft constraint: the constraint holds, or its auxiliary variable is 1."""
        coefficients, variables, sign, bound = self.row(*constraint)
        if not cost:
            return []
        v = self.new()
        self.costs.append((cost, (v,)))
        low, high = (sum(part(a, 0) for a in coefficients) for part in (min, max))
        below: Row = ([*coefficients, max(0, bound - low)], [*variables, v - 1], ">=", bound)
        above: Row = ([*coefficients, min(0, bound - high)], [*variables, v - 1], "<=", bound)
        beyond: Row = ([*coefficients, max(0, bound - low + 1)], [*variables, v - 1], "!=", bound)
        return {">=": [below], "<=": [above], "=": [below, above], "!=": [beyond]}[sign]

    def limited(self, top: int) -> Row:
        """Return the row that keeps the sum of all costs below the top."""
        return self.row(self.costs, "<=", top - 1)


class Numbering:
    """Indices and names of the variables of a file."""

    def __init__(self, added: Auxiliaries, count: int, occurring: IntArray) -> None:
        """Take the number of variables x1, x2, ..., and with names those of them that occur, from 0, in order."""
        zeros = [name for name in added.names if ZERO.fullmatch(name)]
        named = [*zeros, *(name for name in added.names if name not in zeros)]
        self.shift, self.occurring = len(zeros), occurring if named else None
        size = len(occurring) if named else count
        at = np.full(len(added), -1)
        numbers = np.array([added.names[name] - MAX_VARIABLES - 1 for name in named], np.int64)
        at[numbers] = [*range(self.shift), *range(self.shift + size, len(named) + size)]
        at[at < 0] = np.arange(len(named) + size, len(added) + size)
        self.added, self.count = at, size + len(named)
        self.names: Sequence[str] = Numbered("x", size + len(added))
        if named:
            own = [*zeros, *(f"x{x + 1}" for x in occurring.tolist()), *named[self.shift :]]
            prefix = "aux"
            while any(name.startswith(prefix) for name in own):
                prefix = f"_{prefix}"
            self.names = (*own, *(f"{prefix}{k}" for k in range(1, len(added) - len(named) + 1)))

    def of(self, variables: IntArray) -> IntArray:
        """Return the indices of variables."""
        if not len(self.added):
            return variables
        late = variables >= MAX_VARIABLES
        early = variables if self.occurring is None else np.searchsorted(self.occurring, variables) + self.shift
        return np.where(late, self.added[np.where(late, variables - MAX_VARIABLES, 0)], early).astype(np.int32)
