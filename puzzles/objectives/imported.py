"""Objective of an instance known by name alone: its values are those that others state, and none can be evaluated."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from puzzles.objectives.exact import Exact
from puzzles.problem import Problem
from puzzles.problem.arrays import Solutions
from puzzles.problem.values import Domains


@dataclass(frozen=True)
class ImportedObjective:
    """The sense of an objective whose text was not imported."""

    maximise: bool
    kind: ClassVar[str] = "imported"

    def check(self, problem: Problem) -> None:
        if len(problem.variables):
            raise ValueError("an imported objective belongs to an instance without variables")

    def values(self, solutions: Solutions, problem: Problem) -> Exact:
        """Return no values, of no solutions: there is none to evaluate."""
        if len(solutions):
            raise ValueError("an imported objective has no values")
        return np.empty(0, np.int64)

    def bounds(self, domains: Domains, problem: Problem) -> tuple[int, int]:
        return 0, 0

    def words(self, problem: Problem) -> str:
        return "not known, since results were imported"

    def data(self) -> dict[str, Any]:
        return {"maximise": self.maximise}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        return cls(bool(data["maximise"]))


KIND = ImportedObjective
