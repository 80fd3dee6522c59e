"""Builtins of integers and Booleans that are constraints: domains, rows and clauses where they can be, else trees."""

from collections.abc import Callable, Sequence

from puzzles.constraints.element import Element
from puzzles.constraints.expression import Tree
from puzzles.constraints.minmax import MinMax
from puzzles.readers.building import Ranges, united
from puzzles.readers.flatzinc.arguments import Arguments, same_length
from puzzles.readers.flatzinc.conditions import ORDERS, num
from puzzles.readers.flatzinc.document import Value, expected

Post = Callable[[Arguments, Sequence[Value]], None]
SIGNS = {"eq": "=", "ne": "!=", "le": "<=", "lt": "<", "ge": ">=", "gt": ">"}
BOOLEAN: Ranges = ((0, 1),)


def compared(operator: str) -> Post:
    """Return the function that compares two operands."""

    def post(at: Arguments, args: Sequence[Value]) -> None:
        x, y = map(at.operand, args)
        at.model.compare([(1, x), (-1, y)], SIGNS[operator], 0)

    return post


def summed(operator: str) -> Post:
    """Return the function that compares a weighted sum with an operand."""

    def post(at: Arguments, args: Sequence[Value]) -> None:
        coefficients, operands = at.numbers(args[0]), at.operands(args[1])
        same_length("a sum", coefficients, operands)
        terms = [*zip(coefficients, operands, strict=True), (-1, at.operand(args[2]))]
        at.model.compare(terms, SIGNS[operator], 0)

    return post


def computed(*coefficients: int) -> Post:
    """Return the function that requires a weighted sum of all operands to be 0."""

    def post(at: Arguments, args: Sequence[Value]) -> None:
        at.model.compare(zip(coefficients, map(at.operand, args), strict=True), "=", 0)

    return post


def of_clauses(*clauses: tuple[str, str]) -> Post:
    """Return the function that adds clauses of Booleans x, y, z: names of positive and of negative ones."""

    def post(at: Arguments, args: Sequence[Value]) -> None:
        named = dict(zip("xyz", map(at.operand, args), strict=False))
        for positive, negative in clauses:
            at.model.clause(map(named.__getitem__, positive), map(named.__getitem__, negative))

    return post


def add_product(at: Arguments, args: Sequence[Value]) -> None:
    """Add a product, which is a row if a factor is a number."""
    x, y, z = map(at.operand, args)
    if x[0] == "number":
        x, y = y, x
    if y[0] == "number":
        at.model.compare([(y[1], x), (-1, z)], "=", 0)
    else:
        at.model.require(("eq", ("mul", x, y), z))


def add_clause(at: Arguments, args: Sequence[Value]) -> None:
    at.model.clause(at.operands(args[0]), at.operands(args[1]))


def add_conjunction(at: Arguments, parts: Sequence[Tree], result: Tree) -> None:
    """Add a Boolean that is true if all others are."""
    for part in parts:
        at.model.clause([part], [result])
    at.model.clause([result], parts)


def add_disjunction(at: Arguments, parts: Sequence[Tree], result: Tree) -> None:
    """Add a Boolean that is true if one of the others is."""
    for part in parts:
        at.model.clause([result], [part])
    at.model.clause(parts, [result])


def add_clause_reified(at: Arguments, args: Sequence[Value]) -> None:
    """Add a Boolean that is true if a clause holds."""
    positive, negative, result = at.operands(args[0]), at.operands(args[1]), at.operand(args[2])
    at.model.clause(positive, [*negative, result])
    for x in positive:
        at.model.clause([result], [x])
    for x in negative:
        at.model.clause([result, x], [])


