"""Constraints that compare variables with each other: allDifferent, allEqual, ordered, lex.

allDifferent of lists  any two lists differ somewhere; lists that are excepted may be equal
"""

from collections.abc import Sequence
from itertools import combinations, pairwise

from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.expression import Tree
from puzzles.constraints.lex import Lex
from puzzles.constraints.nvalues import NValues
from puzzles.errors import ParseError
from puzzles.readers.xcsp3.conditions import SIGNS
from puzzles.readers.xcsp3.counting import add_linear, distinct_values, is_plain
from puzzles.readers.xcsp3.model import Xcsp3Model
from puzzles.readers.xcsp3.parts import Parts, Value, check_size, integer, listed, shown


def add_all_different(model: Xcsp3Model, parts: Parts) -> None:
    excepted = listed(parts.one("except")) if "except" in parts else []
    if "matrix" in parts:
        rows = rectangle(parts.one("matrix"))
        for line in [*rows, *map(list, zip(*rows, strict=True))]:
            differ(model, line, excepted)
    elif len(lists := parts.of("list")) > 1:
        lists_differ(model, rectangle(["list", *lists]), excepted)
    else:
        differ(model, parts.items_of("list"), excepted)


def rectangle(value: Value) -> list[list[Value]]:
    """Return the rows of a matrix. Raises ParseError if their lengths differ."""
    rows = [listed(row) for row in value[1:]] if isinstance(value, list) and value[:1] == ["list"] else []
    if len({len(row) for row in rows}) != 1:
        raise ParseError(f"lists of {', '.join(str(len(row)) for row in rows[:9])} items: expected one length")
    return rows


def differ(model: Xcsp3Model, operands: Sequence[Value], excepted: Sequence[Value]) -> None:
    """Require that any two operands differ, unless their value is excepted."""
    if all(map(is_plain, operands)) and not excepted:
        model.add(AllDifferent, model.variables(operands))
        return
    check_size(len(operands) ** 2)
    members = ("set", *map(integer, excepted))
    for x, y in combinations(map(model.tree, operands), 2):
        different: Tree = ("ne", x, y)
        model.require(("or", different, ("in", x, members)) if excepted else different)


def lists_differ(model: Xcsp3Model, lists: Sequence[Sequence[Value]], excepted: Sequence[Value]) -> None:
    """Require that any two lists differ somewhere, unless they are an excepted list."""
    check_size(len(lists) ** 2 * len(lists[0]))
    rows = [list(map(model.tree, row)) for row in lists]
    tuples = [list(map(integer, listed(t))) for t in excepted]
    if any(len(t) != len(rows[0]) for t in tuples):
        raise ParseError(f"an excepted tuple of another length than the lists, {len(rows[0])}")
    for left, right in combinations(rows, 2):
        somewhere: list[Tree] = [("ne", x, y) for x, y in zip(left, right, strict=True)]
        equal: list[Tree] = [("and", *(("eq", x, ("number", n)) for x, n in zip(left, t, strict=True))) for t in tuples]
        model.require(("or", *somewhere, *equal))


def add_all_equal(model: Xcsp3Model, parts: Parts) -> None:
    if "except" in parts:
        excepted, operands = tuple(map(integer, parts.items_of("except"))), parts.items_of("list")
        if all(map(is_plain, operands)):
            model.add(NValues, (model.variables(operands), excepted, "<=", model.constant(1)))
        else:
            model.require(("le", distinct_values(list(map(model.tree, operands)), excepted), ("number", 1)))
        return
    for left, right in pairwise(rectangle(["list", *(["list", *listed(part)] for part in parts.of("list"))])):
        for x, y in zip(left, right, strict=True):
            compare(model, x, "eq", y)
    if len(parts.of("list")) == 1:
        for x, y in pairwise(parts.items_of("list")):
            compare(model, x, "eq", y)


def compare(model: Xcsp3Model, x: Value, operator: str, y: Value, shift: Value = 0) -> None:
    """Require a comparison of an operand plus another with a third."""
    if all(map(is_plain, (x, y, shift))):
        add_linear(model, [(1, x), (1, shift), (-1, y)], SIGNS[operator], 0)
    else:
        model.require((operator, ("add", model.tree(x), model.tree(shift)), model.tree(y)))


def operator_of(parts: Parts) -> str:
    """Return the operator of an order. Raises ParseError."""
    operator = parts.one("operator")
    name = operator[1] if isinstance(operator, list) and operator[:1] == ["text"] else operator
    if name not in ("lt", "le", "ge", "gt"):
        raise ParseError(f"unexpected operator {shown(operator)}")
    return str(name)


def add_ordered(model: Xcsp3Model, parts: Parts) -> None:
    operands, operator = parts.items_of("list"), operator_of(parts)
    lengths = parts.items_of("lengths") if "lengths" in parts else [0] * len(operands)
    if len(lengths) not in (len(operands), len(operands) - 1):
        raise ParseError(f"ordered list of {len(operands)} with {len(lengths)} lengths")
    for (x, y), length in zip(pairwise(operands), lengths, strict=False):
        compare(model, x, operator, y, length)


def add_lex(model: Xcsp3Model, parts: Parts) -> None:
    operator = operator_of(parts)
    if "matrix" in parts:
        rows = rectangle(parts.one("matrix"))
        pairs = [*pairwise(rows), *pairwise([list(column) for column in zip(*rows, strict=True)])]
    else:
        pairs = [*pairwise(rectangle(["list", *parts.of("list")]))]
    for left, right in pairs:
        if all(map(is_plain, (*left, *right))):
            model.add(Lex, (model.variables(left), model.variables(right), SIGNS[operator]))
        else:
            model.require(lexicographic(list(map(model.tree, left)), operator, list(map(model.tree, right))))


def lexicographic(left: Sequence[Tree], operator: str, right: Sequence[Tree]) -> Tree:
    """Return the tree that compares two lists of trees."""
    first, last = ("lt", operator) if operator in ("lt", "le") else ("gt", operator)
    tree: Tree = (last, left[-1], right[-1])
    for x, y in zip(reversed(left[:-1]), reversed(right[:-1]), strict=True):
        tree = ("or", (first, x, y), ("and", ("eq", x, y), tree))
    return tree
