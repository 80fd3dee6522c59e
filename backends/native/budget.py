"""Limits and counters of a search, and the resulting answer, for the Python solvers of this package.

A search is a generator of solutions that reports to its budget:

    budget.open_branches += k  k more branches are open
    budget.enter_branch()      one of them is entered; False if time or nodes are used up: the search must return
    budget.out_of_time()       the same check for time alone, for long work between branchings

The search is complete exactly when no branch is open, so completeness needs no further search.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import perf_counter_ns
from typing import Generic, TypeVar

from backends.contract.answer import Answer, Ask, InMemory, Phases, Reason, Status
from backends.native.board import LayoutTables, board
from encoders.formula import AllDifferent, Formula, Unsupported
from puzzles.problem.values import Domains, Solution


@dataclass
class Budget:
    """Limits and counters of one ask. `exhausted`: a limit was reached; `stuck`: deduction ended open."""

    ask: Ask
    decisions: int = 0
    conflicts: int = 0
    propagations: int = 0
    open_branches: int = 0
    exhausted: bool = False
    stuck: bool = False
    started: int = field(default_factory=perf_counter_ns)

    def enter_branch(self) -> bool:
        """Enter an open branch. False if the budget is used up."""
        if self.decisions == self.ask.nodes or self.out_of_time():
            self.exhausted = True
            return False
        self.decisions += 1
        self.open_branches -= 1
        return True

    def out_of_time(self) -> bool:
        """Return True if the time limit has passed."""
        self.exhausted = self.exhausted or perf_counter_ns() - self.started > self.ask.seconds * 1e9
        return self.exhausted

    @property
    def counters(self) -> dict[str, int]:
        return {"decisions": self.decisions, "conflicts": self.conflicts, "propagations": self.propagations}

    def answer(self, solutions: Iterator[Solution]) -> Answer:
        """Collect solutions until the count is reached, the search ends or the budget is used up."""
        found: list[Solution] = []
        for solution in solutions:
            found.append(solution)
            if len(found) >= self.ask.count:
                break
        enough = len(found) >= self.ask.count
        undecided = (self.exhausted or self.stuck) and not enough
        complete = self.open_branches == 0 and not undecided
        without = Status.UNKNOWN if undecided else Status.UNSATISFIABLE
        status = Status.SATISFIABLE if found else without
        reason = Reason.NONE if not undecided else Reason.STUCK if self.stuck else Reason.TIMEOUT
        phases = Phases(solve=perf_counter_ns() - self.started)
        return Answer(status, tuple(found), complete, reason, self.counters, phases)


Model = TypeVar("Model")  # model that a search reads: LayoutTables, or propagators
Search = Callable[[Model, Domains, Budget], Iterator[Solution]]


@dataclass(frozen=True)
class SearchSession(InMemory, Generic[Model]):
    """Session of a search function; it keeps no state."""

    model: Model
    search: Search[Model]

    def ask(self, ask: Ask) -> Answer:
        budget = Budget(ask)
        return budget.answer(self.search(self.model, ask.domains, budget))


def search_session(formula: Formula, search: Search[LayoutTables]) -> SearchSession[LayoutTables]:
    """Return a session of a search function. Raises Unsupported unless the formula is AllDifferent."""
    if not isinstance(formula, AllDifferent):
        raise Unsupported(f"native solvers take AllDifferent, not {type(formula).__name__}")
    return SearchSession(board(formula), search)
