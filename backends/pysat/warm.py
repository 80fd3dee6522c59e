"""Warm sessions: one solver object per layout, givens as assumptions, learned clauses kept.

Every learned clause follows from the layout alone, since assumptions are decisions, so it is valid for the next puzzle.
Blocking clauses belong to one ask: each holds the negation of an activation literal that only this ask assumes, and
that a unit clause falsifies afterwards. The solver is renewed after MAX_ASKS asks or MAX_CONFLICTS conflicts, whichever
comes first, and after a timeout, which bounds the number of learned clauses and activation literals.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter_ns as now

from backends.contract.answer import Answer, Ask
from backends.contract.options import Value
from backends.pysat.handle import Clause, SolverHandle, clauses_of
from backends.pysat.solvers import Capabilities
from backends.shared.enumeration import enumerate_solutions
from backends.shared.literal_map import literal_map
from encoders.formula import Cnf

MAX_ASKS = 1_000
MAX_CONFLICTS = 20_000


class WarmSession:
    """One formula in one solver object."""

    def __init__(self, name: str, features: Capabilities, formula: Cnf, parameters: Mapping[str, Value]) -> None:
        self.name, self.features, self.formula, self.parameters = name, features, formula, parameters
        self.clauses = clauses_of(formula)
        self.literals = literal_map(formula.literal)
        self.handle: SolverHandle | None = None
        self.renew()

    def renew(self) -> SolverHandle:
        """Replace the solver by a fresh one that holds only the layout's clauses."""
        self.close()
        self.handle = SolverHandle(self.name, self.features, self.parameters)
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
        """Return the counters of this ask alone; discard the solver if it ran out of time."""
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
    """The models of one ask; its blocking clauses hold while `activation` is assumed."""

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
