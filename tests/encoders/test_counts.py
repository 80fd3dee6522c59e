"""Every encoding of boards has exactly one model, projected onto the squares, per solution.

The encodings are those of the registry; those of integer variables are counted in test_combinations.py.
"""

import pytest
from hypothesis import given, settings

from backends.contract.cases import board as from_text
from encoders.at_most_one import AT_MOST_ONE
from encoders.cnf import efficient, extended
from encoders.formula import Cnf
from encoders.registry import ENCODINGS
from puzzles.boards.families import layout
from puzzles.boards.families.colouring import graph
from puzzles.boards.layout import Layout
from puzzles.problem.values import Domains
from tests.boards import one_board
from tests.brute_force import solutions
from tests.effort import examples
from tests.encoders.models import as_places, encoded, models

OF_BOARDS = [e for e in ENCODINGS.values() if e.formula is Cnf and not e.variables]
SPECS = [f"{e.name}+{one}" for e in OF_BOARDS if e.combines for one in AT_MOST_ONE]
SPECS += [e.name for e in OF_BOARDS if not e.combines]
SIX = "1.......61.32.15....4.3..........3.."
WHEEL = graph(3, 6, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (0, 3)])


@pytest.mark.parametrize("spec", SPECS)
def test_sudoku_4x4_has_288_models(spec: str) -> None:
    board = layout("sudoku 2x2")
    formula = encoded(spec, board)
    assert len(models(formula, board.open)) == 288


@pytest.mark.parametrize("spec", SPECS)
def test_latin_squares_of_order_4_have_576_models(spec: str) -> None:
    board = layout("latin 4")
    formula = encoded(spec, board)
    assert len(models(formula, board.open)) == 576


@pytest.mark.parametrize("spec", SPECS)
def test_sudoku_6x6_has_the_models_that_brute_force_finds(spec: str) -> None:
    board = layout("sudoku 2x3")
    domains = from_text(board, SIX)
    formula = encoded(spec, board, domains)
    expected = as_places(solutions(board, domains))
    assert len(expected) > 20
    assert models(formula, domains) == expected


@pytest.mark.parametrize("spec", SPECS)
def test_a_colouring_has_the_models_that_brute_force_finds(spec: str) -> None:
    formula = encoded(spec, WHEEL)
    expected = as_places(solutions(WHEEL, WHEEL.open))
    assert expected
    assert models(formula, WHEEL.open) == expected


@settings(max_examples=examples(50), deadline=None, derandomize=True)
@given(one_board())
def test_any_small_layout_has_one_model_per_solution(case: tuple[Layout, Domains]) -> None:
    board, domains = case
    for some in (domains, board.open):
        expected = as_places(solutions(board, some))
        if len(expected) <= 300:
            for spec in SPECS:
                assert models(encoded(spec, board, some), some) == expected, spec


def test_hidden_single_needs_a_unit_as_long_as_its_values() -> None:
    short = Layout("short", ("a", "b"), ("1", "2", "3"), ((0, 1),))
    exact = Layout("exact", ("a", "b", "c"), ("1", "2", "3"), ((0, 1, 2),))
    place = {board.name: extended(board).clauses.tolist() for board in (short, exact)}
    fewer = {board.name: efficient(board).clauses.tolist() for board in (short, exact)}
    assert place["short"] == fewer["short"]
    assert len(place["exact"]) > len(fewer["exact"])
