"""Tables, sums and clauses under construction, over variables that may be auxiliary.

literal  x + 1 or its negation, where x has the numbers 0 and 1, as in clauses
"""

from collections.abc import Sequence

import numpy as np

from encoders.formula import Unsupported
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.linear import Linear, Row
from puzzles.constraints.table import Table
from puzzles.problem import Constraint
from puzzles.problem.arrays import Int64Array

MOST = 250_000  # tuples of one table
ALL = 20_000_000  # numbers of the variables of all rows, and twice those of all tables, which take more memory

Domain = Sequence[int]
Terms = dict[int, int]  # coefficient of each variable
Sum = tuple[Terms, int]  # with a constant


class TooMany(Unsupported):
    """Constraints that would become too many tuples; the text says which."""

    def __init__(self, what: str) -> None:
        super().__init__(f"too large for tables and sums: {what}")


class ElementaryParts:
    """Constraints under construction. `domains` are the numbers of each variable, ascending; new ones come last.

    `share` is the part of ALL that they may have.
    """

    share = 1

    def __init__(self, domains: Sequence[Domain]) -> None:
        self.domains = list(domains)
        self.rows: list[Row] = []
        self.clauses: list[Sequence[int]] = []
        self.tables: list[Table] = []
        self.different: list[tuple[int, ...]] = []
        self.size = 0

    def new(self, domain: Domain = (0, 1)) -> int:
        """Return a new variable, of two truth values if no domain is stated."""
        self.domains.append(domain)
        return len(self.domains) - 1

    def constraints(self) -> list[Constraint]:
        """Return the constraints, each kind together."""
        rows = [Linear.of(self.rows)] if self.rows else []
        clauses = [Clauses.of(self.clauses)] if self.clauses else []
        units = [AllDifferent(tuple(self.different))] if self.different else []
        return [*rows, *clauses, *self.tables, *units]

    def tabulate(self, scope: Sequence[int], rows: Int64Array, positive: bool = True) -> None:
        """Add a table. Raises TooMany."""
        if len(rows) > MOST:
            raise TooMany(f"a table of {len(rows):,} tuples")
        self.grow(2 * rows.size)
        if scope:
            self.tables.append(Table((tuple(scope),), np.ascontiguousarray(rows, np.int64).ravel(), positive))
        elif positive != bool(len(rows)):
            self.clauses.append(())

    def grow(self, numbers: int) -> None:
        """Count the numbers of a table, or of the variables of a row. Raises TooMany."""
        self.size += numbers
        if self.size > (most := ALL // self.share):
            raise TooMany(f"more than {most:,} numbers in all")

    def row(self, terms: Terms, comparison: str, bound: int) -> None:
        self.grow(sum(len(self.domains[x]) for x in terms))
        self.rows.append(([*terms.values()], [*terms], comparison, bound))

    def ends(self, terms: Terms) -> tuple[int, int]:
        """Return the least and the greatest value of a sum."""
        ends = [sorted((a * self.domains[x][0], a * self.domains[x][-1])) for x, a in terms.items()]
        return sum(low for low, _ in ends), sum(high for _, high in ends)

    def compare(self, terms: Terms, bound: int, comparison: str, given: Sequence[int]) -> None:
        """Add a comparison of a sum with a bound, which has to hold where the literal `given` is true, or always."""
        if not given:
            self.row(terms, comparison, bound)
        elif comparison == "!=":
            below, above = self.new() + 1, self.new() + 1
            self.clauses.append((-given[0], below, above))
            self.compare(terms, bound - 1, "<=", (below,))
            self.compare(terms, bound + 1, ">=", (above,))
        elif comparison == "=":
            self.compare(terms, bound, "<=", given)
            self.compare(terms, bound, ">=", given)
        elif comparison == ">=":
            self.compare({x: -a for x, a in terms.items()}, -bound, "<=", given)
        else:
            most = self.ends(terms)[1]
            if (excess := most - bound) > 0:
                x, positive = abs(given[0]) - 1, given[0] > 0
                freed = {**terms, x: terms.get(x, 0) + (excess if positive else -excess)}
                self.row(freed, "<=", most if positive else bound)

    def variable(self, literal: int) -> int:
        """Return a variable that is 1 where a literal is true, else 0."""
        if literal > 0:
            return literal - 1
        found = self.new()
        self.row({found: 1, -literal - 1: 1}, "=", 1)
        return found

    def any_of(self, literals: Sequence[int]) -> int:
        """Return a literal that is true where any of the literals is true."""
        found = self.new() + 1
        self.clauses += [(-literal, found) for literal in literals]
        self.clauses.append((-found, *literals))
        return found
