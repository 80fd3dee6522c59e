"""CPMpy's expressions of objectives, one function for each kind."""

from collections.abc import Callable, Sequence
from typing import Any

from backends.cpmpy.model import Variables, integer, trees
from encoders.formula import Unsupported
from encoders.rewriting import definitions, simplified
from puzzles.constraints import by_kind
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import Objective

Goal = tuple[Any, int, list[Any]]  # an expression or 0, a constant that is added, and constraints that it needs


def goal_of(xs: Variables, objective: Objective, name: str) -> Goal:
    """Return the expression to be minimised. Raises Unsupported."""
    write = GOALS.get(objective.kind)
    if write is None:
        raise Unsupported(f"{name} does not support objectives of the kind {objective.kind}")
    return write(xs, objective)


def sum_of(terms: Sequence[Any]) -> Any:
    import cpmpy

    return cpmpy.sum(list(terms)) if terms else 0


def linear(xs: Variables, objective: LinearObjective) -> Goal:
    """Return the sum of terms that vary: the coefficient of a variable with one number may be too long for a solver."""
    terms, constant = list[Any](), objective.offset
    for a, x in objective.terms:
        low, high = xs[x].get_bounds()
        if low == high:
            constant += a * int(low)
        elif a:
            terms.append(a * xs[x])
    return sum_of(terms), constant, []


def soft(xs: Variables, objective: SoftClauses) -> Goal:
    import cpmpy

    terms, constant = list[Any](), 0
    for weight, row in objective.rows:
        false = [xs[abs(p) - 1] != 1 if p > 0 else xs[abs(p) - 1] == 1 for p in row]
        if false:
            terms.append(weight * cpmpy.all(false))
        else:
            constant += weight
    return sum_of(terms), constant, []


def expression(xs: Variables, objective: ExpressionObjective) -> Goal:
    needed = [part for tree in definitions(objective.tree) for part in trees(xs, tree)]
    return integer(xs, simplified(objective.tree)), 0, needed


GOALS: dict[str, Callable[..., Goal]] = by_kind(globals())
