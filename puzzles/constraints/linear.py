"""Linear constraints: each row compares a weighted sum of numbers with a bound. One object holds all rows of a file.

    2 x1 - 3 x2 >= -1

number  the value of a variable as an integer: the problem's values are Integers
term    a coefficient and a variable; the terms of all rows are in one array each, row after row
long    arrays of Python integers, used only if a sum may exceed 64 bits
"""

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from puzzles.constraints.checks import check_array
from puzzles.problem import Problem
from puzzles.problem.arrays import BoolArray, Solutions
from puzzles.problem.values import IntegerRange, Integers

BATCH_TERMS = 1 << 22  # terms evaluated per batch, which bounds memory
MAX_TERMS_SHOWN = 12  # terms of a row in a message
Row = tuple[Sequence[int], Sequence[int], str, int]  # coefficients, variables, comparison, bound

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
}
CODES = {text: code for code, text in enumerate(COMPARISONS)}


def integers(numbers: Sequence[int]) -> npt.NDArray[Any]:
    """Return numbers as int64, or as Python integers if a number is longer."""
    try:
        return np.array(numbers, np.int64)
    except OverflowError:
        return np.array(numbers, object)


def numbers_of(solutions: Solutions, problem: Problem) -> npt.NDArray[Any]:
    """Return the numbers of the variables, [m, variables]. Values that are no integers are numbered from 0."""
    if not isinstance(problem.values, Integers):
        return solutions.astype(np.int64)
    numbers = problem.values.numbers
    if isinstance(problem.values, IntegerRange):
        return solutions.astype(np.int64) + numbers[0]
    found: npt.NDArray[Any] = integers(list(numbers))[solutions]
    return found


