"""Session on clauses with an objective: each ask is a search for the best model with a fresh solver."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from time import perf_counter_ns as now

import numpy as np

from backends.contract.answer import Answer, Ask, InMemory, Phases
from backends.native.cdcl.models import CdclModels
from backends.native.cdcl.objectives import ObjectiveRow, with_objective
from backends.native.cdcl.rules import ClausesAndRules
from backends.native.optimising.events import Event, untold
from backends.native.optimising.objective import Cost
from backends.native.optimising.optimum import Optimum
from backends.native.optimising.proving import OptimumProof, proof_of
from backends.native.optimising.search import optimise
from backends.shared.incumbent import Incumbent, value_of_models
from backends.shared.literal_map import LiteralMap, literal_map
from encoders.formula import Wcnf

Own = dict[tuple[int, ...], int]


@dataclass(frozen=True)
class Weighing(InMemory):
    """One formula with an objective, a fresh solver per ask. `tell` takes the events of a search."""

    formula: Wcnf
    tell: Callable[[Event], None] = untold

    @cached_property
    def literals(self) -> LiteralMap:
        return literal_map(self.formula.hard.literal)

    def ask(self, ask: Ask) -> Answer:
        begin = now()
        found, value_of = Incumbent(ask), value_of_models(self.formula)

        def show(model: list[int]) -> None:
            value = value_of(model)
            if found.value is None or value < found.value:
                found.offer(self.literals.decode(model, ask.domains), value)

        objective, own = softened(self.formula)
        certificate = self.certificate(own) if ask.proof else None
        return best(objective, self.literals.true(ask.domains), found, show, begin, self.tell, certificate)

    def certificate(self, own: Own) -> OptimumProof | None:
        """Return an empty proof, if all variables are Booleans of the problem."""
        hard = self.formula.hard
        names = {abs(row[1]): x if row[1] > 0 else -x for x, row in enumerate(hard.literal, 1) if len(row) == 2}
        if len(names) < hard.variables:
            return None
        return proof_of(names, len(hard.literal), self.formula.soft_rows(), own)


def best(
    objective: ObjectiveRow,
    units: list[int],
    found: Incumbent,
    show: Callable[[list[int]], None],
    begin: int,
    tell: Callable[[Event], None] = untold,
    certificate: OptimumProof | None = None,
) -> Answer:
    """Return the answer of a search for the best model in which `units` are true; `show` offers models.

    A certificate is told the events instead, and becomes the proof of a complete answer.
    """
    cost, program, whole = objective
    models = CdclModels(program, units, found.ask.seconds - (now() - begin) / 1e9, certificate is not None)
    if certificate:
        certificate.begin(models, found)
        tell = certificate.tell
    row, offset = len(program.sums.whole) - 1, cost.lower

    def limit(value: int | None) -> bool:
        if objective.limited:
            models.loosen(row, whole if value is None else value - 1 - offset)
        return objective.limited

    loaded = now()
    complete = optimise(Optimum(models, found, show, limit, tell=tell), cost)
    phases = Phases(0, loaded - begin, now() - loaded)
    answer = found.answer(complete, models.counters(), phases)
    return replace(answer, proof=certificate.end()) if certificate and complete and not models.lost else answer


def softened(formula: Wcnf) -> tuple[ObjectiveRow, Own]:
    """Return the objective of soft literals, and those of longer soft clauses: each implies its clause."""
    cost, own = Cost.of_clauses(formula.soft_rows(), formula.offset, formula.hard.variables)
    clauses = [x for literals, literal in own.items() for x in (*literals, -literal, 0)]
    program = ClausesAndRules(
        np.concatenate([formula.hard.clauses, np.array(clauses, np.int32)]), formula.hard.variables + len(own)
    )
    return with_objective(program, [[pair] for pair in cost.weights.items()], cost.lower), own
