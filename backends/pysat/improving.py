"""Sessions of linear search: each model is improved on by clauses that bound the sum, until there is no better one."""

from collections.abc import Mapping
from time import perf_counter_ns as now

import numpy as np

from backends.contract.answer import Answer, Ask, Phases, Reason
from backends.contract.options import Value
from backends.pysat.handle import SolverHandle, clauses_of, compact_clauses, solvers
from backends.pysat.solvers import Capabilities
from backends.shared.enumeration import improve_solutions
from backends.shared.incumbent import Incumbent, value_of_models
from backends.shared.literal_map import literal_map
from encoders.cost_bounds import CostBounds
from encoders.formula import Wcnf
from encoders.integers import TooLarge

solvers()  # imported now, before an ask


class LinearSession:
    """One formula with an objective."""

    def __init__(self, name: str, features: Capabilities, formula: Wcnf, parameters: Mapping[str, Value]) -> None:
        self.name, self.features, self.formula, self.parameters = name, features, formula, parameters
        self.clauses, self.literals = clauses_of(formula.hard), literal_map(formula.hard.literal)

    def ask(self, ask: Ask) -> Answer:
        begin = now()
        found, value_of = Incumbent(ask), value_of_models(self.formula)
        models = ImprovedModels(self, ask, begin + int(ask.seconds * 1e9))
        loaded = now()

        def show(model: list[int]) -> int:
            value = value_of(model)
            found.offer(self.literals.decode(model, ask.domains), value)
            return value

        reason, note = Reason.TIMEOUT, ""
        complete: bool | None = None
        try:
            complete = improve_solutions(models, show)
        except TooLarge as e:
            reason, note = Reason.STUCK, f"the bound of the objective is too large: {e}"
        phases = Phases(0, loaded - begin, now() - loaded)
        counters: Mapping[str, int] = models.handle.counters()
        models.handle.delete()
        return found.answer(complete is True, counters, phases, reason, note)

    def close(self) -> None:
        self.clauses = []


class ImprovedModels:
    """The models of one ask, each better than the last, an ImprovableSource."""

    def __init__(self, session: LinearSession, ask: Ask, deadline: int) -> None:
        self.sum, self.deadline = CostBounds(session.formula), deadline
        self.handle = SolverHandle(session.name, session.features, session.parameters)
        self.handle.load([[x] for x in session.literals.true(ask.domains)])
        self.handle.load(session.clauses)
        self.handle.load(compact_clauses(self.sum.clauses))
        self.handle.solver.set_phases(self.sum.wanted)
        self.dead = False

    def solve(self) -> bool | None:
        return False if self.dead else None if now() >= self.deadline else self.handle.solve(self.deadline)

    def model(self) -> list[int]:
        return self.handle.model()

    def forbid(self, clause: list[int]) -> None:
        self.handle.load([clause])

    def improve(self, value: int) -> None:
        clauses = self.sum.at_most(value - 1)
        ends = np.flatnonzero(clauses == 0)
        self.dead = bool((np.diff(ends, prepend=-1) == 1).any())  # an empty clause: no model is better
        if not self.dead:
            self.handle.load(compact_clauses(clauses))
