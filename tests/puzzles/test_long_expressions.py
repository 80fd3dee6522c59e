"""Expressions of long numbers: judged exactly, and refused where a number could grow without end."""

import numpy as np
import pytest

from puzzles.constraints.expression import Expression, Tree
from puzzles.problem import Problem
from puzzles.problem.values import Integers

X, Y = ("var", 0), ("var", 1)


@pytest.mark.parametrize(
    ("tree", "holds"),
    [
        (("gt", ("pow", X, Y), ("number", 7)), True),
        (("eq", ("mod", ("pow", X, Y), ("number", 7)), ("number", pow(5, 900, 7))), True),
        (("eq", ("mod", ("pow", X, Y), ("number", 7)), ("number", pow(5, 901, 7))), False),
    ],
)
def test_powers_beyond_floats_are_judged_exactly(tree: Tree, holds: bool) -> None:
    problem = Problem("p", ("x", "y"), Integers((5, 900)), (Expression((tree,)),))
    problem.constraints[0].check(problem)
    assert problem.constraints[0].satisfied(np.array([[0, 1]], np.uint16), problem).tolist() == [holds]


def squares(depth: int) -> Tree:
    return ("sqr", squares(depth - 1)) if depth else X


@pytest.mark.parametrize(
    ("tree", "too_long"),
    [
        (("pow", ("number", 10), ("number", 3000)), False),
        (("pow", ("number", 10), ("number", 4000)), True),
        (("pow", ("number", 10), ("pow", ("number", 9), ("number", 9))), True),
        (("pow", ("number", 1), ("pow", ("number", 9), ("pow", ("number", 9), ("number", 9)))), True),
        (squares(12), False),
        (squares(14), True),
        (squares(150), True),
        (("add", *[X] * 1000), False),
    ],
)
def test_trees_of_too_many_bits_are_found_without_evaluating_them(tree: Tree, too_long: bool) -> None:
    problem = Problem("p", ("x",), Integers((0, 3)), ())
    assert Expression((tree,)).too_long(problem) == too_long
