"""The best solution of a search so far, with its exact value, and the greatest lower bound; both are reported.

Values are computed from the solutions, in integers, whatever the solver says that they are.
"""

from collections.abc import Callable, Mapping
from threading import Lock
from types import MappingProxyType

import numpy as np

from backends.contract.answer import Answer, Ask, Phases, Reason, Status
from encoders.formula import Constraints, Wcnf
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import BOOLEAN, Problem
from puzzles.problem.values import IntegerRange, Integers, Numbered, Solution

NO_COUNTERS: Mapping[str, int] = MappingProxyType({})


class Incumbent:
    """Best solution of one ask; solvers may offer solutions and bounds from several threads."""

    def __init__(self, ask: Ask) -> None:
        self.ask, self.lock = ask, Lock()
        self.solution: Solution | None = None
        self.value: int | None = None
        self.bound: int | None = None

    def offer(self, solution: Solution, value: int) -> None:
        """Keep and report a solution if it is better than those before."""
        with self.lock:
            if self.value is None or value < self.value:
                self.solution, self.value = solution, value
                self.ask.improved(value, solution)

    def raise_bound(self, bound: int) -> None:
        """Keep and report a value below which no solution is, if it is greater than those before."""
        with self.lock:
            if self.bound is None or bound > self.bound:
                self.bound = bound
                self.ask.bounded(bound)

    def answer(
        self,
        complete: bool,
        counters: Mapping[str, int] = NO_COUNTERS,
        phases: Phases | None = None,
        reason: Reason = Reason.TIMEOUT,
        note: str = "",
    ) -> Answer:
        """Return the answer of a search that ended; `reason` and `note` say why if it is not `complete`."""
        if complete:
            reason, note = Reason.NONE, ""
        if self.solution is None or self.value is None:
            status = Status.UNSATISFIABLE if complete else Status.UNKNOWN
            bound = None if complete else self.bound
            return Answer(status, (), complete, reason, counters, phases, note=note, bound=bound)
        if complete:
            self.raise_bound(self.value)
        found, best = Status.SATISFIABLE, (self.solution,)
        return Answer(found, best, complete, reason, counters, phases, None, note, self.value, self.bound)


def value_of_solutions(form: Constraints) -> Callable[[Solution], int]:
    """Return the function that evaluates the objective of a problem, exactly."""
    goal, problem = form.objective, bare_problem(form)
    assert goal is not None

    def value(solution: Solution) -> int:
        return int(goal.values(np.array([solution], np.uint64), problem)[0])

    return value


def bare_problem(form: Constraints) -> Problem:
    """Return the variables and values of constraints, as objectives take them."""
    values = (IntegerRange if form.ranged else Integers)(form.numbers)
    return Problem("", Numbered("x", form.variables), values, ())


def value_of_models(form: Wcnf) -> Callable[[list[int]], int]:
    """Return the function that evaluates models exactly: a variable that a model leaves out is false."""
    soft, variables = SoftClauses(form.weights, form.soft), form.hard.variables
    problem = Problem("", Numbered("x", variables), BOOLEAN, ())

    def value(model: list[int]) -> int:
        literals = np.array(model, np.int64)
        assigned = np.zeros(variables + 1, np.uint32)
        assigned[literals[(literals > 0) & (literals <= variables)]] = 1
        return form.offset + int(soft.values(assigned[np.newaxis, 1:], problem)[0])

    return value