def merged(terms: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Return the coefficient of each variable, where it is not 0; a variable may have several terms."""
    total: dict[int, int] = {}
    for a, x in terms:
        total[x] = total.get(x, 0) + a
    return {x: a for x, a in total.items() if a}


@dataclass(frozen=True, eq=False)
class Linear:
    """All rows in arrays; the terms of row i are those from `starts[i]` to before `starts[i + 1]`.

    starts        int64[rows + 1]
    variables     int32[terms]
    coefficients  int64[terms], or long
    comparisons   uint8[rows], indices of COMPARISONS
    bounds        int64[rows], or long
    """

    starts: npt.NDArray[np.int64]
    variables: npt.NDArray[np.int32]
    coefficients: npt.NDArray[Any]
    comparisons: npt.NDArray[np.uint8]
    bounds: npt.NDArray[Any]
    kind: ClassVar[str] = "linear"

    @classmethod
    def of(cls, rows: Iterable[Row]) -> Self:
        """Build the object from rows."""
        rows = list(rows)
        return cls(
            np.cumsum([0, *(len(row[0]) for row in rows)], dtype=np.int64),
            np.array([x for row in rows for x in row[1]], np.int32),
            integers([a for row in rows for a in row[0]]),
            np.array([CODES[row[2]] for row in rows], np.uint8),
            integers([row[3] for row in rows]),
        )

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return one constraint with the rows of all `parts`."""
        if len(parts) == 1:
            return parts[0]
        sizes = np.cumsum([0, *(part.starts[-1] for part in parts)])
        starts = [part.starts[:-1] + size for part, size in zip(parts, sizes[:-1].tolist(), strict=True)]
        return cls(
            np.concatenate([*starts, sizes[-1:]]),
            *(
                np.concatenate([getattr(part, name) for part in parts])
                for name in ("variables", "coefficients", "comparisons", "bounds")
            ),
        )

    def __len__(self) -> int:
        return len(self.bounds)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Rows as tuples of Python integers."""
        texts, starts = tuple(COMPARISONS), self.starts.tolist()
        coefficients, variables = self.coefficients.tolist(), self.variables.tolist()
        shapes = zip(starts, starts[1:], self.comparisons.tolist(), self.bounds.tolist(), strict=False)
        return tuple((coefficients[a:b], variables[a:b], texts[code], bound) for a, b, code, bound in shapes)

    def check(self, problem: Problem) -> None:
        if not isinstance(problem.values, Integers):
            raise ValueError("the values of a linear constraint are not integers")
        check_array(self.variables, 0, len(problem.variables) - 1)
        check_array(self.comparisons, 0, len(COMPARISONS) - 1)
        check_array(self.starts, 0, len(self.variables))
        terms, rows = {len(self.variables), len(self.coefficients)}, {len(self.comparisons), len(self.bounds)}
        if terms != {*self.starts[-1:].tolist()} or rows != {len(self.starts) - 1} or self.starts[0] != 0:
            raise ValueError("the arrays of a linear constraint do not fit together")
        if np.any(np.diff(self.starts) < 0):
            raise ValueError("the rows of a linear constraint do not follow each other")

    def satisfied(self, solutions: Solutions, problem: Problem) -> BoolArray:
        ok = np.ones(len(solutions), np.bool_)
        if not len(self):
            return ok
        batch = max(1, BATCH_TERMS // (len(self.variables) + len(self)))
        for i in range(0, len(solutions), batch):
            sums = self.sums(numbers_of(solutions[i : i + batch], problem))
            for code, compare in enumerate(COMPARISONS.values()):
                rows = self.comparisons == code
                ok[i : i + batch] &= np.all(compare(sums[:, rows], self.bounds[rows]), axis=1).astype(np.bool_)
        return ok

    def sums(self, numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the weighted sum of each row: [m, rows] for numbers[m, variables]."""
        if self.is_long(numbers):
            numbers = numbers.astype(object)
        terms = self.coefficients * numbers[:, self.variables]
        ends = np.zeros((len(numbers), terms.shape[1] + 1), terms.dtype)
        np.cumsum(terms, axis=1, out=ends[:, 1:])
        sums: npt.NDArray[Any] = ends[:, self.starts[1:]] - ends[:, self.starts[:-1]]
        return sums

    def is_long(self, numbers: npt.NDArray[Any]) -> bool:
        """Return True if the running sum of all rows may exceed 64 bits."""
        if object in (self.coefficients.dtype, numbers.dtype):
            return True
        largest = float(np.abs(numbers.astype(np.float64)).max(initial=0))
        return largest * float(np.abs(self.coefficients.astype(np.float64)).sum()) >= 2.0**62

    def explain(self, solution: Sequence[int], problem: Problem) -> list[str]:
        assert isinstance(problem.values, Integers)
        values = problem.values.numbers
        broken = []
        for i, (coefficients, variables, comparison, bound) in enumerate(self.rows):
            total = sum(a * values[solution[x]] for a, x in zip(coefficients, variables, strict=True))
            if not COMPARISONS[comparison](total, bound):
                broken.append(f"sum {i + 1} is {total}: {row_text(self.rows[i], problem)}")
        return broken

    def data(self) -> dict[str, Any]:
        long = {"coefficients": self.coefficients, "bounds": self.bounds}
        texts = {name: list(map(str, a)) if a.dtype == object else a for name, a in long.items()}
        return {"starts": self.starts, "variables": self.variables, "comparisons": self.comparisons, **texts}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        coefficients, bounds = (
            np.array(list(map(int, a)), object) if isinstance(a, list) else a
            for a in (data["coefficients"], data["bounds"])
        )
        return cls(data["starts"], data["variables"], coefficients, data["comparisons"], bounds)


def row_text(row: Row, problem: Problem) -> str:
    """Return a row as text, for a message."""
    coefficients, variables, comparison, bound = row
    terms = [f"{a:+d} {problem.variables[x]}" for a, x in zip(coefficients, variables, strict=True)]
    if len(terms) > MAX_TERMS_SHOWN:
        terms[MAX_TERMS_SHOWN:] = [f"and {len(terms) - MAX_TERMS_SHOWN} more terms"]
    return f"{' '.join(terms) or '0'} {comparison} {bound}"


def clause_as_row(clause: Sequence[int]) -> Row:
    """Return the row of a clause, for a problem with other values than 0 and 1."""
    signs = [1 if literal > 0 else -1 for literal in clause]
    return signs, [abs(literal) - 1 for literal in clause], ">=", 1 - signs.count(-1)


KIND = Linear
