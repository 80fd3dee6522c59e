"""Warm: one solver object for a layout, the givens as assumptions, what it learned kept from puzzle to puzzle.

Every clause it learns follows from the layout alone, since assumptions are decisions; so it holds for the next puzzle.
Clauses that forbid found solutions belong to one ask: each holds a literal that only this ask assumes, and that is made
false for good after it. The solver is renewed after ASKS asks or CONFLICTS conflicts, whichever comes first, and after
a timeout, so that neither learned clauses nor such literals grow without end.
"""

from dataclasses import dataclass
from time import perf_counter_ns as now

from backends.answer import Answer, Ask
from backends.enumeration import enumerate_solutions
from backends.literal_map import LiteralMap
from backends.pysat import Solver
from backends.pysat.handle import Clause, SolverHandle, clauses_of
from encoders.formula import Cnf

MAX_ASKS = 1_000
MAX_CONFLICTS = 20_000


class WarmSession:
    """One formula and the solver that keeps it."""

    def __init__(self, name: str, features: Solver, formula: Cnf) -> None:
        self.name, self.features, self.formula = name, features, formula
        self.clauses = clauses_of(formula)
        self.literals = LiteralMap(formula.literal)
        self.handle: SolverHandle | None = None
        self.renew()

    def renew(self) -> SolverHandle:
        """A fresh solver with the layout's clauses alone."""
        self.close()
        self.handle = SolverHandle(self.name, self.features)
        self.handle.load(self.clauses, self.formula.at_most)
        self.asks = 0
        self.counters_before = dict.fromkeys(self.features.counters, 0)
        return self.handle

    def ask(self, ask: Ask) -> Answer:
        begin = now()
        deadline = begin + int(ask.seconds * 1e9)
        handle = self.handle
        if handle is None or self.asks >= MAX_ASKS or self.counters_before.get("conflicts", 0) >= MAX_CONFLICTS:
            handle = self.renew()
        self.asks += 1
        activation = self.formula.variables + self.asks
        assumptions = self.literals.true(ask.domains)
        if ask.count > 1:
            assumptions.append(activation)
        models = WarmModels(handle, assumptions, activation, deadline)
        found = enumerate_solutions(models, self.literals, ask, now() - begin)
        if ask.count > 1:
            handle.load([[-activation]])
        return found.answer(self.ask_counters(handle, found.found))

    def ask_counters(self, handle: SolverHandle, found: bool | None) -> dict[str, int]:
        """The counters of this ask alone; a solver that ran out of time is given up."""
        total = handle.counters()
        spent = {name: total[name] - self.counters_before[name] for name in total}
        self.counters_before = total
        if found is None:
            self.close()
        return spent

    def close(self) -> None:
        if self.handle is not None:
            self.handle.delete()
        self.handle = None


@dataclass
class WarmModels:
    """The models of one ask: clauses hold while `active` is assumed."""

    handle: SolverHandle
    assumptions: list[int]
    activation: int
    deadline: int

    def solve(self) -> bool | None:
        return self.handle.solve(self.deadline, self.assumptions)

    def model(self) -> list[int]:
        return self.handle.model()

    def forbid(self, clause: Clause) -> None:
        self.handle.load([[-self.activation, *clause]])
