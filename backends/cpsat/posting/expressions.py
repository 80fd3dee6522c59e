"""Expressions: each operator becomes CP-SAT's own, with an integer or a Boolean for its value where it needs one.

An undefined part breaks the whole constraint (decision 21), wherever it stands, so it is excluded by a constraint of
its own: a divisor is not 0, an exponent is not negative.

    node  the value of a tree: an expression of CP-SAT or a number, between `low` and `high`; a literal if it is 0 or 1
"""

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import product
from typing import Any, NamedTuple

from backends.cpsat.posting.model import NEGATED, Model, check_size, negated
from encoders.formula import Unsupported
from puzzles.constraints.expression import Expression, Tree

MAX_POWERS = 100_000  # pairs of base and exponent, where the exponent is no number
COMPARISONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "=", "ne": "!="}


class Node(NamedTuple):
    """The value of a tree; `literal` if `value` is a literal, so 0 or 1."""

    value: Any
    low: int
    high: int
    literal: bool = False


def number(n: int) -> Node:
    return Node(n, n, n)


ZERO, ONE = number(0), number(1)


def expression(model: Model, constraint: Expression) -> None:
    for tree in constraint.trees:
        require(model, tree)


def require(model: Model, tree: Tree) -> None:
    """Post that a tree is true; comparisons and conjunctions need no literal of their own."""
    name, *parts = tree
    if name == "and":
        for part in parts:
            require(model, part)
    elif name in COMPARISONS and len(parts) == 2:
        left, right = (node_of(model, part) for part in parts)
        model.compare(left.value, COMPARISONS[name], right.value)
    else:
        model.cp.add_bool_or([truth(model, node_of(model, tree))])


def node_of(model: Model, tree: Tree) -> Node:
    """Return the value of a tree, and post what determines it. Raises Unsupported if it may be too large."""
    name, *parts = tree
    if name == "var":
        return variable(model, parts[0])
    if name == "number":
        node = number(parts[0])
    elif name == "in":
        node = member(model, node_of(model, parts[0]), sorted(set(parts[1][1:])))
    else:
        node = OPERATORS[name](model, *[node_of(model, part) for part in parts])
    check_size("expressions", node.low, node.high)
    return number(node.low) if node.low == node.high else node


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
    from ortools.sat.python.cp_model import IntVar

    if isinstance(node.value, int | IntVar):
        return node.value
    made = fresh(model, node.low, node.high)
    model.cp.add(made.value == node.value)
    return made.value


def add(model: Model, *parts: Node) -> Node:
    return Node(sum(p.value for p in parts), sum(p.low for p in parts), sum(p.high for p in parts))


def neg(model: Model, a: Node) -> Node:
    return Node(-1 * a.value, -a.high, -a.low)


def sub(model: Model, a: Node, b: Node) -> Node:
    return add(model, a, neg(model, b))


def mul(model: Model, *parts: Node) -> Node:
    return reduce(lambda a, b: multiplied(model, a, b), parts)


def multiplied(model: Model, a: Node, b: Node) -> Node:
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    low, high = min(corners), max(corners)
    if low == high:
        return number(low)
    if isinstance(a.value, int) or isinstance(b.value, int):
        return Node(a.value * b.value, low, high)
    made = fresh(model, low, high)
    model.cp.add_multiplication_equality(made.value, [flat(model, a), flat(model, b)])
    return made


def absolute(model: Model, a: Node) -> Node:
    if a.low >= 0:
        return a
    if a.high <= 0:
        return neg(model, a)
    made = fresh(model, 0, max(-a.low, a.high))
    model.cp.add_abs_equality(made.value, flat(model, a))
    return made


def nonzero(model: Model, a: Node) -> Node:
    """Return a node that is not 0."""
    if a.low > 0 or a.high < 0:
        return a
    if a.low == a.high:
        model.refuse()
        return ONE
    signs = [(low, high) for low, high in ((a.low, -1), (1, a.high)) if low <= high]
    shape = model.make_intervals([list(sign) for sign in signs])
    made = model.cp.new_int_var_from_domain(shape, "")
    model.cp.add(made == a.value)
    return Node(made, signs[0][0], signs[-1][1])


def div(model: Model, a: Node, b: Node) -> Node:
    b, most = nonzero(model, b), max(-a.low, a.high, 0)
    made = fresh(model, -most, most)
    model.cp.add_division_equality(made.value, flat(model, a), flat(model, b))
    return made


def mod(model: Model, a: Node, b: Node) -> Node:
    """Return the remainder, which does not depend on the sign of b; CP-SAT wants a divisor above 0."""
    divisor = absolute(model, nonzero(model, b))
    if divisor.low < 1:
        made = fresh(model, 1, divisor.high)
        model.cp.add(made.value == divisor.value)
        divisor = made
    most = divisor.high - 1
    made = fresh(model, -min(most, max(-a.low, 0)), min(most, max(a.high, 0)))
    model.cp.add_modulo_equality(made.value, flat(model, a), flat(model, divisor))
    return made


