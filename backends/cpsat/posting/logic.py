"""Comparisons and logical operators as literals, or as constants where the bounds decide them."""

from collections.abc import Callable, Sequence
from typing import Any

from backends.cpsat.posting.model import NEGATED, PostedModel, negated
from backends.cpsat.posting.nodes import ONE, ZERO, TreeValue, fresh, number


def compared(comparison: str) -> Callable[[PostedModel, TreeValue, TreeValue], TreeValue]:
    return lambda model, a, b: comparing(model, a, comparison, b)


def comparing(model: PostedModel, a: TreeValue, comparison: str, b: TreeValue) -> TreeValue:
    """Return the literal of a comparison, or a constant if the bounds decide it."""
    for sign, result in ((comparison, ONE), (NEGATED[comparison], ZERO)):
        if always(a, sign, b):
            return result
    return TreeValue(model.reified(a.value, comparison, b.value), 0, 1, True)


def always(a: TreeValue, comparison: str, b: TreeValue) -> bool:
    """Return True if the bounds alone show that a comparison holds."""
    match comparison:
        case "<":
            return a.high < b.low
        case "<=":
            return a.high <= b.low
        case ">":
            return a.low > b.high
        case ">=":
            return a.low >= b.high
        case "=":
            return a.low == a.high == b.low == b.high
        case _:
            return a.high < b.low or a.low > b.high


def equal(model: PostedModel, *parts: TreeValue) -> TreeValue:
    return conjunction(model, *[comparing(model, parts[0], "=", part) for part in parts[1:]])


def member(model: PostedModel, a: TreeValue, numbers: Sequence[int]) -> TreeValue:
    inside = [n for n in numbers if a.low <= n <= a.high]
    if not inside or a.low == a.high:
        return number(int(bool(inside)))
    shape, literal = model.make_domain(inside), model.cp.new_bool_var("")
    model.cp.add_linear_expression_in_domain(a.value, shape).only_enforce_if(literal)
    model.cp.add_linear_expression_in_domain(a.value, shape.complement()).only_enforce_if(~literal)
    return TreeValue(literal, 0, 1, True)


def truth(model: PostedModel, a: TreeValue) -> Any:
    """Return the literal for: a value is not 0."""
    if a.low > 0 or a.high < 0:
        return True
    if a.low == a.high:
        return False
    return a.value if a.literal else model.reified(a.value, "!=", 0)


def logical(literal: Any) -> TreeValue:
    """Return a literal as a node."""
    return number(int(literal)) if isinstance(literal, bool) else TreeValue(literal, 0, 1, True)


def conjunction(model: PostedModel, *parts: TreeValue) -> TreeValue:
    literals = [truth(model, part) for part in parts]
    return logical(literals[0] if len(literals) == 1 else model.all_of(literals))


def opposite(model: PostedModel, a: TreeValue) -> TreeValue:
    return logical(negated(truth(model, a)))


def disjunction(model: PostedModel, *parts: TreeValue) -> TreeValue:
    return opposite(model, conjunction(model, *[opposite(model, part) for part in parts]))


def parity(model: PostedModel, *parts: TreeValue) -> TreeValue:
    odd = model.cp.new_bool_var("")
    model.cp.add_bool_xor([*[truth(model, part) for part in parts], odd, True])
    return logical(odd)


def same_truth(model: PostedModel, *parts: TreeValue) -> TreeValue:
    logic = [logical(truth(model, part)) for part in parts]
    none = conjunction(model, *[opposite(model, part) for part in logic])
    return disjunction(model, conjunction(model, *logic), none)


def choice(model: PostedModel, a: TreeValue, b: TreeValue, c: TreeValue) -> TreeValue:
    literal = truth(model, a)
    if isinstance(literal, bool):
        return b if literal else c
    made = fresh(model, min(b.low, c.low), max(b.high, c.high))
    model.cp.add(made.value == b.value).only_enforce_if(literal)
    model.cp.add(made.value == c.value).only_enforce_if(~literal)
    return made
