"""Constraints on a number that many variables have together: sum, count, nValues, cardinality, minimum, maximum.

Each has rows of its own kind if its operands are variables and numbers, else it is a tree.
"""

from collections.abc import Sequence
from functools import partial

from puzzles.constraints.cardinality import Cardinality
from puzzles.constraints.count import Count
from puzzles.constraints.expression import Tree
from puzzles.constraints.linear import Linear
from puzzles.constraints.minmax import MinMax
from puzzles.constraints.nvalues import NValues
from puzzles.errors import ParseError
from puzzles.readers.xcsp3.conditions import comparisons, equals, require
from puzzles.readers.xcsp3.model import Xcsp3Model
from puzzles.readers.xcsp3.parts import Parts, Value, check_size, integer, is_range

CLOSER = {"<": ("<=", -1), ">": (">=", 1)}  # equivalent comparisons of integers


def is_number(value: Value) -> bool:
    """Return True for an integer."""
    return type(value) is int


def is_plain(value: Value) -> bool:
    """Return True for an integer or a variable, False for a tree."""
    return is_number(value) or (isinstance(value, list) and value[:1] == ["var"])


def add_sum(model: Xcsp3Model, parts: Parts) -> None:
    (coefficients, operands), condition = weighted(parts, "sum"), parts.one("condition")
    found = comparisons(condition)
    if found is not None and all(map(is_plain, operands)) and all(map(is_number, coefficients)):
        for sign, bound in found:
            add_linear(model, [*zip(map(integer, coefficients), operands, strict=True)], sign, bound)
        return
    terms = products(model, coefficients, operands)
    require(model, condition, None, lambda: ("add", *terms))


def weighted(parts: Parts, what: str) -> tuple[list[Value], list[Value]]:
    """Return the coefficients, 1 where none are stated, and the operands of a sum or an objective."""
    operands = parts.items_of("list")
    coefficients = parts.items_of("coeffs") if "coeffs" in parts else [1] * len(operands)
    if len(coefficients) != len(operands):
        raise ParseError(f"{what} of {len(operands)} operands with {len(coefficients)} coefficients")
    return coefficients, operands


def products(model: Xcsp3Model, coefficients: Sequence[Value], operands: Sequence[Value]) -> list[Tree]:
    """Return the operands, multiplied by their coefficients."""
    both = zip(coefficients, operands, strict=True)
    return [model.tree(x) if a == 1 else ("mul", model.tree(a), model.tree(x)) for a, x in both]


def add_linear(model: Xcsp3Model, terms: Sequence[tuple[int, Value]], sign: str, bound: Value) -> None:
    """Add the row that compares a weighted sum of variables and numbers with a variable or a number."""
    terms = [*terms, (-1, bound)]
    sign, limit = CLOSER.get(sign, (sign, 0))
    limit -= sum(a * integer(x) for a, x in terms if is_number(x))
    variables = [(a, model.variable(x)) for a, x in terms if not is_number(x)]
    model.add(Linear, ([a for a, _ in variables], [x for _, x in variables], sign, limit))


def add_count(model: Xcsp3Model, parts: Parts) -> None:
    operands, values = parts.items_of("list"), parts.items_of("values")
    add_count_of(model, operands, values, parts.one("condition"))


def add_count_of(model: Xcsp3Model, operands: Sequence[Value], values: Sequence[Value], condition: Value) -> None:
    """Add the constraint on the number of operands that take one of some values."""
    native = None
    if all(map(is_plain, operands)) and all(map(is_number, values)):
        variables, numbers = model.variables(operands), tuple(map(integer, values))
        native = partial(add_row, model, Count, (variables, numbers))
    require(model, condition, native, lambda: ("add", *(takes(model, model.tree(x), values) for x in operands)))


def takes(model: Xcsp3Model, tree: Tree, values: Sequence[Value]) -> Tree:
    """Return the tree that is true if `tree` takes one of some values, numbers or operands."""
    if all(map(is_number, values)):
        return ("in", tree, ("set", *map(integer, values)))
    return ("or", *(("eq", tree, model.tree(value)) for value in values))


def add_row(model: Xcsp3Model, kind: object, start: tuple[object, ...], sign: str, bound: int) -> None:
    """Add a row that ends in a comparison with a variable."""
    model.add(kind, (*start, sign, bound))


def add_distinct_values(model: Xcsp3Model, parts: Parts) -> None:
    operands, condition = parts.items_of("list"), parts.one("condition")
    excepted = tuple(map(integer, parts.items_of("except"))) if "except" in parts else ()
    native = None
    if all(map(is_plain, operands)):
        native = partial(add_row, model, NValues, (model.variables(operands), excepted))
    require(model, condition, native, lambda: distinct_values(list(map(model.tree, operands)), excepted))


def distinct_values(trees: Sequence[Tree], excepted: Sequence[int]) -> Tree:
    """Return the number of distinct values of trees: a tree counts 1 if not excepted, and unequal to earlier ones."""
    terms: list[Tree] = []
    check_size(len(trees) ** 2)
    for i, tree in enumerate(trees):
        repeats: list[Tree] = [("eq", tree, earlier) for earlier in trees[:i]]
        terms.append(("not", ("or", ("in", tree, ("set", *excepted)), *repeats)))
    return ("add", *terms)


def add_cardinality(model: Xcsp3Model, parts: Parts) -> None:
    operands, values, occurs = (parts.items_of("list"), parts.items_of("values"), parts.one("occurs"))
    occurrences = occurs[1:] if isinstance(occurs, list) and occurs[0] == "list" else [occurs]
    if len(values) != len(occurrences):
        raise ParseError(f"cardinality with {len(values)} values and {len(occurrences)} numbers of occurrences")
    closed = parts.attribute("values", "closed", False)
    if (
        all(map(is_plain, [*operands, *occurrences]))
        and all(map(is_number, values))
        and len(set(values)) == len(values)
    ):
        numbers = tuple(map(integer, values))
        model.add(Cardinality, (model.variables(operands), numbers, model.variables(occurrences), closed))
        return
    for value, occurrence in zip(values, occurrences, strict=True):
        condition = ["condition", "in", occurrence] if is_range(occurrence) else equals(occurrence)
        add_count_of(model, operands, [value], condition)
    for operand in operands if closed else []:
        model.require(takes(model, model.tree(operand), values))


def add_extreme(model: Xcsp3Model, parts: Parts) -> None:
    operands, condition = parts.items_of("list"), parts.one("condition")
    native = None
    if all(map(is_plain, operands)):
        native = partial(add_row, model, MinMax, (parts.name, model.variables(operands)))
    operator = {"minimum": "min", "maximum": "max"}[parts.name]
    require(model, condition, native, lambda: (operator, *map(model.tree, operands)))
