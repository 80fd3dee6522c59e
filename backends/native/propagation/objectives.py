"""Branch and bound: an objective as a propagator, "less than the best value so far", which each solution tightens.

linear      bounds of its terms
soft        a clause that costs too much to be broken is a clause that holds
expression  bounds, passed down its tree; a sum of variables is linear
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf
from time import perf_counter_ns

from backends.contract.answer import Answer, Ask, InMemory, Phases
from backends.native.budget import Budget
from backends.native.propagation.different import propagate_clause
from backends.native.propagation.expressions import linear_form
from backends.native.propagation.linear import Terms, propagate_at_most
from backends.native.propagation.narrowing import narrow
from backends.native.propagation.search import PropagatorModel, search
from backends.native.propagation.store import Propagator, Scale, Store, watching
from backends.shared.incumbent import Incumbent, bare_problem, value_of_solutions
from encoders.formula import Constraints
from puzzles.constraints.expression import Tree, variables_of
from puzzles.constraints.linear import merged
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import Objective

Literals = Sequence[tuple[int, int]]  # variables, and the values that make a clause true


@dataclass
class Ceiling:
    """Greatest value that is still wanted; infinite before the first solution."""

    most: float = inf


def below(objective: Objective, scale: Scale, ceiling: Ceiling) -> Propagator:
    """Return the propagator of: the objective is at most the ceiling."""
    if isinstance(objective, LinearObjective):
        return at_most(objective.terms, objective.offset, ceiling)
    if isinstance(objective, SoftClauses):
        return few_broken(objective, scale, ceiling)
    assert isinstance(objective, ExpressionObjective)
    if form := linear_form(objective.tree):
        return at_most(*form, ceiling)
    return watching(propagate_expression, (objective.tree, ceiling), variables_of(objective.tree))


def at_most(given: Terms, offset: int, ceiling: Ceiling) -> Propagator:
    terms = merged(given)
    return watching(propagate_sum, ([(a, x) for x, a in terms.items()], offset, ceiling), terms)


def propagate_sum(store: Store, row: tuple[Terms, int, Ceiling]) -> bool:
    terms, offset, ceiling = row
    return ceiling.most == inf or propagate_at_most(store, (terms, int(ceiling.most) - offset))


def few_broken(objective: SoftClauses, scale: Scale, ceiling: Ceiling) -> Propagator:
    true = scale.just(1)
    clauses = [
        (weight, [(abs(p) - 1, true if p > 0 else scale.full ^ true) for p in clause])
        for weight, clause in objective.rows
    ]
    return watching(propagate_soft, (clauses, ceiling), [x for _, clause in clauses for x, _ in clause])


def propagate_soft(store: Store, row: tuple[list[tuple[int, Literals]], Ceiling]) -> bool:
    """Keep clauses true that cost more than the broken ones leave of the ceiling."""
    clauses, ceiling = row
    if ceiling.most == inf:
        return True
    spare = int(ceiling.most)
    for weight, clause in clauses:
        if not any(store.domains[x] & mask for x, mask in clause):
            spare -= weight
            if spare < 0:
                return False
    return all(
        propagate_clause(store, list(clause))
        for weight, clause in clauses
        if weight > spare and any(store.domains[x] & mask for x, mask in clause)
    )


def propagate_expression(store: Store, row: tuple[Tree, Ceiling]) -> bool:
    tree, ceiling = row
    return ceiling.most == inf or narrow(store, tree, -inf, ceiling.most)


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
