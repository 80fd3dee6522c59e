"""Satisfiable asks of a query script as what is wanted: the more that models show, the better.

A script adds clauses and asks for models under assumptions, in turn. A solution is made of flags for each ask, first
those of satisfiable ones, then those of unsatisfiable ones, and of a row of the script's variables for each kept ask: a
model, or the variables of a core. Its value is minus the number of kept asks that its models satisfy: a claim of
unsatisfiability is a claim that no solution is better, and a checked model refutes it.

With soft literals, each of which costs something where it is true, a model of least cost is asked for. Then the value
is less by what the models save, the cost of all soft literals less their own: a cheaper model refutes an optimum too.

A script over a model has its variables, of any values, and its constraints hold at each ask: a row is a solution of it.
Literals are of variables that take 0 and 1.

literal  x or -x of variable x, from 1
kept     each `every`-th ask, so that a solution has at most about MAX_CELLS values
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from puzzles.constraints.checks import check_array
from puzzles.constraints.clauses import IntArray, index_of_one, split_clauses
from puzzles.objectives.asks import AskAnswers, JudgedAsks, QueryAsk, judge_asks
from puzzles.objectives.exact import Exact, numbers_of_values
from puzzles.problem import BOOLEAN, Problem
from puzzles.problem.arrays import Int8Array, Int64Array, Solutions
from puzzles.problem.check import violations
from puzzles.problem.columns import pack, valid, words
from puzzles.problem.values import Domains, Numbered

MAX_CELLS = 1 << 22  # values of one solution
UNKNOWN, SATISFIABLE, UNSATISFIABLE = 0, 1, 2  # expected answers
Array = npt.NDArray[Any]
NONE = np.zeros(0, np.int64)
MOST_SAVED = 1 << 62  # by all models of a script together
FOREIGN = 2  # as the flag of an unsatisfiable ask, and no value of a variable: its core has what is not assumed


@dataclass(frozen=True, eq=False)
class QueryScript:
    """Clauses and asks in turn.

    clauses      int32[...], each ended by 0          variables    of the script: 1 to this number
    before       int32[asks], the number of clauses that are added before each ask, ascending
    assumptions  int32[...], those of each ask, ended by 0
    expected     int8[asks], the answers that the application got: UNKNOWN, SATISFIABLE or UNSATISFIABLE
    soft         int64[...], three numbers for each soft literal: its first ask, from 0, the literal and its cost
    costs        int64[asks] with soft literals, the least costs that the application got, -1 for an unknown one
    model        of whose solutions the rows are, with their domains; None for Booleans alone
    """

    variables: int
    clauses: IntArray
    before: IntArray
    assumptions: IntArray
    expected: Int8Array
    soft: Int64Array = field(default_factory=lambda: NONE)
    costs: Int64Array = field(default_factory=lambda: NONE)
    model: Problem | None = None
    domains: Domains = ()
    maximise: ClassVar[bool] = True
    kind: ClassVar[str] = "queries"

    @classmethod
    def of(
        cls, asks: Iterable[QueryAsk], variables: int = 0, expected: Sequence[int] = (), costs: Sequence[int] = ()
    ) -> Self:
        """Return the script of asks; `variables` is the least number of variables."""
        asks = list(asks)
        clauses = [p for ask in asks for row in ask.clauses for p in (*row, 0)]
        assumed = [p for ask in asks for p in (*ask.assumptions, 0)]
        soft = [n for i, ask in enumerate(asks) for p, cost in ask.soft for n in (i, p, cost)]
        top = max(variables, *(max(map(abs, column), default=0) for column in (clauses, assumed, soft[1::3])))
        before = np.cumsum([len(ask.clauses) for ask in asks], dtype=np.int32)
        known = np.array(expected or [UNKNOWN] * len(asks), np.int8)
        stated = np.array(costs or [-1] * len(asks), np.int64) if soft else NONE
        parts = np.array(clauses, np.int32), before, np.array(assumed, np.int32), known
        return cls(top, *parts, np.array(soft, np.int64), stated)

    def __len__(self) -> int:
        return len(self.before)

    @property
    def weighted(self) -> bool:
        """True if there are soft literals."""
        return len(self.soft) > 0

    @cached_property
    def asks(self) -> list[QueryAsk]:
        """The asks, in order."""
        rows, ends = split_clauses(self.clauses), self.before.tolist()
        soft = [list[tuple[int, int]]() for _ in ends]
        for i, p, cost in self.soft.reshape(-1, 3).tolist():
            soft[i].append((p, cost))
        return [
            QueryAsk(rows[start:end], assumed, tuple(costs))
            for start, end, assumed, costs in zip([0, *ends], ends, split_clauses(self.assumptions), soft, strict=False)
        ]

    @cached_property
    def totals(self) -> list[int]:
        """The cost of all soft literals together, at each ask."""
        costs, found = dict[int, int](), list[int]()
        for ask in self.asks:
            costs |= ask.soft
            found.append(sum(costs.values()) if ask.soft or not found else found[-1])
        return found

    @property
    def every(self) -> int:
        """Distance of kept asks."""
        return min(max(1, -(-len(self) * self.variables // MAX_CELLS)), len(self) or 1)

    @property
    def cells(self) -> int:
        """Number of values of a solution."""
        return 2 * len(self) + len(self) // self.every * self.variables

    def check(self, problem: Problem) -> None:
        if self.model is not None:
            if len(self.model.variables) != self.variables or len(self.domains) != self.variables or self.model.ranged:
                raise ValueError("the model of a query script has other variables")
            if not all(0 <= mask <= self.model.full for mask in self.domains):
                raise ValueError("the model of a query script has other values")
            for constraint in self.model.constraints:
                constraint.check(self.model)
        for flat in (self.clauses, self.assumptions):
            check_array(flat, -self.variables, self.variables)
            if len(flat) and flat[-1] != 0:
                raise ValueError("a query script has a clause or assumptions without an end")
        check_array(self.before, 0, int(np.count_nonzero(self.clauses == 0)))
        check_array(self.expected, UNKNOWN, UNSATISFIABLE)
        ends = int(np.count_nonzero(self.assumptions == 0))
        if ends != len(self) or len(self.expected) != len(self) or (np.diff(self.before) < 0).any():
            raise ValueError("the asks of a query script and their clauses do not fit together")
        check_array(self.soft, -MOST_SAVED, MOST_SAVED)
        check_array(self.costs, -1, MOST_SAVED)
        asks, literals, costs = self.soft[::3], np.abs(self.soft[1::3]), self.soft[2::3]
        if len(self.soft) % 3 or len(self.costs) != (len(self) if self.weighted else 0):
            raise ValueError("the soft literals of a query script and their costs do not fit together")
        check_array(asks, 0, len(self) - 1)
        check_array(literals, 1, self.variables)
        check_array(costs, 0, MOST_SAVED)
        if len(self) + sum(self.totals) > MOST_SAVED:
            raise ValueError("the costs of a query script are too large")
        if len(problem.variables) != self.cells:
            raise ValueError("a query script has other asks or variables than its problem")

    def values(self, solutions: Solutions, problem: Problem) -> Exact:
        found = [-int(self.judged(solution).saved.sum()) for solution in solutions]
        return np.array(found, np.int64)

    def answered(self, solution: Sequence[int] | Solutions) -> AskAnswers:
        """Return the answers that a solution is made of."""
        values, n = np.asarray(solution), len(self)
        rows = values[2 * n :].reshape(n // self.every, self.variables)
        return AskAnswers(values[:n] == 1, values[n : 2 * n] == 1, rows == self.true)

    @cached_property
    def true(self) -> int:
        """The value of a true variable in a row; another than that of 0 if no variable can be true."""
        if self.model is None or (one := index_of_one(self.model)) == len(self.model.values):
            return int(self.model is None or numbers_of_values(self.model)[0] == 0)
        return one

    def invalid(self, solution: Solutions) -> dict[int, str]:
        """Return the kept asks, from 0, whose model is no solution of the script's model, with the reason."""
        if self.model is None:
            return {}
        claimed = np.flatnonzero(self.answered(solution).satisfiable[self.every - 1 :: self.every])
        rows = solution[2 * len(self) :].reshape(-1, self.variables)[claimed]
        domains = np.broadcast_to(pack(self.model, [self.domains]), (len(rows), self.variables, words(self.model)))
        wrong = zip(claimed.tolist(), rows, valid(self.model, domains, rows), strict=True)
        return {k: violations(self.model, self.domains, row.tolist())[0] for k, row, right in wrong if not right}

    def judged(self, solution: Sequence[int] | Solutions) -> JudgedAsks:
        """Return the judgement of a solution by the script alone."""
        return judged_bytes(self, np.asarray(solution).astype(self.kind_of_values).tobytes())

    @property
    def kind_of_values(self) -> type[np.unsignedinteger[Any]]:
        """The type that holds a value of a solution."""
        return np.uint8 if self.model is None else np.uint32

    @property
    def claimed(self) -> Array:
        """The answers of the application, as `claims` has those of solutions."""
        if not self.weighted:
            return np.array([-1, 1, 0], np.int8)[self.expected]
        saved = np.where(self.costs < 0, -1, 1 + np.array(self.totals) - self.costs)
        return np.where(self.expected == SATISFIABLE, saved, np.where(self.expected == UNSATISFIABLE, 0, -1))

    def claims(self, solution: Sequence[int] | Solutions) -> Array:
        """Return what the answer to each ask saves: 0 of an unsatisfiable one, -1 of one without an answer or a row.

        int64[asks], or int8[asks] without soft literals.
        """
        answered, saved = self.answered(solution), self.judged(solution).saved
        found = np.where(answered.satisfiable, -1 if self.weighted else 1, np.where(answered.unsatisfiable, 0, -1))
        kept = slice(self.every - 1, None, self.every)
        found[kept] = np.where(answered.satisfiable[kept], saved, found[kept])
        return found.astype(np.int64 if self.weighted else np.int8)

    def bounds(self, domains: Domains, problem: Problem) -> tuple[int, int]:
        return -sum(1 + total for total in self.totals[self.every - 1 :: self.every]), 0

    def words(self, problem: Problem) -> str:
        return f"satisfiable asks of {len(self) // self.every}" + ", and costs that their models save" * self.weighted

    def data(self) -> dict[str, Any]:
        parts = {"clauses": self.clauses, "before": self.before, "assumptions": self.assumptions}
        soft: dict[str, Any] = {"soft": self.soft, "costs": self.costs} if self.weighted else {}
        if self.model is not None:
            soft |= {"model": self.model.content(), "domains": [f"{mask:x}" for mask in self.domains]}
        return {"maximise": True, "variables": self.variables, **parts, "expected": self.expected, **soft}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        clauses, before, assumptions = (
            np.asarray(data[key]).astype(np.int32) for key in ("clauses", "before", "assumptions")
        )
        expected = np.asarray(data["expected"]).astype(np.int8)
        soft, costs = (np.asarray(data.get(key, NONE)).astype(np.int64) for key in ("soft", "costs"))
        domains = tuple(int(mask, 16) for mask in data.get("domains", ()))
        parts = clauses, before, assumptions, expected, soft, costs, data.get("model"), domains
        return cls(int(data["variables"]), *parts)


def problem_of(script: QueryScript, name: str) -> Problem:
    """Return the problem whose solutions are the answers to a script."""
    values = BOOLEAN if script.model is None else script.model.values
    return Problem(name, Numbered("x", script.cells), values, (), objective=script)


@lru_cache(maxsize=4)
def judged_bytes(script: QueryScript, solution: bytes) -> JudgedAsks:
    """Return the judgement of a solution given as one byte for each value."""
    values: Solutions = np.frombuffer(solution, script.kind_of_values)
    if len(foreign := np.flatnonzero(values[: 2 * len(script)] >= FOREIGN)):
        fault = f"wrong at ask {foreign[0] % len(script) + 1}: its core has a literal that is not assumed"
        return JudgedAsks(np.zeros(len(script) // script.every, np.int64), fault)
    return judge_asks(script.asks, script.answered(values), script.every, script.invalid(values))


KIND = QueryScript
