"""Ranges of expressions, against the values of all assignments."""

from itertools import product

import numpy as np
import pytest

from puzzles.constraints.expression import OPERATORS, Tree, evaluated
from puzzles.constraints.ranges import Range, range_of

X, Y, Z = (("var", x) for x in range(3))
ENDS: tuple[Range, ...] = ((-3, -3), (-3, -1), (-2, 2), (-1, 0), (0, 0), (0, 3), (1, 1), (2, 3))


def values_within(tree: Tree, ends: tuple[Range, ...]) -> list[int]:
    rows = np.array(list(product(*(range(low, high + 1) for low, high in ends))), np.int64)
    found: list[int] = np.asarray(evaluated(tree, rows)[0]).tolist()
    return found


@pytest.mark.parametrize("name", OPERATORS)
def test_a_range_holds_every_value_and_is_exact_for_numbers_of_a_condition(name: str) -> None:
    fewest, most, _ = OPERATORS[name]
    tree = (name, *(X, Y, Z)[: fewest if most else 2])
    for ends in product(ENDS, repeat=len(tree) - 1):
        values = values_within(tree, ends)
        low, high = range_of(tree, ends.__getitem__)
        assert low <= min(values), (tree, ends)
        assert max(values) <= high, (tree, ends)
        if name in ("lt", "le", "gt", "ge", "ne", "eq", "not", "and", "or", "imp"):
            assert (low, high) == (min(values), max(values)), (tree, ends)


@pytest.mark.parametrize(
    ("tree", "ends", "expected"),
    [
        (("div", X, Y), ((7, 9), (2, 3)), (2, 4)),
        (("mod", X, Y), ((0, 9), (2, 3)), (0, 3)),
        (("pow", X, Y), ((0, 3), (0, 2)), (0, 9)),
        (("if", ("gt", X, Y), X, Z), ((5, 6), (2, 3), (90, 99)), (5, 6)),
        (("in", X, ("set", 1, 9)), ((2, 8),), (0, 0)),
        (("in", X, ("set", 1, 5)), ((5, 5),), (1, 1)),
        (("pow", ("number", 2), X), ((0, 10**9),), None),  # no problem has such a number; it takes no time to say so
    ],
)
def test_ranges_follow_signs_and_conditions(tree: Tree, ends: tuple[Range, ...], expected: Range | None) -> None:
    found = range_of(tree, ends.__getitem__)
    assert found == expected or (expected is None and found[1] > 1 << 9_999)
