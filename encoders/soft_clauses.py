"""Objectives as soft clauses over the literals of a formula: one function for each kind of objective.

    3 x1 - 2 x2 over 0 and 1        offset -2; 3 unless not x1; 2 unless x2
    5 z over 1, 2 and 4             offset 5; 5 unless z < 2; 10 unless z < 4

The cost of a term is its value less its least value on the domain, step by step through the domain: one unit clause
raises a bound by a step.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np

from encoders.axes import Axes
from encoders.counting import to_counted
from encoders.direct import constraints
from encoders.formula import Cnf, Constraints, CountedCnf, QueryFormula, Unsupported, Wcnf
from encoders.integers import TooLarge, Variables
from encoders.kinds.expressions import ClauseTrees
from encoders.linear.groups import groups_of
from encoders.lowering import formula_of, lowered, to_clauses
from puzzles.constraints import by_kind
from puzzles.constraints.linear import integers, merged
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.models import ModelCount
from puzzles.objectives.queries import QueryScript
from puzzles.objectives.soft import SoftClauses

MAX_SOFT = 10_000_000  # soft clauses made of the values of variables


def to_weighted_clauses(form: Constraints, axes: Axes) -> Cnf | Wcnf | CountedCnf | QueryFormula:
    """Return constraints as clauses, with soft ones if there is an objective. Raises Unsupported."""
    if form.objective is None:
        return to_clauses(form, axes)
    if isinstance(form.objective, ModelCount):
        return to_counted(form.objective, replace(form, objective=None), axes)
    if isinstance(form.objective, QueryScript):
        return to_queries(form.objective, axes)
    lower = TO_SOFT_CLAUSES.get(form.objective.kind)
    if lower is None:
        raise Unsupported(unencodable(form.objective.kind))
    return replace(lower(form.objective, replace(form, objective=None), axes), linear=axes.linear)


def to_queries(script: QueryScript, axes: Axes) -> QueryFormula:
    """Return a query script; the model of one that has one is encoded too. Raises Unsupported."""
    if script.model is None:
        return QueryFormula(script)
    form = constraints(script.model, script.domains)
    return QueryFormula(script, form, partial(to_clauses, form, axes))


def unencodable(kind: str) -> str:
    """Return the words on a kind of objective that TO_SOFT_CLAUSES lacks."""
    return f"objectives of the kind {kind} have no encoding as soft clauses"


def soften_linear(objective: LinearObjective, form: Constraints, axes: Axes) -> Wcnf:
    return with_steps(form, lowered(form, axes), objective.terms, objective.offset)


def soften_expression(objective: ExpressionObjective, form: Constraints, axes: Axes) -> Wcnf:
    """A part that is no sum of variables gets an auxiliary variable, whose numbers are those that it can take."""
    v = lowered(form, axes)
    try:
        terms, constant = ClauseTrees(v).sum(objective.tree)
    except TooLarge as e:
        raise Unsupported(f"as clauses, the objective is too large: {e}") from None
    return with_steps(form, v, terms, constant)


def with_steps(form: Constraints, v: Variables, terms: Iterable[tuple[int, int]], offset: int) -> Wcnf:
    """Return a formula with a soft clause for each step of each term, or for each bit if its variable is wide."""
    literals, weights = list[int](), list[int]()
    for x, a in merged(terms).items():
        domain = v.domains[x]
        if not domain:
            continue
        if v.wide(x):
            base, bits = groups_of(v, a, x)
            offset += base
            literals += [n for bit in bits for n in (-bit.literals[0], 0)]
            weights += [bit.weights[0] for bit in bits]
            continue
        offset += a * domain[0 if a > 0 else -1]
        for i, (low, high) in enumerate(pairwise(domain), 1):
            literals += (-v.at_least(x, i) if a > 0 else v.at_least(x, i), 0)
            weights.append(abs(a) * (high - low))
        if len(weights) > MAX_SOFT:
            raise Unsupported(f"as soft clauses, the objective is too large: more than {MAX_SOFT:,}")
    hard = formula_of(form, v)
    return Wcnf(hard, np.array(literals, np.int32), integers(weights), offset)


def soften_clauses(objective: SoftClauses, form: Constraints, axes: Axes) -> Wcnf:
    """The soft clauses stay, in literals of the formula."""
    if form.numbers != range(2):
        raise Unsupported("soft clauses over other numbers than 0 and 1 have no encoding")
    hard, flat = to_clauses(form, axes), objective.flat.astype(np.int32, copy=False)
    true = np.array([0, *(hard.literal[x][1] for x in range(form.variables))], np.int32)
    return Wcnf(hard, np.sign(flat) * true[np.abs(flat)], objective.weights)


TO_SOFT_CLAUSES: dict[str, Callable[..., Wcnf]] = by_kind(globals())
