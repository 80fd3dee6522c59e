"""Session of the solver: a fresh one per ask, loaded with the domains and the formula."""

from dataclasses import dataclass
from functools import cached_property
from time import perf_counter_ns as now

from backends.contract.answer import Answer, Ask, InMemory, Session
from backends.counters import CountSession
from backends.native.cdcl.counting import count
from backends.native.cdcl.models import CdclModels, compile_kernels
from backends.native.cdcl.optimising import Weighing
from backends.native.cdcl.rules import ClausesAndRules
from backends.shared.enumeration import enumerate_solutions
from backends.shared.literal_map import LiteralMap, literal_map
from encoders.formula import Cnf, CountedCnf, Formula, Unsupported, Wcnf, kinds_of


@dataclass(frozen=True)
class Clausal(InMemory):
    """One formula, a fresh solver per ask."""

    formula: Cnf

    @cached_property
    def literals(self) -> LiteralMap:
        return literal_map(self.formula.literal)

    def ask(self, ask: Ask) -> Answer:
        begin = now()
        program = ClausesAndRules(self.formula.clauses, self.formula.variables)
        models = CdclModels(program, self.literals.true(ask.domains), ask.seconds, ask.proof, eliminating=True)
        found = enumerate_solutions(models, self.literals, ask, now() - begin)
        proof = models.proof() if ask.proof and found.complete else None
        return found.answer(models.counters(), proof)


def open(formula: Formula) -> Session:  # noqa: A001 - every variant's module has this name
    """Return a session on clauses; its code is compiled now or loaded from the cache. Raises Unsupported."""
    clauses = formula.hard if isinstance(formula, Wcnf) else formula.cnf if isinstance(formula, CountedCnf) else formula
    if not isinstance(clauses, Cnf):
        raise Unsupported(f"native:cdcl takes clauses, not {kinds_of(formula)}")
    if clauses.at_most:
        raise Unsupported("native:cdcl takes no cardinality constraints")
    compile_kernels()
    if isinstance(formula, CountedCnf):
        return CountSession(formula, count, {})
    return Weighing(formula) if isinstance(formula, Wcnf) else Clausal(clauses)
