"""Objectives: their values are exact, their bounds hold, and they are part of the identity of a problem."""

from collections.abc import Callable
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.constraints.clauses import Clauses
from puzzles.objectives import kinds, objective_from_data, stated
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import Objective, Problem
from puzzles.problem.dumped import dump
from puzzles.problem.values import Integers
from puzzles.stored import load

NUMBERS = (-3, 0, 1, 2, 7)
numbers = st.integers(-(2**70), 2**70)
leaves: st.SearchStrategy[Any] = st.tuples(st.just("var"), st.integers(0, 2)) | st.tuples(
    st.just("number"), st.integers(-9, 9)
)


def trees(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(parts, min_size=1, max_size=3)
    many = st.builds(lambda name, held: (name, *held), st.sampled_from(["add", "mul", "min", "max", "or"]), several)
    two = st.tuples(st.sampled_from(["sub", "dist", "eq", "le"]), parts, parts)
    return many | two | st.tuples(st.sampled_from(["neg", "abs", "sqr", "not"]), parts)


objectives: st.SearchStrategy[Any] = st.one_of(
    st.builds(LinearObjective.of, st.dictionaries(st.integers(0, 2), numbers), numbers, st.booleans()),
    st.builds(ExpressionObjective.of, st.recursive(leaves, trees, max_leaves=8), st.booleans()),
    st.builds(
        SoftClauses.of,
        st.lists(
            st.tuples(st.integers(1, 2**64), st.lists(st.sampled_from([-3, -2, -1, 1, 2, 3]), max_size=3).map(tuple)),
            max_size=4,
        ),
    ),
)


def problem_of(goal: Objective) -> Problem:
    return Problem("small", ("a", "b", "c"), Integers(NUMBERS), (Clauses.of([(1, -1)]),), objective=goal)


def value(goal: Any, row: tuple[int, ...]) -> int:
    """Return the value of a row of numbers, computed with Python's integers alone."""
    if isinstance(goal, LinearObjective):
        return int(goal.offset + sum(a * row[x] for a, x in goal.terms))
    if isinstance(goal, SoftClauses):
        return sum(w for w, clause in goal.rows if not any((row[abs(x) - 1] == 1) == (x > 0) for x in clause))
    return tree_value(goal.tree, row)


TREE_VALUES: dict[str, Callable[[list[int]], int]] = {
    "add": sum,
    "mul": prod,
    "min": min,
    "max": max,
    "or": any,
    "sub": lambda held: held[0] - held[1],
    "dist": lambda held: abs(held[0] - held[1]),
    "eq": lambda held: held[0] == held[1],
    "le": lambda held: held[0] <= held[1],
    "neg": lambda held: -held[0],
    "abs": lambda held: abs(held[0]),
    "sqr": lambda held: held[0] ** 2,
    "not": lambda held: not held[0],
}


def tree_value(tree: Any, row: tuple[int, ...]) -> int:
    name, *parts = tree
    if name == "var":
        return row[int(parts[0])]
    if name == "number":
        return int(parts[0])
    return int(TREE_VALUES[name]([tree_value(part, row) for part in parts]))


@given(objectives)
def test_values_are_exact_and_within_the_bounds(goal: Any) -> None:
    problem = problem_of(goal)
    goal.check(problem)
    indices = np.array(list(product(range(len(NUMBERS)), repeat=3)), np.uint16)
    expected = [value(goal, tuple(NUMBERS[v] for v in row)) for row in indices.tolist()]
    assert goal.values(indices, problem).tolist() == expected
    low, high = goal.bounds(problem.open, problem)
    assert low <= min(expected)
    assert max(expected) <= high


@given(objectives)
def test_an_objective_is_restored_from_the_bytes_of_its_problem(goal: Any) -> None:
    problem = problem_of(goal)
    again = load(dump(problem))
    assert again == problem
    assert again.objective is not None
    again.objective.check(again)
    assert again.objective.words(again) == goal.words(problem)


def test_an_objective_is_part_of_the_identity_and_none_changes_nothing() -> None:
    parts = "small", ("a", "b", "c"), Integers(NUMBERS), (Clauses.of([(1, -1)]),)
    plain = Problem(*parts)
    one, two = (Problem(*parts, objective=LinearObjective.of({0: k})) for k in (1, 2))
    assert len({plain.digest, one.digest, two.digest}) == 3
    assert "objective" not in plain.content()
    assert Problem(*parts, objective=None).digest == plain.digest


def test_every_kind_is_discovered() -> None:
    assert set(kinds()) == {"linear", "soft", "expression", "imported", "models", "queries"}


def test_a_maximised_objective_is_turned_once_and_back_for_people() -> None:
    goal = LinearObjective.of({0: 3, 1: -2}, 5, maximise=True)
    problem = problem_of(goal)
    row = np.array([[2, 3, 0]], np.uint16)  # a = 1, b = 2
    (found,) = goal.values(row, problem).tolist()
    assert (found, stated(goal, found)) == (-4, 4)
    assert goal.words(problem) == "+3 a -2 b +5"
    tree = ExpressionObjective.of(("add", ("var", 0), ("number", 1)), maximise=True)
    assert tree.words(problem) == "add(a,1)"
    assert tree.values(row, problem).tolist() == [-2]


@pytest.mark.parametrize(
    "data",
    [
        {
            "kind": "linear",
            "maximise": False,
            "offset": "0",
            "coefficients": np.array([1, 2]),
            "variables": np.array([0]),
        },
        {"kind": "linear", "maximise": False, "offset": "0", "coefficients": np.array([1]), "variables": np.array([3])},
        {"kind": "soft", "maximise": False, "weights": np.array([1]), "clauses": np.array([1, 2])},
        {"kind": "soft", "maximise": False, "weights": np.array([0]), "clauses": np.array([1, 0])},
        {"kind": "soft", "maximise": False, "weights": np.array([1]), "clauses": np.array([9, 0])},
        {"kind": "expression", "maximise": True, "tree": ["var", 0]},
        {"kind": "expression", "maximise": False, "tree": ["var", 5]},
        {"kind": "expression", "maximise": False, "tree": ["cube", ["var", 0]]},
    ],
)
def test_what_is_no_objective_of_the_problem_is_refused(data: dict[str, Any]) -> None:
    goal = objective_from_data(data)
    with pytest.raises(ValueError):  # noqa: PT011 - any text will do
        goal.check(problem_of(goal))
