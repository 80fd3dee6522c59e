"""Conditions on a number, as comparisons that all hold, or as a tree.

("le", 5)           one comparison
("in", 1..3)        two
("in", {1,3})       a tree alone
"""

from collections.abc import Callable

from puzzles.constraints.expression import Tree
from puzzles.errors import ParseError
from puzzles.readers.xcsp3.model import Xcsp3Model
from puzzles.readers.xcsp3.parts import Value, integer, is_range, listed, shown

SIGNS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "=", "ne": "!="}
Comparison = tuple[str, Value]  # sign, and a variable or a number


def equals(value: Value) -> Value:
    """Return the condition that a number equals an operand."""
    return ["condition", "eq", value]


def parse_condition(condition: Value) -> tuple[str, Value]:
    """Return the operator and the operand of a condition. Raises ParseError."""
    if not isinstance(condition, list) or condition[:1] != ["condition"] or len(condition) != 3:
        raise ParseError(f"unexpected {shown(condition)}: expected a condition")
    operator, operand = condition[1:]
    if operator not in SIGNS and operator not in ("in", "notin"):
        raise ParseError(f"unknown operator {shown(operator)} in a condition")
    return operator, operand


def comparisons(condition: Value) -> list[Comparison] | None:
    """Return comparisons that together are equivalent to the condition, or None. Raises ParseError."""
    operator, operand = parse_condition(condition)
    if operator in SIGNS:
        return [(SIGNS[operator], operand)]
    if is_range(operand):
        return [(">=", operand[1]), ("<=", operand[2])] if operator == "in" else None
    numbers = sorted(set(map(integer, listed(operand))))
    if operator == "notin":
        return [("!=", number) for number in numbers]
    if numbers and numbers[-1] - numbers[0] == len(numbers) - 1:
        return [(">=", numbers[0]), ("<=", numbers[-1])] if len(numbers) > 1 else [("=", numbers[0])]
    return None


def as_tree(model: Xcsp3Model, tree: Tree, condition: Value) -> Tree:
    """Return the tree that is true if the value of a tree meets a condition. Raises ParseError."""
    operator, operand = parse_condition(condition)
    if operator in SIGNS:
        return (operator, tree, model.tree(operand))
    if is_range(operand):
        first, last = map(integer, operand[1:])
        inside: Tree = ("and", ("ge", tree, ("number", first)), ("le", tree, ("number", last)))
    else:
        inside = ("in", tree, ("set", *map(integer, listed(operand))))
    return inside if operator == "in" else ("not", inside)


def require(
    model: Xcsp3Model, condition: Value, native: Callable[[str, int], None] | None, tree: Callable[[], Tree]
) -> None:
    """Add a constraint on a number: `native` for each comparison with a variable if it can be, else a tree.

    `native` is given the sign and the variable.
    """
    found = comparisons(condition)
    if native is None or found is None:
        model.require(as_tree(model, tree(), condition))
        return
    for sign, operand in found:
        native(sign, model.variable(operand))
