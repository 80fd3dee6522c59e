"""Expressions: each operator becomes CP-SAT's own, with an integer or a Boolean for its value where it needs one.

An undefined part breaks the whole constraint (decision 21), wherever it stands, so it is excluded by a constraint of
its own: a divisor is not 0, an exponent is not negative.
"""

from collections.abc import Callable

from backends.cpsat.posting import arithmetic, logic
from backends.cpsat.posting.model import PostedModel, check_size
from backends.cpsat.posting.nodes import TreeValue, number, variable
from puzzles.constraints.expression import Expression, Tree

COMPARISONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "=", "ne": "!="}


def expression(model: PostedModel, constraint: Expression) -> None:
    for tree in constraint.trees:
        require(model, tree)


def require(model: PostedModel, tree: Tree) -> None:
    """Post that a tree is true; comparisons and conjunctions need no literal of their own."""
    name, *parts = tree
    if name == "and":
        for part in parts:
            require(model, part)
    elif name in COMPARISONS and len(parts) == 2:
        left, right = (node_of(model, part) for part in parts)
        model.compare(left.value, COMPARISONS[name], right.value)
    else:
        model.cp.add_bool_or([logic.truth(model, node_of(model, tree))])


def node_of(model: PostedModel, tree: Tree) -> TreeValue:
    """Return the value of a tree; post the constraints that determine it. Raises Unsupported if it may be too large."""
    name, *parts = tree
    if name == "var":
        return variable(model, parts[0])
    if name == "number":
        node = number(parts[0])
    elif name == "in":
        node = logic.member(model, node_of(model, parts[0]), sorted(set(parts[1][1:])))
    else:
        node = OPERATORS[name](model, *[node_of(model, part) for part in parts])
    check_size("expressions", node.low, node.high)
    return number(node.low) if node.low == node.high else node


OPERATORS: dict[str, Callable[..., TreeValue]] = {
    "neg": arithmetic.neg,
    "abs": arithmetic.absolute,
    "sqr": lambda model, a: arithmetic.multiplied(model, a, a),
    "add": arithmetic.add,
    "sub": arithmetic.sub,
    "mul": arithmetic.mul,
    "div": arithmetic.div,
    "mod": arithmetic.mod,
    "pow": arithmetic.power,
    "dist": lambda model, a, b: arithmetic.absolute(model, arithmetic.sub(model, a, b)),
    "min": arithmetic.extreme("add_min_equality", min),
    "max": arithmetic.extreme("add_max_equality", max),
    "lt": logic.compared("<"),
    "le": logic.compared("<="),
    "gt": logic.compared(">"),
    "ge": logic.compared(">="),
    "ne": logic.compared("!="),
    "eq": logic.equal,
    "not": logic.opposite,
    "and": logic.conjunction,
    "or": logic.disjunction,
    "xor": logic.parity,
    "iff": logic.same_truth,
    "imp": lambda model, a, b: logic.disjunction(model, logic.opposite(model, a), b),
    "if": logic.choice,
}