def add_element(at: Arguments, args: Sequence[Value]) -> None:
    """Add the selection of an operand by an index from 1; the domains keep what the other one allows."""
    index, items, value = at.operand(args[0]), at.operands(args[1]), at.operand(args[2])
    model = at.model
    model.restrict(index, united([(1, len(items))]))
    if all(item[0] == "number" for item in items):
        taken = model.domains[index[1]] if index[0] == "var" else ((index[1], index[1]),)
        chosen = [items[i - 1][1] for first, last in taken for i in range(max(1, first), min(len(items), last) + 1)]
        model.restrict(value, united([(number, number) for number in set(chosen)]))
    if index[0] == "number":
        if 1 <= index[1] <= len(items):
            model.compare([(1, items[index[1] - 1]), (-1, value)], "=", 0)
        return
    model.add(Element, (model.variables(items), model.variable(index), 1, model.variable(value)))


def extreme(which: str, own_first: bool) -> Post:
    """Return the function that adds a minimum or maximum, whose result is the first argument or the last."""

    def post(at: Arguments, args: Sequence[Value]) -> None:
        operands = at.operands(args[1]) if own_first else list(map(at.operand, args[:-1]))
        if not operands:
            raise expected("a list with items", [])
        result = at.model.variable(at.operand(args[0] if own_first else args[-1]))
        at.model.add(MinMax, (which, at.model.variables(operands), "=", result))

    return post


def add_different_values(at: Arguments, args: Sequence[Value]) -> None:
    """Add Booleans of which an odd number is true."""
    parts = at.operands(args[0])
    ones = sum(part[1] for part in parts if part[0] == "number")
    rest = [part for part in parts if part[0] == "var"]
    if not rest:
        at.model.compare([], "=", 1 - ones % 2)
    elif len(rest) == 1:
        at.model.compare([(1, rest[0])], "=", 1 - ones % 2)
    else:
        at.model.require(("xor", *rest, num(ones % 2)))


EXCLUSIVE = of_clauses(("xy", "z"), ("", "xyz"), ("xz", "y"), ("yz", "x"))  # z is true if x and y differ
BUILTINS: dict[str, Post] = {
    **{f"int_{operator}": compared(operator) for operator in ORDERS},
    **{f"bool_{operator}": compared(operator) for operator in ORDERS},
    **{f"{kind}_lin_{operator}": summed(operator) for operator in ORDERS for kind in ("int", "bool")},
    "bool2int": compared("eq"),
    "bool_not": of_clauses(("xy", ""), ("", "xy")),
    "bool_clause": add_clause,
    "bool_clause_reif": add_clause_reified,
    "bool_and": lambda at, args: add_conjunction(at, list(map(at.operand, args[:2])), at.operand(args[2])),
    "bool_or": lambda at, args: add_disjunction(at, list(map(at.operand, args[:2])), at.operand(args[2])),
    "bool_xor": EXCLUSIVE,
    "bool_ne_reif": EXCLUSIVE,
    "bool_not_reif": EXCLUSIVE,
    "bool_eq_reif": of_clauses(("xyz", ""), ("z", "xy"), ("x", "yz"), ("y", "xz")),
    "bool_le_reif": of_clauses(("y", "xz"), ("zx", ""), ("z", "y")),
    "array_bool_and": lambda at, args: add_conjunction(at, at.operands(args[0]), at.operand(args[1])),
    "array_bool_or": lambda at, args: add_disjunction(at, at.operands(args[0]), at.operand(args[1])),
    "array_bool_xor": add_different_values,
    "int_plus": computed(1, 1, -1),
    "int_minus": computed(1, -1, -1),
    "int_negate": computed(1, 1),
    "int_times": add_product,
    "int_min": extreme("minimum", own_first=False),
    "int_max": extreme("maximum", own_first=False),
    **{
        f"array_{kind}_{name}": extreme(name, own_first=True)
        for kind in ("int", "var_int")
        for name in ("minimum", "maximum")
    },
    "set_in": lambda at, args: at.model.restrict(at.operand(args[0]), at.ranges(args[1])),
    **dict.fromkeys(
        ("array_int_element", "array_bool_element", "array_var_int_element", "array_var_bool_element"), add_element
    ),
}
