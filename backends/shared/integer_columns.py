"""Integer columns for solvers of integer programs: variables of sums over ranges, each less its least number.

Solutions are forbidden by two Booleans a column: it is above its number where the first is true, below where the second
is.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from backends.shared.literal_map import LiteralMap
from encoders.formula import Constraints
from encoders.integer_program import by_column, own_rows
from encoders.zero_one.rows import Row, Terms
from puzzles.objectives.linear import LinearObjective
from puzzles.problem.values import WORD, Domains, Solution


class ColumnRows(NamedTuple):
    """Rows over columns 1, 2, ... from 0 to `upper`, and the terms that are to be minimised, with their constant."""

    rows: list[Row]
    upper: tuple[int, ...]
    goal: Terms | None

    @property
    def last(self) -> int:
        return len(self.upper)


def column_rows(form: Constraints) -> ColumnRows:
    """Return a problem that has columns of its own (`encoders.integer_program.has_own_columns`)."""
    ends, rows = form.ends(), list[Row]()
    upper = tuple(high - low for low, high in ends)
    for terms, sign, bound in own_rows(form):
        rows += stated({x + 1: a for a, x in terms}, sign, bound - sum(a * ends[x][0] for a, x in terms))
    goal = form.objective
    if not isinstance(goal, LinearObjective):
        return ColumnRows(rows, upper, None)
    terms = by_column(goal.terms)
    constant = goal.offset + sum(a * ends[x][0] for a, x in terms)
    return ColumnRows(rows, upper, {0: constant, **{x + 1: a for a, x in terms}})


def stated(terms: Terms, sign: str, bound: int) -> list[Row]:
    """Return the row of a comparison other than `!=`; one without terms is left out, or false."""
    if sign in ("<", "<="):
        return stated({k: -a for k, a in terms.items()}, ">=", int(sign == "<") - bound)
    bound += sign == ">"
    if terms:
        return [Row(terms, bound, sign == "=")]
    return [Row({1: 1}, -1, True)] if bound > 0 or (bound and sign == "=") else []


def differing(values: Sequence[int], upper: Sequence[int], last: int) -> tuple[list[Row], int]:
    """Return rows for: columns differ from these numbers; and the last column, since Booleans follow on `last`."""
    rows, ways = list[Row](), list[int]()
    for k, (number, most) in enumerate(zip(values, upper, strict=True), 1):
        if number < most:
            last += 1
            ways.append(last)
            rows.append(Row({k: 1, last: -number - 1}, 0, False))
        if number > 0:
            last += 1
            ways.append(last)
            rows.append(Row({k: -1, last: number - 1 - most}, -most, False))
    return [*rows, Row(dict.fromkeys(ways, 1) or {1: 1}, 1 if ways else upper[0] + 1, False)], last


class ColumnMap(LiteralMap):
    """Columns of variables whose domains are ranges; a model has the number of each."""

    def __init__(self, domains: Domains) -> None:
        self.first = tuple(domain & WORD for domain in domains)

    def true(self, domains: Domains) -> list[int]:
        return []

    def decode(self, model: Iterable[int], domains: Domains) -> Solution:
        return tuple([a + b for a, b in zip(self.first, model, strict=True)])

    def forbid(self, solution: Solution) -> list[int]:
        """Return the numbers of the columns of a solution."""
        return [v - first for v, first in zip(solution, self.first, strict=True)]
