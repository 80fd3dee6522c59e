"""Builtins as trees that are true where they hold: for what is reified, and for what has no kind of its own.

    int_lin_le_reif([2, -1], [x, y], 4, b)        iff(b, le(add(mul(2, x), mul(-1, y)), 4))
    int_eq_imp(x, y, b)                           imp(b, eq(x, y))

A tree with an undefined part is not true as a whole, but a reified builtin is false there: its tree is always defined.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

from puzzles.constraints.expression import Tree
from puzzles.readers.building import Ranges, size_of
from puzzles.readers.flatzinc.arguments import Arguments, same_length
from puzzles.readers.flatzinc.document import Value, expected
from puzzles.readers.refusal import Refusal

Condition = Callable[[Arguments, Sequence[Value]], Tree]
TRUE, FALSE = ("number", 1), ("number", 0)
MAX_MEMBERS = 8  # ranges of a set whose ends are compared; of more, the members are listed
MAX_PARTS = 1 << 20  # parts of a constraint that becomes a tree


def num(value: int) -> Tree:
    """Return the tree of a number."""
    return ("number", value)


def joined(operator: str, parts: Sequence[Tree], empty: Tree) -> Tree:
    """Return the tree of an operator with any number of parts."""
    return (operator, *parts) if len(parts) > 1 else parts[0] if parts else empty


def compared(operator: str) -> Condition:
    """Return the condition that two operands compare so."""
    return lambda at, args: (operator, *map(at.operand, args))


def computed(operator: str) -> Condition:
    """Return the condition that the last operand is the result of an operator, which is always defined."""
    return lambda at, args: ("eq", (operator, *map(at.operand, args[:-1])), at.operand(args[-1]))


def summed(operator: str) -> Condition:
    """Return the condition that a weighted sum compares so with an operand."""

    def condition(at: Arguments, args: Sequence[Value]) -> Tree:
        coefficients, operands = at.numbers(args[0]), at.operands(args[1])
        same_length("a sum", coefficients, operands)
        return (operator, weighted(coefficients, operands), at.operand(args[2]))

    return condition


def weighted(coefficients: Sequence[int], operands: Sequence[Tree]) -> Tree:
    """Return the tree of a weighted sum."""
    terms = [x if a == 1 else ("mul", num(a), x) for a, x in zip(coefficients, operands, strict=True)]
    return joined("add", terms, num(0))


def division(operator: str) -> Condition:
    """Return the condition of a division: false where the divisor is 0."""

    def condition(at: Arguments, args: Sequence[Value]) -> Tree:
        x, y, z = map(at.operand, args)
        low, high = at.model.ends(y)
        if low > 0 or high < 0:
            return ("eq", (operator, x, y), z)
        safe = ("if", ("eq", y, num(0)), num(1), y)
        return ("and", ("ne", y, num(0)), ("eq", (operator, x, safe), z))

    return condition


def power(at: Arguments, args: Sequence[Value]) -> Tree:
    """Return the condition of a power; with a negative exponent it is 1 divided by a power, rounded towards 0."""
    x, y, z = map(at.operand, args)
    if at.model.ends(y)[0] >= 0:
        return ("eq", ("pow", x, y), z)
    unit = ("and", ("eq", ("abs", x), num(1)), ("eq", ("pow", x, ("abs", y)), z))
    beyond = ("and", ("gt", ("abs", x), num(1)), ("eq", z, num(0)))
    upward = ("and", ("ge", y, num(0)), ("eq", ("pow", x, ("max", y, num(0))), z))
    return ("or", upward, ("and", ("lt", y, num(0)), ("or", unit, beyond)))


def numbers_of(ranges: Ranges) -> list[int]:
    """Return the numbers of ranges. Raises Refusal if they are too many."""
    if size_of(ranges) > MAX_PARTS:
        raise Refusal([f"sets of more than {MAX_PARTS} numbers"])
    return [n for first, last in ranges for n in range(first, last + 1)]


def member(x: Tree, ranges: Ranges) -> Tree:
    """Return the condition that an operand is in a set."""
    if len(ranges) <= MAX_MEMBERS:
        return joined("or", [within(x, first, last) for first, last in ranges], FALSE)
    return ("in", x, ("set", *numbers_of(ranges)))


def within(x: Tree, first: int, last: int) -> Tree:
    """Return the condition that an operand is in a range."""
    if first == last:
        return ("eq", x, num(first))
    return ("and", ("ge", x, num(first)), ("le", x, num(last)))


def in_set(at: Arguments, args: Sequence[Value]) -> Tree:
    x, ranges = at.operand(args[0]), at.ranges(args[1])
    low, high = at.model.ends(x)
    near = tuple((first, last) for first, last in ranges if last >= low and first <= high)
    if len(near) == 1 and near[0][0] <= low:
        return ("le", x, num(near[0][1]))
    if len(near) == 1 and near[0][1] >= high:
        return ("ge", x, num(near[0][0]))
    return member(x, near)


def selected(at: Arguments, args: Sequence[Value]) -> Tree:
    """Return the condition that an index selects an operand that equals another."""
    index, items, value = at.operand(args[0]), at.operands(args[1]), at.operand(args[2])
    low, high = at.model.ends(index)
    chosen = [("and", ("eq", index, num(i)), ("eq", x, value)) for i, x in enumerate(items, 1) if low <= i <= high]
    return joined("or", chosen, FALSE)


def gathered(operator: str, empty: Tree) -> Condition:
    """Return the condition that an operator makes of the operands of a list."""
    return lambda at, args: joined(operator, at.operands(args[0]), empty)


def clause(at: Arguments, args: Sequence[Value]) -> Tree:
    negative = [("not", x) for x in at.operands(args[1])]
    return joined("or", [*at.operands(args[0]), *negative], FALSE)


def extreme(operator: str) -> Condition:
    """Return the condition that an operand is the least or the greatest of others."""

    def condition(at: Arguments, args: Sequence[Value]) -> Tree:
        parts = at.operands(args[1])
        if not parts:
            raise expected("a list with items", [])
        return ("eq", joined(operator, parts, FALSE), at.operand(args[0]))

    return condition


def equals_result(condition: Condition, inputs: int) -> Condition:
    """Return the condition that the operand after the inputs of a condition is true exactly if that condition holds."""
    return lambda at, args: ("iff", condition(at, args[:inputs]), at.operand(args[inputs]))


def ordered(at: Arguments, args: Sequence[Value], strict: bool) -> Tree:
    """Return the condition that operands are in order."""
    parts = at.operands(args[0])
    return joined("and", [("lt" if strict else "le", x, y) for x, y in pairwise(parts)], TRUE)


def different(at: Arguments, args: Sequence[Value]) -> Tree:
    """Return the condition that operands take different values."""
    parts = at.operands(args[0])
    if len(parts) ** 2 > MAX_PARTS:
        raise Refusal([f"constraints of more than {MAX_PARTS} parts"])
    return joined("and", [("ne", x, y) for i, x in enumerate(parts) for y in parts[:i]], TRUE)


def equal(at: Arguments, args: Sequence[Value]) -> Tree:
    """Return the condition that operands take one value."""
    parts = at.operands(args[0])
    return ("eq", *parts) if len(parts) > 1 else TRUE


ORDERS = ("eq", "ne", "le", "lt", "ge", "gt")
CONDITIONS: dict[str, tuple[int, Condition]] = {  # number of arguments and condition of each builtin
    **{f"int_{operator}": (2, compared(operator)) for operator in ORDERS},
    **{f"bool_{operator}": (2, compared(operator)) for operator in ORDERS},
    **{f"int_lin_{operator}": (3, summed(operator)) for operator in ORDERS},
    **{f"bool_lin_{operator}": (3, summed(operator)) for operator in ORDERS},
    "bool2int": (2, compared("eq")),
    "bool_not": (2, compared("ne")),
    "bool_and": (3, equals_result(lambda at, args: ("and", *map(at.operand, args)), 2)),
    "bool_or": (3, equals_result(lambda at, args: ("or", *map(at.operand, args)), 2)),
    "bool_xor": (3, equals_result(compared("ne"), 2)),
    "bool_clause": (2, clause),
    "array_bool_and": (2, equals_result(gathered("and", TRUE), 1)),
    "array_bool_or": (2, equals_result(gathered("or", FALSE), 1)),
    "array_bool_xor": (1, gathered("xor", FALSE)),
    "int_abs": (2, computed("abs")),
    "int_plus": (3, computed("add")),
    "int_minus": (3, computed("sub")),
    "int_times": (3, computed("mul")),
    "int_min": (3, computed("min")),
    "int_max": (3, computed("max")),
    "int_negate": (2, computed("neg")),
    "int_div": (3, division("div")),
    "int_mod": (3, division("mod")),
    "int_pow": (3, power),
    "int_pow_fixed": (3, power),
    "set_in": (2, in_set),
    **dict.fromkeys(
        ("array_int_element", "array_bool_element", "array_var_int_element", "array_var_bool_element"), (3, selected)
    ),
    **{f"array_{kind}_{name}imum": (2, extreme(name)) for kind in ("int", "var_int") for name in ("min", "max")},
    "all_different_int": (1, different),
    "all_equal_int": (1, equal),
    **{f"increasing_{kind}": (1, partial(ordered, strict=False)) for kind in ("int", "bool")},
    "strictly_increasing_int": (1, partial(ordered, strict=True)),
}
