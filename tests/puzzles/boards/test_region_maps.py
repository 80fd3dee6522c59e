"""A board with a map of its regions is a jigsaw; boards that only look like one stay boards."""

from random import Random

import pytest

from puzzles.boards.families import layout
from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, parse_text
from puzzles.generating.generate import givens
from puzzles.generating.grids import full_grid
from puzzles.generating.regions import traded_regions
from puzzles.readers.boards.region_maps import is_region_map

MAP = "aaaabbcccaabbbbcccaadebbcfcdadebeffcdddeeefffdddeeefffgggggghhhiiiigghhhiiiiighhh"
GIVENS = "...1.9..397...3.8.2.3...1.71.8.4.....9..5.......9.73....7.94.3.4..8352....57..94."
BOXES = "".join("aaabbbccc" * 3 + "dddeeefff" * 3 + "ggghhhiii" * 3)
OTHER = "....821.32.19...5.6.3....9.5.2.4....8...6.4.......8.7...58.6...7.8...6.53.429.7.1"


def rows(text: str, between: str = "") -> str:
    """Return a board in rows."""
    return "".join(f"{between.join(text[i : i + 9])}\n" for i in range(0, 81, 9))


def marked(regions: str, marks: str) -> str:
    """Return a map in other marks."""
    return "".join(marks["abcdefghi".index(region)] for region in regions)


BOARD, DIGITS = rows(GIVENS), rows(marked(MAP, "123456789"))


@pytest.mark.parametrize(
    "text",
    [
        f"9\n{BOARD}{DIGITS}",
        f"{BOARD}{DIGITS}",
        f"9\n{DIGITS}{BOARD}",
        f"9\n{BOARD}\n9\n\n{DIGITS}",
        f"# a jigsaw\n{rows(GIVENS.replace('.', '0'))}# its map\n{rows(marked(MAP, '012345678'))}",
        f"9\n{rows(GIVENS, ' ')}{rows(marked(MAP, '573128946'), ' ')}",
        f"{GIVENS}\n{marked(MAP, '123456789')}\n",
        f"{marked(MAP, '123456789')}\n{GIVENS}\n",
    ],
    ids=[
        "size",
        "no size",
        "map first",
        "blank lines",
        "digits from 0",
        "with blanks",
        "a line each",
        "lines, map first",
    ],
)
def test_a_board_and_a_map_of_its_regions_are_a_jigsaw(text: str) -> None:
    (expected,) = parse_text(f"jigsaw {MAP} {GIVENS}", "t")
    notes: list[str] = []
    (found,) = parse_text(text, "t", ReaderOptions(notify=notes.append))
    assert (found.problem.key, found.domains) == (expected.problem.key, expected.domains)
    assert notes == ["t: a board whose digits fill connected regions is the map of a jigsaw"]


def test_jigsaws_of_a_file_have_the_names_and_claims_of_their_boards() -> None:
    text = f"#: count 1\n9\n{BOARD}{DIGITS}9\n{rows(OTHER)}{rows(marked(BOXES, '123456789'))}"
    found = list(parse_text(text, "t"))
    assert [puzzle.name for puzzle in found] == ["t:3", "t:22"]
    assert [puzzle.count for puzzle in found] == [1, 1]
    assert [puzzle.problem.name for puzzle in found] == [f"jigsaw {MAP}", f"jigsaw {BOXES}"]


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        (DIGITS, 1, "a map of regions without a board"),
        (f"{BOARD}{BOARD}{DIGITS}", 19, "a map of regions, but the board of line 1 has none"),
        (f"{BOARD}{DIGITS}{BOARD}", 19, "a board without a map of regions, which others have"),
        (f"{BOARD}{DIGITS}{BOARD}{BOARD}", 19, "a board without a map of regions, which others have"),
        (f"{BOARD}{DIGITS}{DIGITS}", 19, "a map of regions without a board"),
        (f"{GIVENS}\n{BOARD}{DIGITS}", 11, "a map of regions, but the board of line 1 has none"),
        (f"{BOARD}{DIGITS}{GIVENS}\n", 19, "a board without a map of regions, which others have"),
    ],
)
def test_boards_and_maps_that_do_not_alternate_are_refused(text: str, line: int, why: str) -> None:
    with pytest.raises(BadInput, match=f"t:{line}: {why}.*'jigsaw REGIONS BOARD'"):
        list(parse_text(text, "t"))


def test_boards_that_only_look_like_a_map_stay_boards() -> None:
    solved = "".join(str((3 * r + r // 3 + c) % 9 + 1) for r in range(9) for c in range(9))
    lines = "".join(str(r + 1) * 9 for r in range(9))
    torn = list(marked(MAP, "123456789"))
    torn[0], torn[-1] = torn[-1], torn[0]
    for other in (solved, lines, "".join(lines[i::9] for i in range(9)), "".join(torn), "1" + "." * 80):
        found = list(parse_text(f"{BOARD}{rows(other)}", "t"))
        assert [puzzle.problem.name for puzzle in found] == ["sudoku 3x3"] * 2


def test_a_stated_layout_makes_every_board_a_board() -> None:
    for text, options in (
        (f"{BOARD}{DIGITS}", ReaderOptions(as_="sudoku 3x3")),
        (f"#: sudoku 3x3\n{BOARD}{DIGITS}", ReaderOptions()),
        (f"{GIVENS}\n{marked(MAP, '123456789')}\n", ReaderOptions(as_="sudoku 3x3")),
    ):
        assert [puzzle.problem.name for puzzle in parse_text(text, "t", options)] == ["sudoku 3x3"] * 2


@pytest.mark.parametrize("seed", range(10))
def test_maps_are_told_from_solutions(seed: int) -> None:
    random = Random(seed)
    grid, boxes = full_grid(layout("sudoku 3x3"), random), [s // 27 * 3 + s % 9 // 3 for s in range(81)]
    regions = traded_regions(grid, boxes, 9, random)
    assert is_region_map(tuple(1 << k for k in regions))
    assert not is_region_map(givens(grid))
    assert not is_region_map((511, *givens(grid)[1:]))
