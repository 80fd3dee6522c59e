"""What `show` and `solve` print is an input: the same problem, with the givens, candidates or solution drawn there."""

import re

import pytest

from harness.showing.axes import drawn
from harness.showing.formulas import solution_text, stated_layout
from harness.showing.pencil import candidates_text
from harness.showing.pictures import picture
from puzzles.boards.layout import Layout
from puzzles.errors import BadInput
from puzzles.formats import parse_text
from tests.conftest import Harness

BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ANSWER = (
    "\na b.txt:3: pysat:cadical195/extended: satisfiable, 1 solution, no others, 26 decisions, 3 conflicts, 4.8 us\n"
)
LAYOUTS = {
    "sudoku": BOARD,
    "latin": "#: latin 5\n1...2.....3.......4......",
    "4x4": "1....2....3....4",
    "sudoku-x": "#: sudoku-x 2x2\n1..............4",
    "windoku": f"#: windoku\n{'.' * 80}9",
    "2x3": "#: sudoku 2x3\n1..............................4....",
    "latin of composite order": f"#: latin 8\n{'.' * 63}1",
}
BOARDS = {
    "killer": "killer 3x3 aabccddeefgbbhidejfgkklimmnogkpqirnnssppqqtuusvvvwwtxuyzzABwtxxyzAACCCDDEEEFFFGDH a=10 b=18 "
    "c=11 d=11 e=19 f=11 g=14 h=4 i=12 j=2 k=22 l=1 m=13 n=10 o=4 p=9 q=20 r=8 s=11 t=14 u=11 v=15 w=19 x=24 y=15 z=13 "
    "A=14 B=3 C=18 D=9 E=13 F=16 G=4 H=7",
    "killer with diagonals": "killer 2x2 diagonals aabbccddeeffgghh a=3 b=7 c=7 d=3 e=6 f=4 g=4 h=6",
    "killer with givens": "killer 2x2 1............... aabbccddeeffgghh a=3 b=7 c=7 d=3 e=6 f=4 g=4 h=6",
    "killer of 2x3": "killer 2x3 aabbccddeeffgghhiijjkkllmmnnooppqqrr "
    + " ".join(f"{mark}=7" for mark in "abcdefghijklmnopqr"),
    "kakuro": r"kakuro 5x5 # 23\ 13\ # # \16 . . 24\ # \24 . . . 11\ # \17 . . . # # \10 9 .",
    "kenken": "kenken 5 aabbbcddeecffegchhigjhkig a=5/ b=9+ c=8* d=1- e=10+ f=3- g=12* h=10+ i=4- j=3 k=2",
    "futoshiki": "futoshiki 3 1........ A2<A3 B1>C1",
    "jigsaw": "jigsaw aaabcabbccdbcddd 1..............4",
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_board_is_read_back_plain_with_candidates_and_solved(name: str) -> None:
    (board,) = parse_text(LAYOUTS[name], "t")
    layout = board.problem
    assert isinstance(layout, Layout)
    start = stated_layout(layout)
    (found,) = parse_text(f"{start}{picture(board)}\n", "t")
    assert (found.problem.digest, found.domains) == (layout.digest, board.domains)
    some = [d & ~2 or d for d in board.domains]
    (found,) = parse_text(f"{start}{drawn(layout, [candidates_text(layout, d) for d in some])}\n", "t")
    assert (found.problem.digest, found.domains) == (layout.digest, tuple(some))
    solution = [s % len(layout.values) for s in range(len(layout.squares))]
    text = f"{start}{solution_text(layout, solution)}\n\n{solution_text(layout, solution)}\n{ANSWER}"
    first, second = parse_text(text, "t")
    assert first.domains == second.domains == tuple(1 << v for v in solution)
    assert first.problem.digest == layout.digest


@pytest.mark.parametrize("name", BOARDS)
def test_a_drawing_with_cages_regions_or_sums_is_read_back(name: str) -> None:
    (board,) = parse_text(BOARDS[name], "t")
    first, second = parse_text(f"{picture(board)}\n\n# another\n{picture(board)}\n{ANSWER}", "t")
    for found in (first, second):
        assert (found.problem.digest, found.domains) == (board.problem.digest, board.domains)


def test_a_tagged_board_is_read_back_without_its_tags(harness: Harness) -> None:
    tagged = harness("show", "53a.b" + BOARD[5:]).out
    assert "a  A3" in tagged
    (found,), (board,) = parse_text(tagged, "t"), parse_text(BOARD.replace("7", ".", 1), "t")
    assert found.domains == board.domains


def test_parts_of_a_cage_have_a_letter_and_are_refused_without_it() -> None:
    (board,) = parse_text("killer 2x2 aabbaabbccddeecc a=10 b=10 c=6 d=6 e=8", "t")
    (found,) = parse_text(picture(board), "t")
    assert (found.problem, found.domains) == (board.problem, board.domains)
    with pytest.raises(BadInput, match=r"a part of the drawing has no clue.* write '#: killer 2x2' above it$"):
        list(parse_text(re.sub("[a-z]", " ", picture(board)), "t"))
    (loose,) = parse_text("#: killer 2x2\n" + re.sub("[a-z]", " ", picture(board)), "t")
    assert loose.problem.name == board.problem.name
    assert loose.problem != board.problem
