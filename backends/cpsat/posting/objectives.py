"""Objectives of CP-SAT models: integer coefficients without a constant part, so that CP-SAT's bounds are exact.

Each function posts the sum of an objective's variable terms; callers add the constant part to bounds.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from backends.cpsat.posting.expressions import node_of
from backends.cpsat.posting.model import PostedModel
from backends.cpsat.posting.nodes import flat
from encoders.formula import Constraints, Unsupported
from puzzles.constraints import by_kind
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses

LARGEST_SUM = 1 << 62  # CP-SAT calls larger objectives invalid


class ObjectiveOffset(NamedTuple):
    """Constant part of an objective, which is not in the model, and the sum of the sizes of its terms."""

    constant: int
    size: int


def minimise(model: PostedModel, form: Constraints) -> ObjectiveOffset:
    """Post the objective of a problem. Raises Unsupported."""
    assert form.objective is not None
    post = MINIMISE.get(form.objective.kind)
    if post is None:
        raise Unsupported(f"cpsat does not support objectives of the kind {form.objective.kind}")
    return post(model, form.objective)


def linear(model: PostedModel, objective: LinearObjective) -> ObjectiveOffset:
    return post_sum(model, [(a, model.variables[x].index) for a, x in objective.terms], objective.offset)


def soft(model: PostedModel, objective: SoftClauses) -> ObjectiveOffset:
    """Post a Boolean for each soft clause, true where the clause is false; one literal is a Boolean already."""
    terms, constant = list[tuple[int, int]](), 0
    for weight, row in objective.rows:
        literals = [model.takes(abs(p) - 1, int(p > 0)) for p in row]
        if any(literal is True for literal in literals):
            continue
        stated = [literal for literal in literals if literal is not False]
        if len(stated) > 1:
            broken = model.cp.new_bool_var("")
            model.cp.add_bool_or([*stated, broken])
            terms.append((weight, broken.index))
        elif not stated or (index := stated[0].index) >= 0:
            constant += weight
            terms += [(-weight, stated[0].index)] if stated else []
        else:
            terms.append((weight, -index - 1))  # CP-SAT's number of a negated variable
    return post_sum(model, terms, constant)


def expression(model: PostedModel, objective: ExpressionObjective) -> ObjectiveOffset:
    node = node_of(model, objective.tree)
    if isinstance(node.value, int):
        return ObjectiveOffset(node.value, 0)
    return post_sum(model, [(1, flat(model, node).index)], 0)


def post_sum(model: PostedModel, terms: Iterable[tuple[int, int]], constant: int) -> ObjectiveOffset:
    """Write coefficients and indices of CP-SAT's variables; without any, the objective is constant.

    A variable that can only be 0 is left out: its coefficient may be of any size.
    """
    total: dict[int, int] = {}
    for a, index in terms:
        total[index] = total.get(index, 0) + a
    sizes = {index: size_of(model.cp.proto.variables[index]) for index in total}
    size = sum(abs(a) * sizes[index] for index, a in total.items())
    if size >= LARGEST_SUM:
        raise Unsupported("cpsat does not support objectives of more than 62 bits")
    if stated := {index: a for index, a in total.items() if a and sizes[index]}:
        goal = model.cp.proto.objective
        goal.vars.extend(list(stated))
        goal.coeffs.extend(list(stated.values()))
    return ObjectiveOffset(constant, size)


def size_of(variable: Any) -> int:
    """Return the greatest size of a number in the domain of a CP-SAT variable."""
    ends: list[int] = list(variable.domain)
    return max(abs(ends[0]), abs(ends[-1]))


MINIMISE: dict[str, Callable[..., ObjectiveOffset]] = by_kind(globals())
