"""Clauses over Boolean variables: each clause has a true literal. One object holds all clauses of a file.

literal  x + 1 if variable x is to be true (its value 1), -(x + 1) if it is to be false (its value 0)
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from puzzles.constraints.checks import check_array
from puzzles.problem import Problem
from puzzles.problem.arrays import BoolArray, Solutions
from puzzles.problem.values import Integers

BLOCK_CLAUSES = 1 << 9  # fewer lists than make Python look for garbage; that takes longer than making them
BATCH_LITERALS = 1 << 24  # literals evaluated per batch, which bounds memory
IntArray = npt.NDArray[np.signedinteger[Any]]


def split_clauses(flat: npt.NDArray[np.signedinteger[Any]]) -> list[list[int]]:
    """Split an array of clauses, each ended by 0, into lists without the 0."""
    literals, ends = flat.tolist(), np.flatnonzero(flat == 0).tolist()
    return [literals[start:end] for start, end in zip([0, *(end + 1 for end in ends)], ends, strict=False)]


def clause_blocks(flat: npt.NDArray[np.signedinteger[Any]]) -> Iterator[list[list[int]]]:
    """Split an array of clauses block by block; lists of all clauses at once take three times as long."""
    ends = np.flatnonzero(flat == 0)
    start = 0
    for end in [*ends[BLOCK_CLAUSES - 1 : -1 : BLOCK_CLAUSES].tolist(), *ends[-1:].tolist()]:
        yield split_clauses(flat[start : end + 1])
        start = end + 1


@dataclass(frozen=True, eq=False)
class Clauses:
    """All clauses in one array, each ended by 0, as in a DIMACS file.

    An empty clause is false; zero clauses are satisfied.
    """

    flat: IntArray
    kind: ClassVar[str] = "clauses"

    @classmethod
    def of(cls, clauses: Iterable[Iterable[int]]) -> Self:
        """Build the object from clauses without the 0."""
        return cls(np.array([x for clause in clauses for x in (*clause, 0)], np.int32))

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """Clauses as tuples."""
        return tuple(map(tuple, split_clauses(self.flat)))

    def check(self, problem: Problem) -> None:
        check_array(self.flat, -len(problem.variables), len(problem.variables))
        if len(self.flat) and self.flat[-1] != 0:
            raise ValueError("a clause has no end")

    def satisfied(self, solutions: Solutions, problem: Problem) -> BoolArray:
        ends = np.flatnonzero(self.flat == 0)
        lengths = np.diff(ends, prepend=-1) - 1
        ok = np.full(len(solutions), bool(np.all(lengths)))
        if not len(ends) or not ok.any():
            return ok
        literals = self.flat[self.flat != 0]
        variables, positive = np.abs(literals) - 1, literals > 0
        starts, one = np.cumsum(lengths) - lengths, index_of_one(problem)
        rows = max(1, BATCH_LITERALS // len(literals))
        for i in range(0, len(solutions), rows):
            true = (solutions[i : i + rows, variables] == one) == positive
            ok[i : i + rows] = np.all(np.logical_or.reduceat(true, starts, axis=1), axis=1)
        return ok

    def explain(self, solution: Sequence[int], problem: Problem) -> list[str]:
        one = index_of_one(problem)
        broken = [
            i for i, row in enumerate(self.rows) if not any((solution[abs(x) - 1] == one) == (x > 0) for x in row)
        ]
        return [f"clause {i + 1} is false: {clause_text(self.rows[i], problem)}" for i in broken]

    def data(self) -> dict[str, Any]:
        return {"clauses": self.flat}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        flat = np.asarray(data["clauses"])
        if flat.dtype == np.int32:
            return cls(flat)
        flat = flat.astype(np.int64)
        narrow = len(flat) == 0 or np.abs(flat).max() < 1 << 31
        return cls(flat.astype(np.int32) if narrow else flat)


def index_of_one(problem: Problem) -> int:
    """Return the index of the value 1, which true variables take; one past the last value if there is no 1."""
    if not isinstance(problem.values, Integers):
        return 1
    numbers = problem.values.numbers
    return numbers.index(1) if 1 in numbers else len(numbers)


def clause_text(clause: Sequence[int], problem: Problem) -> str:
    """Return a clause as text, for a message."""
    return " or ".join(f"{'' if x > 0 else 'not '}{problem.variables[abs(x) - 1]}" for x in clause) or "it is empty"


def clauses_of(problem: Problem) -> IntArray | None:
    """Return the flat clauses of a problem that is a CNF formula, None for any other, as with an objective."""
    return hard_clauses_of(problem) if problem.objective is None else None


def hard_clauses_of(problem: Problem) -> IntArray | None:
    """Return the flat clauses of a problem whose constraints are clauses, whatever its objective; else None."""
    parts = [c.flat for c in problem.constraints if isinstance(c, Clauses)]
    if len(problem.values) != 2 or len(parts) < len(problem.constraints):
        return None
    flat: IntArray = np.concatenate([np.empty(0, np.int32), *parts]) if len(parts) != 1 else parts[0]
    return flat


KIND = Clauses
