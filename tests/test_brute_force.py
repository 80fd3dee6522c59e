"""Brute force itself, against the definition of a solution and figures of the literature."""

from itertools import product

import pytest
from hypothesis import given, settings

from encoders.direct import alldifferent
from encoders.formula import AllDifferent
from puzzles.boards.families import layout
from puzzles.boards.families.colouring import graph
from puzzles.boards.layout import Layout
from puzzles.problem.values import Domains
from tests.boards import one_board
from tests.brute_force import solutions
from tests.effort import examples


@given(one_board())
@settings(max_examples=examples(200))
def test_solutions_are_the_assignments_that_repeat_no_value_in_a_unit(case: tuple[Layout, Domains]) -> None:
    problem, domains = case
    every = product(*([v for v in range(9) if mask >> v & 1] for mask in domains))
    right = {s for s in every if all(len({s[q] for q in unit}) == len(unit) for unit in problem.units)}
    assert solutions(problem, domains) == solutions(alldifferent(problem), domains) == right


@pytest.mark.parametrize(
    ("name", "number"), [("sudoku 2x2", 288), ("latin 1", 1), ("latin 2", 2), ("latin 3", 12), ("latin 4", 576)]
)
def test_boards_have_as_many_solutions_as_the_literature_says(name: str, number: int) -> None:
    """OEIS A107739 and A002860."""
    assert len(solutions(layout(name), layout(name).open)) == number


@pytest.mark.parametrize("colours", [2, 3, 4])
def test_a_ring_has_as_many_colourings_as_its_chromatic_polynomial_says(colours: int) -> None:
    ring = graph(colours, 7, [(i, (i + 1) % 7) for i in range(7)])
    assert len(solutions(ring, ring.open)) == (colours - 1) ** 7 - (colours - 1)


def test_a_unit_with_a_square_twice_has_no_solution_and_a_board_without_squares_has_one() -> None:
    assert solutions(AllDifferent(2, 3, ((0, 0),)), (7, 7)) == set()
    assert solutions(AllDifferent(0, 3, ()), ()) == {()}
