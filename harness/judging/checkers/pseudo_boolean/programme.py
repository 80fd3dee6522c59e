"""Zero-one programme that a proof refutes: rows, and with an objective the row that only a better solution satisfies.

    literal  k for variable k, -k for its negation, 1 - k
    row      a sum of literals with positive coefficients, no variable twice, that is at least its degree

A proof shows that the rows have no common solution. Of an objective, whose best known sum is `best`, it shows that no
solution has a smaller sum, since the row `bound` is among the rows.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class SumRow(NamedTuple):
    """Sum of literals, coefficient by literal, that is at least `degree`."""

    terms: Mapping[int, int]
    degree: int


class SumProgramme(NamedTuple):
    """Rows over variables 1 to `variables`; `goal` has a coefficient by variable, and `best` the best sum of them.

    Without an objective `goal` is None. If no solution is known `best` is None: then a solution in the proof is false.

    offset  what a proof adds to the sum: the objective's constant      names   variables by name, None for x1, x2, ...
    labels  rows by the label that the formula gives them, from 1 on
    """

    variables: int
    rows: tuple[SumRow, ...]
    goal: Mapping[int, int] | None = None
    best: int | None = None
    offset: int = 0
    names: Mapping[str, int] | None = None
    labels: Mapping[str, int] | None = None

    @property
    def bound(self) -> SumRow | None:
        """The row that only better solutions satisfy, None without a known solution."""
        return None if self.goal is None or self.best is None else improving(self.goal, self.best)


def row(terms: Iterable[tuple[int, int]], bound: int) -> SumRow:
    """Return the row of: the sum of coefficients, of any sign, times literals is at least the bound."""
    sums: dict[int, int] = {}
    for a, literal in terms:
        if literal < 0:  # a (1 - x)
            bound, a = bound - a, -a
        sums[abs(literal)] = sums.get(abs(literal), 0) + a
    found = {}
    for x, a in sums.items():
        if a > 0:
            found[x] = a
        elif a < 0:  # -|a| x = |a| (1 - x) - |a|
            found[-x], bound = -a, bound - a
    return SumRow(found, bound)


def clause_row(literals: Iterable[int]) -> SumRow:
    """Return the row of: one of the literals is true. A literal that a clause has twice counts once."""
    return row([(1, x) for x in dict.fromkeys(literals)], 1)


def improving(goal: Mapping[int, int], value: int) -> SumRow:
    """Return the row of: the sum of the objective is less than a value."""
    return row([(-a, x) for x, a in goal.items()], 1 - value)
