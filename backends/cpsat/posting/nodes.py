"""Values of expressions: each is a number, or an expression of CP-SAT with its bounds."""

from typing import Any, NamedTuple

from backends.cpsat.importing import cp_model
from backends.cpsat.posting.model import Model, check_size


class Node(NamedTuple):
    """The value of a tree; `literal` if `value` is a literal, so 0 or 1."""

    value: Any
    low: int
    high: int
    literal: bool = False


def number(n: int) -> Node:
    return Node(n, n, n)


ZERO, ONE = number(0), number(1)


def variable(model: Model, x: int) -> Node:
    domain = model.domains[x]
    if len(domain) == 1:
        return number(domain[0])
    return Node(model.variables[x], domain[0], domain[-1], domain == (0, 1))


def fresh(model: Model, low: int, high: int) -> Node:
    """Return a new integer."""
    check_size("expressions", low, high)
    return Node(model.cp.new_int_var(low, high, ""), low, high)


def flat(model: Model, node: Node) -> Any:
    """Return a node as one variable or number."""
    if isinstance(node.value, int | cp_model().IntVar):
        return node.value
    made = fresh(model, node.low, node.high)
    model.cp.add(made.value == node.value)
    return made.value
