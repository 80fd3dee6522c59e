"""Soft clauses: each has a weight, the cost of a solution in which the clause is false. The sum is to be minimised.

literal  as in puzzles.constraints.clauses
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from puzzles.constraints.checks import check_array
from puzzles.constraints.clauses import BATCH_LITERALS, IntArray, index_of_one
from puzzles.constraints.linear import integers
from puzzles.objectives.exact import Exact, check_integers, from_json, rows_of, to_json, weighted
from puzzles.problem import Problem
from puzzles.problem.arrays import BoolArray, Solutions
from puzzles.problem.values import Domains

MAX_CLAUSES_SHOWN = 6


@dataclass(frozen=True, eq=False)
class SoftClauses:
    """All soft clauses in one array, each ended by 0, and their weights, which are positive.

    flat     int32[literals + clauses]
    weights  int64[clauses], or Python integers
    """

    weights: Exact
    flat: IntArray
    maximise: ClassVar[bool] = False
    kind: ClassVar[str] = "soft"

    @classmethod
    def of(cls, clauses: Iterable[tuple[int, Sequence[int]]]) -> Self:
        """Return the objective of clauses, each a weight and its literals without the 0."""
        rows = list(clauses)
        flat = [x for _, literals in rows for x in (*literals, 0)]
        return cls(integers([weight for weight, _ in rows]), np.array(flat, np.int32))

    def __len__(self) -> int:
        return len(self.weights)

    def __bool__(self) -> bool:
        """Return True: an objective without clauses is one."""
        return True

    @property
    def rows(self) -> list[tuple[int, list[int]]]:
        """Weight and literals of each clause."""
        return list(zip(self.weights.tolist(), rows_of(self.flat), strict=True))

    @property
    def total(self) -> int:
        """The sum of all weights."""
        return sum(self.weights.tolist())

    def check(self, problem: Problem) -> None:
        check_array(self.flat, -len(problem.variables), len(problem.variables))
        check_integers(self.weights)
        if np.count_nonzero(self.flat == 0) != len(self.weights) or (len(self.flat) and self.flat[-1] != 0):
            raise ValueError("soft clauses and their weights do not fit together")
        if any(weight <= 0 for weight in self.weights.tolist()):
            raise ValueError("a soft clause has a weight that is not positive")

    def values(self, solutions: Solutions, problem: Problem) -> Exact:
        batch = max(1, BATCH_LITERALS // max(1, len(self.flat)))
        parts = [
            weighted(self.false(solutions[i : i + batch], problem), self.weights)
            for i in range(0, len(solutions), batch)
        ]
        return integers([value for part in parts for value in part.tolist()])

    def false(self, solutions: Solutions, problem: Problem) -> BoolArray:
        """Return bool[m, clauses]: True where a solution makes a clause false."""
        ends = np.flatnonzero(self.flat == 0)
        lengths = np.diff(ends, prepend=-1) - 1
        found = np.ones((len(solutions), len(ends)), np.bool_)
        filled = lengths > 0
        if not filled.any():
            return found
        literals = self.flat[self.flat != 0]
        true = (solutions[:, np.abs(literals) - 1] == index_of_one(problem)) == (literals > 0)
        starts = (np.cumsum(lengths) - lengths)[filled]
        found[:, filled] = ~np.logical_or.reduceat(true, starts, axis=1)
        return found

    def bounds(self, domains: Domains, problem: Problem) -> tuple[int, int]:
        return 0, self.total

    def words(self, problem: Problem) -> str:
        texts = [
            f"{weight} unless {' or '.join(literal_text(x, problem) for x in literals) or 'never'}"
            for weight, literals in self.rows[:MAX_CLAUSES_SHOWN]
        ]
        if (more := len(self) - MAX_CLAUSES_SHOWN) > 0:
            texts.append(f"and {more} more soft clauses")
        return "; ".join(texts) or "0"

    def data(self) -> dict[str, Any]:
        return {"maximise": False, "weights": to_json(self.weights), "clauses": self.flat}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        flat: npt.NDArray[Any] = np.asarray(data["clauses"])
        return cls(from_json(data["weights"]), flat.astype(np.int32))


def literal_text(literal: int, problem: Problem) -> str:
    """Return a literal as text, for a message."""
    return f"{'' if literal > 0 else 'not '}{problem.variables[abs(literal) - 1]}"


KIND = SoftClauses
