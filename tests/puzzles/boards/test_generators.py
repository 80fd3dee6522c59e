"""Generated boards have the solutions that their kind claims, by brute force; seed and index determine them."""

from functools import cache

import pytest

from backends.contract.answer import Ask, Session
from backends.contract.registry import find
from backends.native import python
from encoders.direct import constraints
from encoders.formula import AllDifferent
from puzzles import corpora
from puzzles.boards.layout import Layout
from puzzles.formats import parse_text
from puzzles.generating import grids
from puzzles.generating.boards import FAMILIES, maker, nth_line
from puzzles.generating.boards.magic import magic_square
from puzzles.generating.generate import Oracle
from puzzles.generating.grids import GenerationError
from puzzles.problem import Problem
from puzzles.problem.values import Domains
from tests.effort import slow_after
from tests.puzzles.boards.rules import groups, is_connected, solutions

SMALL = {  # small enough for brute force
    "killer": "killer 2x2",
    "kakuro": "kakuro 5x5",
    "kenken": "kenken 4",
    "futoshiki": "futoshiki 4",
    "queens": "queens 6",
    "magic": "magic 3",
    "jigsaw": "jigsaw 2x2",
}
KINDS = [(layout, kind) for family, layout in SMALL.items() for kind in maker(family, "easy").KINDS]


@cache
def reference(board: Layout) -> Session:
    return python.open(AllDifferent(len(board.squares), len(board.values), board.units))


def effort(board: Layout, domains: Domains, limit: int) -> int:
    return reference(board).ask(Ask(domains, 2, 1e5, limit)).counters["decisions"]


def count(board: Problem, domains: Domains, limit: int) -> int:
    session = reference(board) if isinstance(board, Layout) else find("cpsat").open(constraints(board))
    return len(session.ask(Ask(domains, limit, 1e5)).solutions)


ORACLE = Oracle(count, effort)


def test_every_family_of_boards_has_a_generator() -> None:
    assert set(SMALL) == FAMILIES


@pytest.mark.parametrize(("layout", "kind"), slow_after(8, KINDS))
def test_a_generated_board_has_the_claimed_number_of_solutions(layout: str, kind: str) -> None:
    claim = maker(layout.split()[0], kind).KINDS[kind]
    for n in range(3):
        found = len(solutions(nth_line(layout, kind, 1, n, ORACLE)))
        assert found == 1 if claim == "count 1" else found >= 1


@pytest.mark.parametrize("layout", ["kenken 4", "futoshiki 4", "queens 6", "magic 3", "jigsaw 2x2"])
def test_no_clue_of_a_minimal_board_can_be_left_out(layout: str) -> None:
    """Cages of a KenKen are merged, not left out."""
    line = nth_line(layout, "minimal", 1, 0, ORACLE)
    family, size, *words = line.split()
    if family == "futoshiki":
        fewer = [[words[0], *words[1 : i + 1], *words[i + 2 :]] for i in range(len(words) - 1)]
    elif family == "kenken":
        return
    elif family == "magic":
        fewer = [[*words[:i], ".", *words[i + 1 :]] for i, word in enumerate(words) if word != "."]
    else:
        fewer = [[f"{words[0][:i]}.{words[0][i + 1 :]}"] for i, mark in enumerate(words[0]) if mark != "."]
    assert fewer
    assert all(len(solutions(" ".join([family, size, *rest]))) > 1 for rest in fewer)


@pytest.mark.parametrize("layout", [layout.replace("queens 6", "queens 9") for layout in SMALL.values()])
def test_seed_and_index_determine_a_board(layout: str) -> None:
    lines = [nth_line(layout, "easy", seed, n, ORACLE) for seed, n in ((1, 0), (1, 1), (2, 0), (1, 0))]
    assert lines[0] == lines[3]
    assert len(set(lines)) == 3


@pytest.mark.parametrize("layout", ["killer 2x3", "kenken 5", "jigsaw 2x3"])
def test_cages_and_regions_are_connected(layout: str) -> None:
    words = nth_line(layout, "minimal", 1, 0, ORACLE).split()
    marks = words[1] if layout.startswith("jigsaw") else words[2]
    n = {36: 6, 25: 5}[len(marks)]
    assert all(is_connected(squares, n) for squares in groups(marks).values())


@pytest.mark.parametrize("n", [1, *range(3, 13)])
def test_a_magic_square_has_all_numbers_and_equal_sums(n: int) -> None:
    square = magic_square(n)
    sums = [*map(sum, square), *map(sum, zip(*square, strict=True))]
    sums += [sum(square[i][i] for i in range(n)), sum(square[i][n - 1 - i] for i in range(n))]
    assert sorted(number for row in square for number in row) == list(range(1, n * n + 1))
    assert set(sums) == {n * (n * n + 1) // 2}


@pytest.mark.parametrize(
    ("layout", "kind", "why"),
    [
        ("magic 2", "easy", "no magic square of order 2"),
        ("queens 3", "easy", "found no 3 queens"),
        ("kakuro 6x6", "several", "known are easy, hard"),
    ],
)
def test_impossible_boards_raise_generation_errors(layout: str, kind: str, why: str) -> None:
    with pytest.raises(GenerationError, match=why):
        nth_line(layout, kind, 1, 0, ORACLE)


@pytest.mark.parametrize("name", ["sudoku-x 2x2", "sudoku-x 3x3", "windoku"])
def test_layouts_with_more_units_have_random_full_grids(name: str) -> None:
    from random import Random

    from puzzles.boards.families import layout
    from puzzles.problem.check import violations

    board = layout(name)
    assert violations(board, board.open, grids.full_grid(board, Random(1))) == []


def test_generated_lines_are_read() -> None:
    for layout in SMALL.values():
        (instance,) = parse_text(nth_line(layout, "easy", 1, 0, ORACLE), "t")
        assert count(instance.problem, instance.domains, 2) == 1


@pytest.mark.parametrize(
    ("layout", "kind"), [("killer 2x3", "easy"), ("killer 3x3", "easy"), ("kakuro 6x6", "easy"), ("kakuro 9x9", "hard")]
)
def test_the_first_board_of_each_cheap_part_of_a_corpus_is_generated_again(layout: str, kind: str) -> None:
    corpus = corpora.find(layout.split()[0]).read_text().splitlines()
    assert nth_line(layout, kind, 1, 0, ORACLE) in corpus
