"""Session on clauses with an objective: each ask is a search for the best model with a fresh solver."""

from dataclasses import dataclass
from functools import cached_property
from time import perf_counter_ns as now

import numpy as np

from backends.contract.answer import Answer, Ask, Phases
from backends.native.cdcl.models import CdclModels
from backends.native.cdcl.rules import LARGEST_SUM, NO_GROUPS, NO_SUMS, ClausesAndRules, Sums, internal
from backends.native.optimising.objective import Cost
from backends.native.optimising.optimum import Optimum
from backends.native.optimising.search import optimise
from backends.shared.incumbent import Incumbent, value_of_models
from backends.shared.literal_map import LiteralMap
from encoders.formula import Wcnf


@dataclass(frozen=True)
class Weighing:
    """One formula with an objective, a fresh solver per ask."""

    formula: Wcnf

    @cached_property
    def literals(self) -> LiteralMap:
        return LiteralMap(self.formula.hard.literal)

    def ask(self, ask: Ask) -> Answer:
        begin = now()
        found, value_of = Incumbent(ask), value_of_models(self.formula)
        cost, program = softened(self.formula)
        units = self.literals.true(ask.domains)
        models = CdclModels(program, units, ask.seconds - (now() - begin) / 1e9, False)
        first, total = cost.lower, sum(cost.weights.values())

        def show(model: list[int]) -> None:
            if found.value is None or value_of(model) < found.value:
                found.offer(self.literals.decode(model, ask.domains), value_of(model))

        def limit(value: int | None) -> None:
            models.loosen(0, total if value is None else value - 1 - first)

        loaded = now()
        complete = optimise(Optimum(models, found, show, limit if len(program.sums.whole) else None), cost)
        return found.answer(complete, models.counters(), Phases(0, loaded - begin, now() - loaded))

    def close(self) -> None:
        """Do nothing: the session holds only memory."""


def softened(formula: Wcnf) -> tuple[Cost, ClausesAndRules]:
    """Return the cost of soft literals, and the input of the solver, with a row for the cost if it is small enough.

    A soft clause of several literals gets one of its own, from which it follows.
    """
    own: dict[tuple[int, ...], int] = {}
    soft, clauses, variables, offset = list[tuple[int, int]](), list[int](), formula.hard.variables, formula.offset
    for weight, row in formula.soft_rows():
        key = tuple(sorted(set(row)))
        if not key:
            offset += weight
        elif len(key) == 1:
            soft.append((key[0], weight))
        elif not any(-x in key for x in key if x > 0):
            if key not in own:
                variables += 1
                own[key] = variables
                clauses += (*key, -variables, 0)
            soft.append((own[key], weight))
    cost = Cost.of(soft, offset)
    flat = np.concatenate([formula.hard.clauses, np.array(clauses, np.int32)])
    return cost, ClausesAndRules(flat, variables, NO_GROUPS, row_of(cost.weights))


def row_of(weights: dict[int, int]) -> Sums:
    """Return the sum of the weights of literals that are true as a row that holds always; none if it is too large."""
    total = sum(weights.values())
    if not weights or total >= LARGEST_SUM:
        return NO_SUMS
    pairs = sorted(weights.items(), key=lambda pair: -pair[1])
    ends = np.arange(len(pairs) + 1, dtype=np.int32)
    literals, each = (np.array(column) for column in zip(*pairs, strict=True))
    rows = np.array([0, len(pairs)], np.int32)
    return Sums(rows, ends, internal(literals), each.astype(np.int64), np.array([total], np.int64))
