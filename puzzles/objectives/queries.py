"""Satisfiable asks of a query script as what is wanted: the more that models show, the better.

A script adds clauses and asks for models under assumptions, in turn. A solution is made of flags for each ask, first
those of satisfiable ones, then those of unsatisfiable ones, and of a row of the script's variables for each kept ask: a
model, or the variables of a core. Its value is minus the number of kept asks that its models satisfy: a claim of
unsatisfiability is a claim that no solution is better, and a checked model refutes it.

literal  x or -x of variable x, from 1
kept     each `every`-th ask, so that a solution has at most about MAX_CELLS values
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Self

import numpy as np

from puzzles.constraints.checks import check_array
from puzzles.constraints.clauses import IntArray, split_clauses
from puzzles.objectives.asks import AskAnswers, JudgedAsks, QueryAsk, judge_asks
from puzzles.objectives.exact import Exact
from puzzles.problem import BOOLEAN, Problem
from puzzles.problem.arrays import Int8Array, Solutions
from puzzles.problem.values import Domains, Numbered

MAX_CELLS = 1 << 22  # values of one solution
UNKNOWN, SATISFIABLE, UNSATISFIABLE = 0, 1, 2  # expected answers
FOREIGN = 2  # as the flag of an unsatisfiable ask, and no value of a variable: its core has what is not assumed


@dataclass(frozen=True, eq=False)
class QueryScript:
    """Clauses and asks in turn.

    clauses      int32[...], each ended by 0          variables    of the script: 1 to this number
    before       int32[asks], the number of clauses that are added before each ask, ascending
    assumptions  int32[...], those of each ask, ended by 0
    expected     int8[asks], the answers that the application got: UNKNOWN, SATISFIABLE or UNSATISFIABLE
    """

    variables: int
    clauses: IntArray
    before: IntArray
    assumptions: IntArray
    expected: Int8Array
    maximise: ClassVar[bool] = True
    kind: ClassVar[str] = "queries"

    @classmethod
    def of(cls, asks: Iterable[QueryAsk], variables: int = 0, expected: Sequence[int] = ()) -> Self:
        """Return the script of asks; `variables` is the least number of variables."""
        asks = list(asks)
        clauses = [p for ask in asks for row in ask.clauses for p in (*row, 0)]
        assumed = [p for ask in asks for p in (*ask.assumptions, 0)]
        top = max(variables, max(map(abs, clauses), default=0), max(map(abs, assumed), default=0))
        before = np.cumsum([len(ask.clauses) for ask in asks], dtype=np.int32)
        known = np.array(expected or [UNKNOWN] * len(asks), np.int8)
        return cls(top, np.array(clauses, np.int32), before, np.array(assumed, np.int32), known)

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

    @property
    def every(self) -> int:
        """Distance of kept asks."""
        return min(max(1, -(-len(self) * self.variables // MAX_CELLS)), len(self) or 1)

    @property
    def cells(self) -> int:
        """Number of values of a solution."""
        return 2 * len(self) + len(self) // self.every * self.variables

    def check(self, problem: Problem) -> None:
        for flat in (self.clauses, self.assumptions):
            check_array(flat, -self.variables, self.variables)
            if len(flat) and flat[-1] != 0:
                raise ValueError("a query script has a clause or assumptions without an end")
        check_array(self.before, 0, int(np.count_nonzero(self.clauses == 0)))
        check_array(self.expected, UNKNOWN, UNSATISFIABLE)
        ends = int(np.count_nonzero(self.assumptions == 0))
        if ends != len(self) or len(self.expected) != len(self) or (np.diff(self.before) < 0).any():
            raise ValueError("the asks of a query script and their clauses do not fit together")
        if len(problem.variables) != self.cells:
            raise ValueError("a query script has other asks or variables than its problem")

    def values(self, solutions: Solutions, problem: Problem) -> Exact:
        found = [-int(np.count_nonzero(self.judged(solution).satisfied)) for solution in solutions]
        return np.array(found, np.int64)

    def answered(self, solution: Sequence[int] | Solutions) -> AskAnswers:
        """Return the answers that a solution is made of."""
        flags, n = np.asarray(solution) == 1, len(self)
        rows = flags[2 * n :].reshape(n // self.every, self.variables)
        return AskAnswers(flags[:n], flags[n : 2 * n], rows)

    def judged(self, solution: Sequence[int] | Solutions) -> JudgedAsks:
        """Return the judgement of a solution by the script alone."""
        return judged_bytes(self, np.minimum(np.asarray(solution), FOREIGN).astype(np.uint8).tobytes())

    def bounds(self, domains: Domains, problem: Problem) -> tuple[int, int]:
        return -(len(self) // self.every), 0

    def words(self, problem: Problem) -> str:
        return f"satisfiable asks of {len(self) // self.every}"

    def data(self) -> dict[str, Any]:
        parts = {"clauses": self.clauses, "before": self.before, "assumptions": self.assumptions}
        return {"maximise": True, "variables": self.variables, **parts, "expected": self.expected}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        clauses, before, assumptions = (
            np.asarray(data[key]).astype(np.int32) for key in ("clauses", "before", "assumptions")
        )
        return cls(int(data["variables"]), clauses, before, assumptions, np.asarray(data["expected"]).astype(np.int8))


def problem_of(script: QueryScript, name: str) -> Problem:
    """Return the problem whose solutions are the answers to a script."""
    return Problem(name, Numbered("x", script.cells), BOOLEAN, (), objective=script)


@lru_cache(maxsize=4)
def judged_bytes(script: QueryScript, solution: bytes) -> JudgedAsks:
    """Return the judgement of a solution given as one byte for each value."""
    values = np.frombuffer(solution, np.uint8)
    if len(foreign := np.flatnonzero(values == FOREIGN)):
        fault = f"wrong at ask {foreign[0] % len(script) + 1}: its core has a literal that is not assumed"
        return JudgedAsks(np.zeros(0, np.bool_), fault)
    return judge_asks(script.asks, script.answered(values), script.every)


KIND = QueryScript
