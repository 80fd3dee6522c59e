"""Constraints in which variables select others by their index: element, channel, minimumArg and maximumArg."""

from collections.abc import Sequence

from puzzles.constraints.element import Element
from puzzles.constraints.expression import Tree
from puzzles.errors import ParseError
from puzzles.readers.xcsp3.conditions import as_tree, comparisons, equals
from puzzles.readers.xcsp3.counting import add_linear, is_number, is_plain
from puzzles.readers.xcsp3.model import Xcsp3Model
from puzzles.readers.xcsp3.ordering import rectangle
from puzzles.readers.xcsp3.parts import Parts, Value, check_size, listed

STRICT = {"maximum_arg": ("gt", "ge"), "minimum_arg": ("lt", "le")}


def add_element(model: Xcsp3Model, parts: Parts) -> None:
    condition = parts.one("condition") if "condition" in parts else equals(parts.one("value"))
    if "matrix" in parts:
        add_matrix_element(model, parts, condition)
        return
    operands = parts.items_of("list")
    if "index" not in parts:  # the value is a member
        model.require(("or", *(as_tree(model, model.tree(x), condition) for x in operands)))
        return
    index, start = parts.one("index"), parts.attribute("list", "startIndex", 0)
    trees = [as_tree(model, model.tree(x), condition) for x in operands]
    add_rank(model, model.tree(index), start, trees, parts.own.get("rank", "any"))
    equal = comparisons(condition)
    if (
        equal is not None
        and [sign for sign, _ in equal] == ["="]
        and all(map(is_plain, [*operands, index, equal[0][1]]))
    ):
        row = (model.variables(operands), model.variable(index), start, model.variable(equal[0][1]))
        model.add(Element, row)
        return
    model.require(selected(model, model.tree(index), start, trees))


def add_rank(model: Xcsp3Model, index: Tree, start: int, trees: Sequence[Tree], rank: str) -> None:
    """Require that no tree before the index is true if its rank is `first`, and no tree after it if `last`."""
    if rank == "any":
        return
    for i, tree in enumerate(trees, start):
        model.require(("imp", ("gt" if rank == "first" else "lt", index, ("number", i)), ("not", tree)))


def selected(model: Xcsp3Model, index: Tree, start: int, trees: Sequence[Tree]) -> Tree:
    """Return the tree that is true if an index selects a tree that is true."""
    return ("or", *(("and", ("eq", index, ("number", i)), tree) for i, tree in enumerate(trees, start)))


def add_matrix_element(model: Xcsp3Model, parts: Parts, condition: Value) -> None:
    """Add the table of indices and values of a matrix of numbers, or a tree."""
    rows, indices = rectangle(parts.one("matrix")), parts.items_of("index")
    starts = [parts.attribute("matrix", name, 0) for name in ("startRowIndex", "startColIndex")]
    if len(indices) != 2:
        raise ParseError(f"element of a matrix with {len(indices)} indices")
    equal = comparisons(condition)
    operands = [*indices, *(operand for _, operand in equal or ())]
    numbers = all(is_number(item) for row in rows for item in row)
    if numbers and equal is not None and [sign for sign, _ in equal] == ["="] and all(map(is_plain, operands)):
        cells = [(i, j, item) for i, row in enumerate(rows, starts[0]) for j, item in enumerate(row, starts[1])]
        key = "matrix", tuple(cells)
        model.add_table(key, model.variables(operands), lambda: [number for cell in cells for number in cell])
        return
    first, second = map(model.tree, indices)
    lines = [
        selected(model, second, starts[1], [as_tree(model, model.tree(item), condition) for item in row])
        for row in rows
    ]
    model.require(selected(model, first, starts[0], lines))


def add_channel(model: Xcsp3Model, parts: Parts) -> None:
    """Require by `element` rows that lists are inverse: the variable at index i is the index of i in the other list."""
    sides = [
        (model.variables(listed(part)), parts.attribute("list", "startIndex", 0, i))
        for i, part in enumerate(parts.of("list"))
    ]
    if "value" in parts:
        add_channel_value(model, sides[0][0], sides[0][1], parts.one("value"))
        return
    (left, start), (right, other) = sides[0], sides[-1]
    if len(left) > len(right) or len(sides) > 2:
        raise ParseError(f"channel of lists of {', '.join(str(len(side)) for side, _ in sides)} variables")
    add_selections(model, left, start, right, other)
    if len(sides) == 2 and len(left) == len(right):
        add_selections(model, right, other, left, start)


def add_selections(model: Xcsp3Model, left: Sequence[int], start: int, right: Sequence[int], other: int) -> None:
    for i, x in enumerate(left, start):
        model.add(Element, (tuple(right), x, other, model.constant(i)))


def add_channel_value(model: Xcsp3Model, variables: Sequence[int], start: int, value: Value) -> None:
    """Require that the variable which a value selects is 1, and that all others are not."""
    index = model.variable(value)
    model.add(Element, (tuple(variables), index, start, model.constant(1)))
    for i, x in enumerate(variables, start):
        model.require(("imp", ("eq", ("var", x), ("number", 1)), ("eq", ("var", index), ("number", i))))


def add_extreme_index(model: Xcsp3Model, parts: Parts) -> None:
    """Add maximumArg or minimumArg. Its rank says which index of the extreme meets the condition."""
    operands, start = parts.items_of("list"), parts.attribute("list", "startIndex", 0)
    condition, rank = parts.one("condition"), parts.own.get("rank", "any")
    check_size(len(operands) ** 2)
    trees = list(map(model.tree, operands))
    best = [beats(trees, i, *STRICT[parts.name], rank) for i in range(len(trees))]
    found = comparisons(condition)
    if found is None or [sign for sign, _ in found] != ["="] or not is_plain(found[0][1]):
        ways = [("and", as_tree(model, ("number", i), condition), *beaten) for i, beaten in enumerate(best, start)]
        model.require(("or", *ways))
        return
    index = found[0][1]
    add_linear(model, [(1, index)], ">=", start)
    add_linear(model, [(1, index)], "<", start + len(trees))
    for i, beaten in enumerate(best, start):
        for tree in beaten if not is_number(index) else beaten * (i == index):
            model.require(tree if is_number(index) else ("imp", ("eq", model.tree(index), ("number", i)), tree))


def beats(trees: Sequence[Tree], i: int, strict: str, equal: str, rank: str) -> list[Tree]:
    """Return the comparisons by which an item is the extreme that a rank chooses."""
    above = {"any": (equal, equal), "first": (strict, equal), "last": (equal, strict)}[rank]
    return [(above[j > i], trees[i], tree) for j, tree in enumerate(trees) if j != i]
