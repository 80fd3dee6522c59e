"""MaxSAT algorithms of python-sat, unchanged, with reported progress and watched solver calls.

A call that was interrupted ends the algorithm at once, by OutOfTime: the code of python-sat goes on, and may take an
interrupted call of a heuristic for a proof.

    model  literals that are true in a solution of the hard clauses
    cost   of broken soft clauses: no solution has less
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from time import perf_counter_ns as now
from typing import Any, NamedTuple

from backends.contract.options import Value
from backends.pysat.handle import solvers
from backends.shared.watchdog import WATCHDOG

solvers()  # without pycryptosat, which the algorithms' own import would load
RC2, LSU, FM = (import_module(f"pysat.examples.{name}") for name in ("rc2", "lsu", "fm"))


class OutOfTime(Exception):
    """The deadline has passed."""


class Progress(NamedTuple):
    """Deadline, in ns of the clock `now`, and receivers of models and costs."""

    deadline: int
    model: Callable[[list[int]], None]
    cost: Callable[[int], None]

    def watch(self, oracle: Any) -> None:
        """Make the calls of a SAT solver end at the deadline, by OutOfTime; its budgets hold."""
        search = oracle.solve_limited

        def watched(assumptions: Any = (), expect_interrupt: bool = True) -> bool | None:
            if now() >= self.deadline:
                raise OutOfTime
            with WATCHDOG.watching(self.deadline, oracle.interrupt):
                found: bool | None = search(assumptions=assumptions, expect_interrupt=True)
            oracle.clear_interrupt()
            if found is None and now() >= self.deadline:
                raise OutOfTime
            return found

        oracle.solve_limited = oracle.solve = watched


class Costs:
    """Algorithm whose `cost` is a lower bound whenever it is set."""

    progress: Progress | None = None

    @property
    def cost(self) -> int:
        return self.known_cost

    @cost.setter
    def cost(self, cost: int) -> None:
        self.known_cost = cost
        if self.progress:
            self.progress.cost(cost)


class Rc2(Costs, RC2.RC2):  # type: ignore[misc, name-defined]
    """RC2: the cost so far is a lower bound, and the one model that it finds is the best."""

    def __init__(self, formula: Any, options: Mapping[str, Value], progress: Progress) -> None:
        super().__init__(formula, **options)
        self.start(progress)

    def start(self, progress: Progress) -> None:
        self.progress = progress
        progress.watch(self.oracle)

    def compute_(self) -> bool | None:
        found: bool | None = super().compute_()
        if found and self.progress:
            self.progress.model(self.oracle.get_model() or [])
        return found

    def run(self) -> None:
        self.compute(expect_interrupt=True)


class Rc2Stratified(Rc2, RC2.RC2Stratified):  # type: ignore[misc, name-defined]
    """RC2 by levels of weights, which reports the model of each level; without soft clauses there is no level."""

    def run(self) -> None:
        if self.blop:
            self.compute(expect_interrupt=True)
        else:
            self.expect_interrupt = True
            self.compute_()


class LinearSearch(LSU.LSU):  # type: ignore[misc, name-defined]
    """Linear search, which tells its models."""

    def __init__(self, formula: Any, options: Mapping[str, Value], progress: Progress) -> None:
        super().__init__(formula, expect_interrupt=True, **options)
        self.progress = progress
        progress.watch(self.oracle)

    def _get_model_cost(self, formula: Any, model: list[int]) -> Any:
        self.progress.model(model)
        return super()._get_model_cost(formula, model)

    def run(self) -> None:
        self.solve()


class FuMalik(Costs, FM.FM):  # type: ignore[misc, name-defined]
    """Fu and Malik's algorithm, which tells its costs and its only model; it makes a new SAT solver for each core."""

    def __init__(self, formula: Any, options: Mapping[str, Value], progress: Progress) -> None:
        self.goal = progress
        super().__init__(formula, verbose=0, **options)
        self.progress = progress

    def init(self, with_soft: bool = True) -> None:
        super().init(with_soft)
        self.goal.watch(self.oracle)

    def run(self) -> None:
        if self.compute():
            self.goal.model(self.model)


ALGORITHMS: Mapping[str, Any] = {"rc2": Rc2, "rc2-stratified": Rc2Stratified, "lsu": LinearSearch, "fm": FuMalik}
