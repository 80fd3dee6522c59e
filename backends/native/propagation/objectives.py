"""Branch and bound: an objective as a propagator, "less than the best value so far", which each solution tightens.

linear      bounds of its terms
soft        a clause that costs too much to be broken is a clause that holds
expression  bounds, passed down its tree; a sum of variables is linear
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import inf
from time import perf_counter_ns

from backends.contract.answer import Answer, Ask, InMemory, Phases
from backends.native.budget import Budget
from backends.native.propagation.different import literals_of, propagate_clause
from backends.native.propagation.expressions import linear_form
from backends.native.propagation.linear import propagate_at_most
from backends.native.propagation.narrowing import narrow
from backends.native.propagation.search import PropagatorModel, search
from backends.native.propagation.store import Mask, Propagator, Scale, Store, watching
from backends.shared.incumbent import Incumbent, bare_problem, value_of_solutions
from encoders.formula import Constraints
from puzzles.constraints.expression import variables_of
from puzzles.constraints.linear import merged
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import Objective


@dataclass
class Ceiling:
    """Greatest value that is still wanted; None before the first solution."""

    most: int | None = None


def below(objective: Objective, scale: Scale, ceiling: Ceiling) -> Propagator:
    """Return the propagator of: the objective is at most the ceiling."""
    bounded, variables = bounded_by(objective, scale)
    return watching(lambda store, _: ceiling.most is None or bounded(store, ceiling.most), None, variables)


def bounded_by(objective: Objective, scale: Scale) -> tuple[Callable[[Store, int], bool], Iterable[int]]:
    """Return the function that bounds the objective by a value, and the variables that it narrows."""
    if isinstance(objective, SoftClauses):
        rows = [(weight, literals_of(clause, scale)) for weight, clause in objective.rows]
        return partial(bound_broken, rows), [x for _, clause in rows for x, _ in clause]
    if isinstance(objective, LinearObjective):
        given, offset = objective.terms, objective.offset
    else:
        assert isinstance(objective, ExpressionObjective)
        tree, form = objective.tree, linear_form(objective.tree)
        if form is None:
            return lambda store, most: narrow(store, tree, -inf, most), variables_of(tree)
        given, offset = form
    terms = [(a, x) for x, a in merged(given).items()]
    return lambda store, most: propagate_at_most(store, (terms, most - offset)), [x for _, x in terms]


def bound_broken(rows: list[tuple[int, list[tuple[int, Mask]]]], store: Store, most: int) -> bool:
    """Keep clauses true that cost more than the broken ones leave of a value."""
    able = [(weight, clause) for weight, clause in rows if any(store.domains[x] & mask for x, mask in clause)]
    spare = most - sum(weight for weight, _ in rows) + sum(weight for weight, _ in able)
    return spare >= 0 and all(propagate_clause(store, clause) for weight, clause in able if weight > spare)


@dataclass(frozen=True)
class BranchAndBound(InMemory):
    """Session on a problem with an objective."""

    formula: Constraints
    scale: Scale
    propagators: Sequence[Propagator] = field(repr=False)

    def ask(self, ask: Ask) -> Answer:
        started = perf_counter_ns()
        objective, ceiling = self.formula.objective, Ceiling()
        assert objective is not None
        found, budget, value_of = Incumbent(ask), Budget(ask), value_of_solutions(self.formula)
        bounding = below(objective, self.scale, ceiling)
        model = PropagatorModel(self.scale, [*self.propagators, bounding], [len(self.propagators)])
        if all(ask.domains):
            found.raise_bound(objective.bounds(ask.domains, bare_problem(self.formula))[0])
        for solution in search(model, ask.domains, budget):
            found.offer(solution, value_of(solution))
            assert found.value is not None
            ceiling.most = found.value - 1
        return found.answer(not budget.exhausted, budget.counters, Phases(solve=perf_counter_ns() - started))
