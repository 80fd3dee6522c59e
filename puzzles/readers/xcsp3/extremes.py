"""maximumArg and minimumArg: a condition on the index of an extreme.

rank  any    some index of the extreme meets the condition
      first  the least index of the extreme does; last: the greatest
"""

from collections.abc import Sequence

from puzzles.constraints.expression import Tree
from puzzles.readers.xcsp3.conditions import as_tree, comparisons
from puzzles.readers.xcsp3.counting import add_linear, is_number, is_plain
from puzzles.readers.xcsp3.model import Xcsp3Model
from puzzles.readers.xcsp3.parts import Parts, check_size

STRICT = {"maximum_arg": ("gt", "ge"), "minimum_arg": ("lt", "le")}


def add_extreme_index(model: Xcsp3Model, parts: Parts) -> None:
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
