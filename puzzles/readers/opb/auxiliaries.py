"""Auxiliary variables of OPB and WBO files, which come after those of the file.

    p  a product of literals: 1 where all of them are true, by a row for each direction of each literal
    v  a relaxed soft constraint: it may be violated where v is 1, which has its cost

Until the number of the file's variables is known, auxiliary variables are numbered from MAX_VARIABLES.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from puzzles.constraints.clauses import IntArray
from puzzles.constraints.linear import Row
from puzzles.readers.opb.sums import MAX_VARIABLES, Comparison, Term


@dataclass
class Auxiliaries:
    """Auxiliary variables, the rows that define products, and the costs of relaxed constraints.

    `greatest` is the greatest number of a variable of the file in a sum so far.
    """

    products: dict[tuple[int, ...], int] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    costs: list[Term] = field(default_factory=list)
    greatest: int = 0

    def __len__(self) -> int:
        return len(self.products) + len(self.costs)

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
        """Count the variables of the file that are in terms."""
        numbers = (abs(literal) for _, literals in terms for literal in literals)
        self.greatest = max(self.greatest, max((number for number in numbers if number <= MAX_VARIABLES), default=0))

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


def moved(variables: IntArray, count: int) -> IntArray:
    """Return variables with the auxiliary ones after the `count` variables of the file."""
    return np.where(variables < MAX_VARIABLES, variables, variables - (MAX_VARIABLES - count)).astype(np.int32)
