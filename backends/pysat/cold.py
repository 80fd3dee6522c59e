"""Cold sessions: a fresh solver object per ask, loaded with clauses that are built once.

The puzzle's unit clauses are loaded first, so that solvers drop satisfied clauses while loading. A blocking clause
forbids the last solution before the next is searched; a solver that is not incremental is created anew with it.
"""

from collections.abc import Mapping
from time import perf_counter_ns as now

from backends.contract.answer import Answer, Ask
from backends.contract.options import Value
from backends.pysat.handle import Clause, SolverHandle, clauses_of
from backends.pysat.solvers import Capabilities
from backends.shared.enumeration import enumerate_solutions
from backends.shared.literal_map import literal_map
from encoders.formula import Cnf
from puzzles.problem.values import Domains


class UnitClauses(dict[int, Clause]):
    """Unit clauses by literal, each made once."""

    def __missing__(self, literal: int) -> Clause:
        return self.setdefault(literal, [literal])


class ColdSession:
    """One formula, a fresh solver object per ask."""

    def __init__(self, name: str, features: Capabilities, formula: Cnf, parameters: Mapping[str, Value]) -> None:
        self.name, self.features, self.at_most, self.parameters = name, features, formula.at_most, parameters
        self.clauses = clauses_of(formula)
        self.literals = literal_map(formula.literal)
        self.unit = UnitClauses()

    def unit_clauses(self, domains: Domains) -> list[Clause]:
        """Return the unit clauses of a puzzle."""
        return [self.unit[x] for x in self.literals.true(domains)]

    def new_handle(self, units: list[Clause], proof: bool) -> SolverHandle:
        handle = SolverHandle(self.name, self.features, self.parameters, proof)
        handle.load(units)
        handle.load(self.clauses, self.at_most)
        return handle

    def ask(self, ask: Ask) -> Answer:
        begin = now()
        proving = ask.proof and self.features.proof
        models = ColdModels(self, self.unit_clauses(ask.domains), proving, begin + int(ask.seconds * 1e9))
        found = enumerate_solutions(models, self.literals, ask, now() - begin)
        handle = models.handle
        counters = handle.counters()
        proof = handle.proof() if proving and found.complete else None
        handle.delete()
        return found.answer(counters, proof)

    def close(self) -> None:
        self.clauses = []


class ColdModels:
    """The models of one ask; `units` are the puzzle's clauses."""

    def __init__(self, session: ColdSession, units: list[Clause], proving: bool, deadline: int) -> None:
        self.session, self.units, self.proving, self.deadline = session, units, proving, deadline
        self.handle = session.new_handle(units, proving)

    def solve(self) -> bool | None:
        return self.handle.solve(self.deadline)

    def model(self) -> list[int]:
        return self.handle.model()

    def forbid(self, clause: Clause) -> None:
        if self.session.features.incremental:
            self.handle.load([clause])
        else:
            self.handle.delete()
            self.units.append(clause)
            self.handle = self.session.new_handle(self.units, self.proving)
