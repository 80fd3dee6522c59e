"""Satisfiable asks of a query script as what is wanted: the more that models show, the better.

A script adds clauses and asks for models under assumptions, in turn. A solution has a row of its variables for each
ask: a model, or zeros where the ask is said to be unsatisfiable. Its value is minus the number of asks that it
satisfies: a claim of unsatisfiability is a claim that no solution is better, and a checked model refutes it.

literal  x or -x of variable x, from 1
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from puzzles.constraints.checks import check_array
from puzzles.constraints.clauses import IntArray, split_clauses
from puzzles.objectives.exact import Exact
from puzzles.problem import Problem
from puzzles.problem.arrays import BoolArray, Solutions
from puzzles.problem.values import Domains

MAX_CELLS = 1 << 24  # values of one solution


class QueryAsk(NamedTuple):
    """One ask: the clauses that are new since the last one, and the assumptions."""

    clauses: list[list[int]]
    assumptions: list[int]


@dataclass(frozen=True, eq=False)
class QueryScript:
    """Clauses and asks in turn.

    clauses      int32[...], each ended by 0          variables    of the script: 1 to this number
    before       int32[asks], the number of clauses that are added before each ask, ascending
    assumptions  int32[...], those of each ask, ended by 0
    """

    variables: int
    clauses: IntArray
    before: IntArray
    assumptions: IntArray
    maximise: ClassVar[bool] = True
    kind: ClassVar[str] = "queries"

    @classmethod
    def of(cls, asks: Iterable[QueryAsk], variables: int = 0) -> Self:
        """Return the script of asks; `variables` is the least number of variables."""
        asks = list(asks)
        clauses = [p for ask in asks for row in ask.clauses for p in (*row, 0)]
        assumed = [p for ask in asks for p in (*ask.assumptions, 0)]
        top = max(map(abs, (*clauses, *assumed)), default=0)
        before = np.cumsum([len(ask.clauses) for ask in asks], dtype=np.int32)
        return cls(max(variables, top), np.array(clauses, np.int32), before, np.array(assumed, np.int32))

    def __len__(self) -> int:
        return len(self.before)

    @cached_property
    def asks(self) -> list[QueryAsk]:
        """The asks, in order."""
        rows, ends = split_clauses(self.clauses), self.before.tolist()
        return [
            QueryAsk(rows[start:end], assumed)
            for start, end, assumed in zip([0, *ends], ends, split_clauses(self.assumptions), strict=False)
        ]

    def check(self, problem: Problem) -> None:
        for flat in (self.clauses, self.assumptions):
            check_array(flat, -self.variables, self.variables)
            if len(flat) and flat[-1] != 0:
                raise ValueError("a query script has a clause or assumptions without an end")
        check_array(self.before, 0, int(np.count_nonzero(self.clauses == 0)))
        if np.count_nonzero(self.assumptions == 0) != len(self) or (np.diff(self.before) < 0).any():
            raise ValueError("the asks of a query script and their clauses do not fit together")
        if len(problem.variables) != len(self) * self.variables:
            raise ValueError("a query script has other asks or variables than its problem")

    def values(self, solutions: Solutions, problem: Problem) -> Exact:
        return np.array([-int(np.count_nonzero(self.satisfied(solution))) for solution in solutions], np.int64)

    def satisfied(self, solution: Sequence[int] | Solutions) -> BoolArray:
        """Return bool[asks]: True where the model of an ask, or of the next ask that has one, satisfies the ask.

        Clauses are never taken back, so a later model satisfies all clauses of an ask.
        """
        models = np.asarray(solution).reshape(len(self), self.variables).astype(np.bool_)
        found = np.zeros(len(self), np.bool_)
        ends = np.flatnonzero(self.clauses == 0)
        filled, starts = np.diff(ends, prepend=-1) > 1, np.concatenate([[0], ends + 1])
        next_model: BoolArray | None = None
        for i in reversed(range(len(self))):
            n = int(self.before[i])
            assumed = all(models[i, abs(p) - 1] == (p > 0) for p in self.asks[i].assumptions)
            found[i] = assumed and bool(filled[:n].all()) and holds(self.clauses[: starts[n]], starts[:n], models[i])
            if found[i]:
                next_model = models[i]
            elif next_model is not None:
                found[i] = all(next_model[abs(p) - 1] == (p > 0) for p in self.asks[i].assumptions)
        return found

    def bounds(self, domains: Domains, problem: Problem) -> tuple[int, int]:
        return -len(self), 0

    def words(self, problem: Problem) -> str:
        return f"satisfiable asks of {len(self)}"

    def data(self) -> dict[str, Any]:
        parts = {"clauses": self.clauses, "before": self.before, "assumptions": self.assumptions}
        return {"maximise": True, "variables": self.variables, **parts}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        clauses, before, assumptions = (
            np.asarray(data[key]).astype(np.int32) for key in ("clauses", "before", "assumptions")
        )
        return cls(int(data["variables"]), clauses, before, assumptions)


def holds(flat: IntArray, starts: IntArray, model: BoolArray) -> bool:
    """Return True if a model makes clauses true, none of which is empty; `starts` are their first places in `flat`."""
    if not len(starts):
        return True
    true = (flat != 0) & (model[np.abs(flat) - 1] == (flat > 0))
    return bool(np.logical_or.reduceat(true, starts).all())


KIND = QueryScript
