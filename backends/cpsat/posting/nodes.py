"""Values of expressions: each is a number, or an expression of CP-SAT with its bounds."""

from typing import Any, NamedTuple

from backends.cpsat.importing import cp_model
from backends.cpsat.posting.model import PostedModel, check_size


class TreeValue(NamedTuple):
    """Value of a tree; `literal` if `value` is a literal, and so 0 or 1."""

    value: Any
    low: int
    high: int
    literal: bool = False


def number(n: int) -> TreeValue:
    return TreeValue(n, n, n)


ZERO, ONE = number(0), number(1)


def variable(model: PostedModel, x: int) -> TreeValue:
    domain = model.domains[x]
    if len(domain) == 1:
        return number(domain[0])
    return TreeValue(model.variables[x], domain[0], domain[-1], domain == (0, 1))


def fresh(model: PostedModel, low: int, high: int) -> TreeValue:
    """Return a new integer variable with these bounds."""
    check_size("expressions", low, high)
    return TreeValue(model.cp.new_int_var(low, high, ""), low, high)


def flat(model: PostedModel, node: TreeValue) -> Any:
    """Return a node as one variable or number."""
    if isinstance(node.value, int | cp_model().IntVar):
        return node.value
    made = fresh(model, node.low, node.high)
    model.cp.add(made.value == node.value)
    return made.value
