"""Layouts and the check of a solution."""

from random import Random

import pytest

from puzzles.boards import families
from puzzles.boards.layout import Layout
from puzzles.errors import BadLayout
from puzzles.problem.check import violations
from puzzles.problem.values import bits
from tests.boards import SOLVED

NAMES = ["sudoku 2x2", "sudoku 2x3", "sudoku 3x3", "sudoku 3x4", "sudoku 4x4", "sudoku 1x5", "latin 1", "latin 7"]
NINE = families.layout("sudoku 3x3")
GRID = [int(c) - 1 for c in SOLVED]


@pytest.mark.parametrize("name", NAMES)
def test_units_are_permutations_that_cover_each_square_equally_often(name: str) -> None:
    layout = families.layout(name)
    assert layout.name == name
    assert len(set(layout.squares)) == len(layout.squares) == len(layout.values) ** 2
    assert all(layout.is_permutation(unit) and len(set(unit)) == len(unit) for unit in layout.units)
    assert len(set(map(frozenset, layout.units))) == len(layout.units)
    assert len({len(units) for units in layout.units_of}) == 1


def test_a_9x9_has_27_units_and_20_peers() -> None:
    assert len(NINE.units) == 27
    assert {len(p) for p in NINE.peers} == {20}
    assert (NINE.squares[0], NINE.squares[80]) == ("A1", "I9")


@pytest.mark.parametrize("name", NAMES)
def test_a_symmetry_maps_units_onto_units(name: str) -> None:
    layout = families.layout(name)
    units = set(map(frozenset, layout.units))
    for seed in range(10):
        image = families.families()[name.split()[0]].symmetry(layout, Random(seed))
        assert sorted(image) == list(range(len(layout.squares)))
        assert {frozenset(image[s] for s in unit) for unit in layout.units} == units


def test_equivalent_names_share_one_layout_object() -> None:
    same = [families.layout(" sudoku  3x3 "), families.layout("sudoku"), families.layout("sudoku 3x3", None)]
    assert all(layout is same[0] for layout in same)
    assert families.layout("sudoku 3x3", "ABCDEFGHI") is not NINE


@pytest.mark.parametrize(
    "name",
    [
        "",
        "chess",
        "sudoku 0x3",
        "sudoku 9x9",
        "sudoku 3",
        "latin",
        "latin 0",
        "latin 101",
        "latin " + "9" * 5000,
        "colouring 3",
        "colouring x",
        "colouring " + "9" * 5000,
    ],
)
def test_invalid_layout_parameters_are_rejected(name: str) -> None:
    with pytest.raises(BadLayout):
        families.layout(name)


def test_a_guessed_size_can_be_built() -> None:
    for family in families.families().values():
        for n in range(200):
            if parameters := family.guess(n * n):
                assert len(families.layout(f"{family.name} {parameters}").squares) == n * n


def test_a_board_is_drawn_with_its_boxes() -> None:
    family = families.families()["sudoku"]
    assert family.draw(families.layout("sudoku 2x2"), "1234" * 4).splitlines()[1:3] == ["1 2 | 3 4", "----+----"]


def test_a_domain_lists_its_values_from_the_smallest() -> None:
    assert list(bits(0b10110)) == [1, 2, 4]


def test_a_valid_solution_has_no_violations() -> None:
    assert violations(NINE, NINE.open, GRID) == []


def test_every_violation_is_named() -> None:
    """Swapping two squares of a row violates both columns, but neither row nor box."""
    swapped = [GRID[1], GRID[0], *GRID[2:]]
    assert violations(NINE, NINE.open, swapped) == ["A1 and I1 both hold 3", "A2 and D2 both hold 5"]


def test_a_solution_must_keep_to_the_candidates() -> None:
    domains = (NINE.full ^ 1 << GRID[0], *NINE.open[1:])
    assert violations(NINE, domains, GRID) == ["A1 may be 1, 2, 3, 4, 6, 7, 8 or 9, the answer has 5"]


@pytest.mark.parametrize(
    ("mask", "words"),
    [
        (0, "A1 has no candidates, the answer has 5"),
        (1 << 7, "A1 is given as 8, the answer has 5"),
        (0b110, "A1 may be 2 or 3, the answer has 5"),
        (0b1111, "A1 may be 1, 2, 3 or 4, the answer has 5"),
    ],
)
def test_the_message_lists_the_candidates_of_a_square(mask: int, words: str) -> None:
    assert violations(NINE, (mask, *NINE.open[1:]), GRID) == [words]


def test_only_the_first_of_many_candidates_are_listed() -> None:
    many = Layout("many", ("x",), tuple(map(str, range(30))), ())
    assert violations(many, (many.full ^ 1,), (0,)) == [
        "x may be 1, 2, 3, 4, 5, 6, 7, 8, 9 or 20 others, the answer has 0"
    ]


@pytest.mark.parametrize("value", [-1, 9, 1 << 70])
def test_a_value_index_outside_the_layout_is_a_violation(value: int) -> None:
    assert any(
        f"A1 has no value: its index is {value}, not one of 0 to 8" in v
        for v in violations(NINE, NINE.open, [value, *GRID[1:]])
    )


def test_a_solution_needs_a_value_for_each_square() -> None:
    assert violations(NINE, NINE.open, GRID[1:]) == ["has 80 values, not 81"]


def test_units_shorter_than_the_values_are_checked_too() -> None:
    edge = Layout("edge", ("x", "y"), ("red", "green", "blue"), ((0, 1),))
    assert violations(edge, edge.open, (2, 2)) == ["x and y both hold blue"]
    assert violations(edge, edge.open, (2, 0)) == []
