"""Instances as text: drawn boards, and the first lines of files."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.showing.pictures import LINES, WIDTH, picture, pictures
from puzzles.boards.families import layout
from puzzles.boards.family import aligned, columns
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.linear import Linear
from puzzles.formats import parse_text
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import BOOLEAN, Instance, Problem
from puzzles.problem.values import Integers, Numbered


def instance(*constraints: object, variables: int = 3, values: object = BOOLEAN) -> Instance[Problem]:
    problem = Problem("made", Numbered("x", variables), values, tuple(constraints))  # type: ignore[arg-type]
    return Instance("made", problem, (problem.full,) * variables)


def test_a_board_is_drawn_with_its_givens() -> None:
    (board,) = parse_text("1...\n...2\n....\n....\n", "typed")
    assert picture(board).splitlines()[0] == "1 . | . ."


@pytest.mark.parametrize("name", ["sudoku 2x3", "latin 4", "sudoku 3x4", "windoku", "sudoku-x 2x2"])
def test_boards_of_one_layout_are_drawn_together_as_alone(name: str) -> None:
    """Candidates, empty squares and numbers of two digits are among them."""
    board, random = layout(name), Random(1)
    marks = [*range(len(board.values))]
    for known in (1, 2):  # candidates
        boards = [
            Instance(
                "made",
                board,
                tuple(
                    random.choice((board.full, sum(1 << v for v in random.sample(marks, known)))) for _ in board.squares
                ),
            )
            for _ in range(3)
        ]
        assert pictures(boards) == list(map(picture, boards))
    empty = [Instance("made", board, (0,) * len(board.squares))] * 2
    assert pictures([*empty, instance()]) == [*map(picture, empty), picture(instance())]


@given(
    st.lists(st.sampled_from([*"19.%A", " ", "12"]) | st.sampled_from("1."), max_size=40),
    st.integers(1, 12),
    st.tuples(st.integers(0, 3), st.integers(0, 4)),
)
def test_cells_of_one_character_are_drawn_as_any_others(cells: list[str], width: int, every: tuple[int, int]) -> None:
    assert columns(cells, width, every) == aligned(cells, width, every)


def test_a_formula_shows_its_size_and_first_clauses() -> None:
    lines = picture(instance(Clauses.of([[1, -2], [3]]))).splitlines()
    assert lines[1:] == ["p cnf 3 2", "1 -2 0", "3 0"]
    assert "2 clauses" in lines[0]


def test_an_objective_is_shown_and_its_lines_are_those_of_a_file() -> None:
    made = instance(Clauses.of([[1, -2]]))
    soft = replace(made, problem=replace(made.problem, objective=SoftClauses.of([(5, [-1, 3]), (2, [])])))
    assert picture(soft).splitlines()[1:] == [
        "minimise 5 unless not x1 or x3; 2 unless never",
        "5 -1 3 0",
        "2 0",
        "h 1 -2 0",
    ]
    rows = instance(Linear.of([([2, 1], [0, 1], ">=", 2)]))
    most = replace(rows, problem=replace(rows.problem, objective=LinearObjective.of({0: 3}, 0, True)))
    assert picture(most).splitlines()[1:4] == ["maximise +3 x1", "* #variable= 3 #constraint= 1", "max: +3 x1 ;"]


def test_long_formulas_and_lines_are_cut() -> None:
    long = picture(instance(Clauses.of([list(range(1, 100))] * 50), variables=99)).splitlines()
    assert len(long) == 1 + LINES + 1
    assert (long[1], long[-1]) == ("p cnf 99 50", "...")
    assert {len(line) for line in long[2:-1]} == {WIDTH}


def test_sums_are_written_as_opb_and_other_constraints_as_xcsp3() -> None:
    assert "+2 x1" in picture(instance(Linear.of([([2, 1], [0, 1], ">=", 2)])))
    assert "<allDifferent>" in picture(instance(AllDifferent(((0, 1, 2),)), values=Integers(range(3))))


def test_an_instance_of_many_constraints_has_no_lines() -> None:
    many = AllDifferent(((0, 1),) * 2001)
    assert "\n" not in picture(instance(many, values=Integers(range(3))))
