"""Boards are drawn with their cages, regions, clues and signs."""

import pytest

from puzzles.boards import families
from puzzles.boards.board import Board
from puzzles.boards.layout import Layout
from puzzles.formats import parse_text

DRAWN = {
    "killer 2x2 aabbaabbc.ddceed a=10 b=9 c=4 d=7 e=5": """\
+=======+=======+
#10     #9      #
# .   . # .   . #
#       #       #
# .   . # .   . #
+===+===+=======+
#4  |   #7      #
# . | . # .   . #
#   +---+---+   #
#   |5  :   |   #
# . | . : . | . #
+===+===+===+===+""",
    "killer 2x2 diagonals aabbccddeeffgghh a=3 b=7 c=7 d=3 e=6 f=4 g=4 h=6": """\
+=======+=======+
#3 \\    #7     /#
# .   . # .   . #
+-------+-------+
#7     \\#3 /    #
# .   . # .   . #
+=======+=======+
#6     /#4 \\    #
# .   . # .   . #
+-------+-------+
#4 /    #6     \\#
# .   . # .   . #
+=======+=======+""",
    "kakuro 3x3 # 4\\ 13\\ \\14 . . \\3 . .": """\
+---+---+---+
|###|   |   |
|###|4\\ |13\\|
+---+---+---+
|\\14|       |
|   | .   . |
+---+       |
| \\3|       |
|   | .   . |
+---+-------+""",
    "kenken 2 aabc a=3+ b=2 c=1": """\
+-------+
|3+     |
| .   . |
+---+---+
|2  |1  |
| . | . |
+---+---+""",
    "futoshiki 2 .... A1<A2 A2>B2": """\
.<.
  v
. .""",
    "queens 2 Q..x": """\
Q .
. x""",
    "magic 3 9 . . . . . . . .": """\
9 . .
. . .
. . .""",
    "jigsaw aaababbbcccdcddd 1..............4": """\
+-----------+---+
| 1   .   . | . |
|   +-------+   |
| . | .   .   . |
+---+-------+---+
| .   .   . | . |
|   +-------+   |
| . | .   .   4 |
+---+-----------+""",
}


@pytest.mark.parametrize(("line", "drawing"), DRAWN.items(), ids=lambda text: text.partition(" ")[0])
def test_a_board_is_drawn(line: str, drawing: str) -> None:
    (instance,) = parse_text(line, "t")
    problem: object = instance.problem
    assert isinstance(problem, Board | Layout)
    symbols = problem.symbols if isinstance(problem, Board) else problem.values
    cells = ["." if d == problem.full else symbols[d.bit_length() - 1] for d in instance.domains]
    if isinstance(problem, Layout):
        assert families.draw(problem, cells) == drawing
    else:
        assert problem.draw(cells) == drawing


def test_wider_texts_widen_every_square() -> None:
    problem = next(parse_text("killer 2x2 aabbaabbc.ddceed a=10 b=9 c=4 d=7 e=5", "t")).problem
    assert isinstance(problem, Board)
    lines = problem.draw(["1234"] * 16).splitlines()
    assert {len(line) for line in lines} == {1 + 4 * 5}
    assert lines[2] == "#1234 1234#1234 1234#"
