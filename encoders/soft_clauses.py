"""Objectives as soft clauses over the literals of a formula: one function for each kind of objective.

    3 x1 - 2 x2 over 0 and 1        offset -2; 3 unless not x1; 2 unless x2
    5 z over 1, 2 and 4             offset 5; 5 unless z is not 2; 15 unless z is not 4

The cost of a variable's value is its term less the term's least value on the domain.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from encoders.axes import Axes
from encoders.formula import Cnf, Constraints, Unsupported, Wcnf
from encoders.lowering import to_clauses
from puzzles.constraints.linear import integers
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses
from puzzles.problem.values import bits

MAX_SOFT = 10_000_000  # soft clauses made of the values of variables


def to_weighted_clauses(form: Constraints, axes: Axes) -> Cnf | Wcnf:
    """Return constraints as clauses, with soft ones if there is an objective. Raises Unsupported."""
    if form.objective is None:
        return to_clauses(form, axes)
    lower = SOFTEN.get(form.objective.kind)
    if lower is None:
        raise Unsupported(unencodable(form.objective.kind))
    return lower(form.objective, form, to_clauses(replace(form, objective=None), axes))


def unencodable(kind: str) -> str:
    """Return the words on a kind of objective that SOFTEN lacks."""
    return f"objectives of the kind {kind} have no encoding as soft clauses"


def of_linear(objective: LinearObjective, form: Constraints, hard: Cnf) -> Wcnf:
    """Return a soft clause for each value whose term exceeds the least on its variable's domain."""
    known, literals, weights, offset = form.known, list[int](), list[int](), objective.offset
    for a, x in objective.terms:
        costs = [(a * form.numbers[v], v) for v in bits(known[x])]
        least = min((cost for cost, _ in costs), default=0)
        offset += least
        for cost, v in costs:
            if cost > least:
                literals += (-hard.literal[x][v], 0)
                weights.append(cost - least)
        if len(weights) > MAX_SOFT:
            raise Unsupported(f"as soft clauses, the objective is too large: more than {MAX_SOFT:,}")
    return Wcnf(hard, np.array(literals, np.int32), integers(weights), offset)


def of_soft(objective: SoftClauses, form: Constraints, hard: Cnf) -> Wcnf:
    """Return the soft clauses, in literals of the formula."""
    flat = objective.flat.astype(np.int32, copy=False)
    if list(form.numbers) != [0, 1]:
        raise Unsupported("soft clauses over other numbers than 0 and 1 have no encoding")
    true = np.array([0, *(hard.literal[x][1] for x in range(form.variables))], np.int32)
    return Wcnf(hard, np.sign(flat) * true[np.abs(flat)], objective.weights)


SOFTEN: dict[str, Callable[[Any, Constraints, Cnf], Wcnf]] = {
    LinearObjective.kind: of_linear,
    SoftClauses.kind: of_soft,
}