def power(model: Model, a: Node, b: Node) -> Node:
    if b.high < 0:
        model.refuse()
        return ONE
    if b.low < b.high:
        return power_table(model, a, b)
    exponent = b.low
    if a.low >= -1 and a.high <= 1:
        exponent = min(exponent, 2 - exponent % 2)
    check_size("expressions", max(abs(a.low), abs(a.high)) ** min(exponent, 64))
    return mul(model, ONE, *[a] * exponent)


def power_table(model: Model, a: Node, b: Node) -> Node:
    """Return a power with an exponent that is no number, by its values for all pairs."""
    bases, exponents = range(a.low, a.high + 1), range(max(b.low, 0), b.high + 1)
    if len(bases) * len(exponents) > MAX_POWERS:
        raise Unsupported(f"cpsat does not support powers of more than {MAX_POWERS} pairs of base and exponent")
    check_size("expressions", max(abs(a.low), abs(a.high), 1) ** min(b.high, 64))
    tuples = [(x, y, x**y) for x, y in product(bases, exponents)]
    made = fresh(model, min(z for _, _, z in tuples), max(z for _, _, z in tuples))
    model.cp.add_allowed_assignments([flat(model, a), flat(model, b), made.value], tuples)
    return made


def extreme(name: str, pick: Callable[..., int]) -> Callable[..., Node]:
    def post(model: Model, *parts: Node) -> Node:
        made = fresh(model, pick(p.low for p in parts), pick(p.high for p in parts))
        getattr(model.cp, name)(made.value, [flat(model, p) for p in parts])
        return made

    return post


def compared(comparison: str) -> Callable[[Model, Node, Node], Node]:
    return lambda model, a, b: comparing(model, a, comparison, b)


def comparing(model: Model, a: Node, comparison: str, b: Node) -> Node:
    """Return a comparison, which is known if the bounds decide it."""
    for sign, result in ((comparison, ONE), (NEGATED[comparison], ZERO)):
        if always(a, sign, b):
            return result
    return Node(model.reified(a.value, comparison, b.value), 0, 1, True)


def always(a: Node, comparison: str, b: Node) -> bool:
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


def equal(model: Model, *parts: Node) -> Node:
    return conjunction(model, *[comparing(model, parts[0], "=", part) for part in parts[1:]])


def member(model: Model, a: Node, numbers: Sequence[int]) -> Node:
    inside = [n for n in numbers if a.low <= n <= a.high]
    if not inside or a.low == a.high:
        return number(int(bool(inside)))
    shape, literal = model.make_domain(inside), model.cp.new_bool_var("")
    model.cp.add_linear_expression_in_domain(a.value, shape).only_enforce_if(literal)
    model.cp.add_linear_expression_in_domain(a.value, shape.complement()).only_enforce_if(~literal)
    return Node(literal, 0, 1, True)


def truth(model: Model, a: Node) -> Any:
    """Return the literal of a value that is not 0."""
    if a.low > 0 or a.high < 0:
        return True
    if a.low == a.high:
        return False
    return a.value if a.literal else model.reified(a.value, "!=", 0)


def logical(literal: Any) -> Node:
    """Return a literal as a node."""
    return number(int(literal)) if isinstance(literal, bool) else Node(literal, 0, 1, True)


def conjunction(model: Model, *parts: Node) -> Node:
    literals = [truth(model, part) for part in parts]
    return logical(literals[0] if len(literals) == 1 else model.all_of(literals))


def opposite(model: Model, a: Node) -> Node:
    return logical(negated(truth(model, a)))


def disjunction(model: Model, *parts: Node) -> Node:
    return opposite(model, conjunction(model, *[opposite(model, part) for part in parts]))


def parity(model: Model, *parts: Node) -> Node:
    odd = model.cp.new_bool_var("")
    model.cp.add_bool_xor([*[truth(model, part) for part in parts], odd, True])
    return logical(odd)


def same_truth(model: Model, *parts: Node) -> Node:
    logic = [logical(truth(model, part)) for part in parts]
    none = conjunction(model, *[opposite(model, part) for part in logic])
    return disjunction(model, conjunction(model, *logic), none)


def choice(model: Model, a: Node, b: Node, c: Node) -> Node:
    literal = truth(model, a)
    if isinstance(literal, bool):
        return b if literal else c
    made = fresh(model, min(b.low, c.low), max(b.high, c.high))
    model.cp.add(made.value == b.value).only_enforce_if(literal)
    model.cp.add(made.value == c.value).only_enforce_if(~literal)
    return made


OPERATORS: dict[str, Callable[..., Node]] = {
    "neg": neg,
    "abs": absolute,
    "sqr": lambda model, a: multiplied(model, a, a),
    "add": add,
    "sub": sub,
    "mul": mul,
    "div": div,
    "mod": mod,
    "pow": power,
    "dist": lambda model, a, b: absolute(model, sub(model, a, b)),
    "min": extreme("add_min_equality", min),
    "max": extreme("add_max_equality", max),
    "lt": compared("<"),
    "le": compared("<="),
    "gt": compared(">"),
    "ge": compared(">="),
    "ne": compared("!="),
    "eq": equal,
    "not": opposite,
    "and": conjunction,
    "or": disjunction,
    "xor": parity,
    "iff": same_truth,
    "imp": lambda model, a, b: disjunction(model, opposite(model, a), b),
    "if": choice,
}
