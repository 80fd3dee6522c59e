"""Numbers of solutions, comparisons of numbers, and the base class of constraints in rows."""

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from puzzles.constraints.checks import PartCheck, check_row, check_tuple
from puzzles.constraints.linear import COMPARISONS
from puzzles.constraints.linear import numbers_of as numbers_of
from puzzles.problem import Problem
from puzzles.problem.arrays import BoolArray, Solutions

Numbers = npt.NDArray[Any]  # [m, variables]: int64, or Python integers if one is longer
Row = tuple[Any, ...]
BATCH_NUMBERS = 1 << 22  # numbers looked up per batch, which bounds memory
MAX_SHOWN = 8  # variables named in a message

ORDER: dict[str, Callable[[Any, Any], Any]] = {**COMPARISONS, "<": operator.lt, ">": operator.gt}


def exact(numbers: Numbers, terms: int) -> Numbers:
    """Return numbers as Python integers where a sum of `terms` of them may exceed 64 bits."""
    largest = float(np.abs(numbers.astype(np.float64)).max(initial=0))
    return numbers.astype(object) if largest * terms >= 2.0**62 else numbers


def batches(solutions: Solutions, problem: Problem) -> "list[tuple[slice, Numbers]]":
    """Return the numbers of solutions in batches, each with its rows of `solutions`."""
    rows = max(1, BATCH_NUMBERS // max(1, len(problem.variables)))
    slices = [slice(i, i + rows) for i in range(0, len(solutions), rows)]
    return [(part, numbers_of(solutions[part], problem)) for part in slices]


def names_text(variables: Sequence[int], problem: Problem) -> str:
    """Return the names of variables, for a message."""
    names = [problem.variables[x] for x in variables[:MAX_SHOWN]]
    more = len(variables) - MAX_SHOWN
    return ", ".join(names) + (f" and {more} more" if more > 0 else "")


def tuples(data: Any) -> Any:
    """Return nested lists as nested tuples."""
    return tuple(map(tuples, data)) if isinstance(data, list | tuple) else data


@dataclass(frozen=True)
class Rows:
    """Constraints of one kind, one row each. A kind defines `parts`, `holds` and `words`.

    parts  the check of each field of a row
    holds  the numbers of m solutions, and a row -> bool[m]
    words  the numbers of one solution that breaks a row, and the row -> the violation, with names
    """

    rows: tuple[Row, ...]
    kind: ClassVar[str]
    parts: ClassVar[tuple[PartCheck, ...]]

    def holds(self, numbers: Numbers, row: Row) -> BoolArray:
        raise NotImplementedError

    def words(self, numbers: Sequence[int], row: Row, problem: Problem) -> str:
        raise NotImplementedError

    def check(self, problem: Problem) -> None:
        check_tuple(self.rows)
        for row in self.rows:
            check_row(row, self.parts, len(problem.variables))

    def satisfied(self, solutions: Solutions, problem: Problem) -> BoolArray:
        ok = np.ones(len(solutions), np.bool_)
        for part, numbers in batches(solutions, problem):
            for row in self.rows:
                ok[part] &= self.holds(numbers, row)
        return ok

    def explain(self, solution: Sequence[int], problem: Problem) -> list[str]:
        numbers = numbers_of(np.array([solution], np.uint64), problem)
        one = numbers[0].tolist()
        return [self.words(one, row, problem) for row in self.rows if not self.holds(numbers, row)[0]]

    def data(self) -> dict[str, Any]:
        return {"rows": self.rows}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        return cls(tuples(data["rows"]))
