"""Clauses over Boolean variables: at least one literal of each is true. One object holds all clauses of a CNF file.

literal  x + 1 where variable x must be true (its value 1), -(x + 1) where it must be false (its value 0)
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from puzzles.columns import BoolArray, Solutions
from puzzles.problem import Problem

AT_ONCE = 1 << 24  # literals that are looked at together
IntArray = npt.NDArray[np.signedinteger[Any]]


def one_by_one(flat: npt.NDArray[np.signedinteger[Any]]) -> list[list[int]]:
    """Clauses of one array, each ended by 0, as lists without the 0."""
    literals, ends = flat.tolist(), np.flatnonzero(flat == 0).tolist()
    return [literals[start:end] for start, end in zip([0, *(end + 1 for end in ends)], ends, strict=False)]


@dataclass(frozen=True, eq=False)
class Clauses:
    """All clauses in one array, each ended by 0, as in a DIMACS file. An empty clause is false; no clauses are true."""

    flat: IntArray
    kind: ClassVar[str] = "clauses"

    @classmethod
    def of(cls, clauses: Iterable[Iterable[int]]) -> Self:
        """Clauses given one by one."""
        return cls(np.array([x for clause in clauses for x in (*clause, 0)], np.int32))

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The clauses one by one."""
        return tuple(map(tuple, one_by_one(self.flat)))

    def satisfied(self, solutions: Solutions, problem: Problem) -> BoolArray:
        ends = np.flatnonzero(self.flat == 0)
        lengths = np.diff(ends, prepend=-1) - 1
        ok = np.full(len(solutions), bool(np.all(lengths)))
        if not len(ends) or not ok.any():
            return ok
        literals = self.flat[self.flat != 0]
        variables, positive = np.abs(literals) - 1, literals > 0
        starts = np.cumsum(lengths) - lengths
        rows = max(1, AT_ONCE // len(literals))
        for i in range(0, len(solutions), rows):
            true = (solutions[i : i + rows, variables] == 1) == positive
            ok[i : i + rows] = np.all(np.logical_or.reduceat(true, starts, axis=1), axis=1)
        return ok

    def explain(self, solution: Sequence[int], problem: Problem) -> list[str]:
        broken = [i for i, row in enumerate(self.rows) if not any((solution[abs(x) - 1] == 1) == (x > 0) for x in row)]
        return [f"clause {i + 1} is false: {worded(self.rows[i], problem)}" for i in broken]

    def data(self) -> dict[str, Any]:
        return {"clauses": self.flat.tolist()}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        flat = np.array(data["clauses"], np.int64)
        narrow = len(flat) == 0 or np.abs(flat).max() < 1 << 31
        return cls(flat.astype(np.int32) if narrow else flat)


def worded(clause: Sequence[int], problem: Problem) -> str:
    """A clause in words."""
    return " or ".join(f"{'' if x > 0 else 'not '}{problem.variables[abs(x) - 1]}" for x in clause) or "it is empty"


def clauses_of(problem: Problem) -> IntArray | None:
    """The clauses of a problem of Boolean variables without other constraints, flat; None of any other problem."""
    parts = [c.flat for c in problem.constraints if isinstance(c, Clauses)]
    if len(problem.values) != 2 or len(parts) < len(problem.constraints):
        return None
    flat: IntArray = np.concatenate([np.empty(0, np.int32), *parts]) if len(parts) != 1 else parts[0]
    return flat


KIND = Clauses
