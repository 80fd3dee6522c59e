"""Session on clauses with an objective: each ask is a search for the best model with a fresh solver."""

from collections.abc import Callable
from dataclasses import dataclass
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
from backends.native.optimising.search import optimise
from backends.shared.incumbent import Incumbent, value_of_models
from backends.shared.literal_map import LiteralMap
from encoders.formula import Wcnf


@dataclass(frozen=True)
class Weighing(InMemory):
    """One formula with an objective, a fresh solver per ask. `tell` takes the events of a search."""

    formula: Wcnf
    tell: Callable[[Event], None] = untold

    @cached_property
    def literals(self) -> LiteralMap:
        return LiteralMap(self.formula.hard.literal)

    def ask(self, ask: Ask) -> Answer:
        begin = now()
        found, value_of = Incumbent(ask), value_of_models(self.formula)

        def show(model: list[int]) -> None:
            value = value_of(model)
            if found.value is None or value < found.value:
                found.offer(self.literals.decode(model, ask.domains), value)

        return best(softened(self.formula), self.literals.true(ask.domains), found, show, begin, self.tell)


def best(
    objective: ObjectiveRow,
    units: list[int],
    found: Incumbent,
    show: Callable[[list[int]], None],
    begin: int,
    tell: Callable[[Event], None] = untold,
) -> Answer:
    """Return the answer of a search for the best model in which `units` are true; `show` offers models."""
    cost, program, whole = objective
    models = CdclModels(program, units, found.ask.seconds - (now() - begin) / 1e9, False)
    row, offset = len(program.sums.whole) - 1, cost.lower

    def limit(value: int | None) -> bool:
        if objective.limited:
            models.loosen(row, whole if value is None else value - 1 - offset)
        return objective.limited

    loaded = now()
    complete = optimise(Optimum(models, found, show, limit, tell=tell), cost)
    return found.answer(complete, models.counters(), Phases(0, loaded - begin, now() - loaded))


def softened(formula: Wcnf) -> ObjectiveRow:
    """Return the objective of soft literals. A longer soft clause has its own literal, which implies it."""
    cost, own = Cost.of_clauses(formula.soft_rows(), formula.offset, formula.hard.variables)
    clauses = [x for literals, literal in own.items() for x in (*literals, -literal, 0)]
    program = ClausesAndRules(
        np.concatenate([formula.hard.clauses, np.array(clauses, np.int32)]), formula.hard.variables + len(own)
    )
    return with_objective(program, [[pair] for pair in cost.weights.items()], cost.lower)
