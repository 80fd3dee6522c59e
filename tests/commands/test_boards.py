"""Boards with cages, sums and comparisons at the verbs: drawn, solved, counted, generated; mistakes exit with 2."""

from pathlib import Path

import pytest

from puzzles.formats import read
from tests.conftest import Harness

KILLER = "killer 2x2 1............... aabbaabbcddeccee a=10 b=10 c=6 d=6 e=8"
SHOWN = """\
+=======+=======+
#10     #10     #
# 1   . # .   . #
#       #       #
# .   . # .   . #
+===+===+===+===+
#6  |6  :   |8  #
# . | . : . | . #
#   +---+---+   #
#       #       #
# .   . # .   . #
+=======+=======+
"""


def test_show_draws_cages_and_givens(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "k.txt").write_text(f"# cages\n{KILLER}\n")
    done = harness("show", tmp_path / "k.txt")
    assert (done.code, done.out, done.err) == (0, SHOWN, "")
    assert harness("show", KILLER).out == SHOWN


def test_solve_draws_the_solution(harness: Harness) -> None:
    done = harness("solve", "queens 4 .Q..............", "-b", "cpsat")
    assert (done.code, done.err) == (10, "")
    assert done.out.startswith("#: queens 4\nx Q x x\nx x x Q\nQ x x x\nx x Q x\n\npuzzle:1: cpsat: satisfiable")


def test_count_finds_all_solutions(harness: Harness) -> None:
    done = harness("count", "magic 3 . . . . . . . . .", "-b", "cpsat")
    assert (done.code, done.out) == (0, "puzzle:1: cpsat: 8 solutions, and no others\n")


@pytest.mark.parametrize("words", [("show", "--candidates"), ("trace",)])
def test_verbs_of_units_say_so(harness: Harness, words: tuple[str, ...]) -> None:
    done = harness(words[0], KILLER, *words[1:])
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "takes boards of units alone, not killer" in done.err


def test_a_mistake_in_a_line_exits_with_2(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "k.txt").write_text(f"{KILLER}\n{KILLER.replace(' e=8', '')}\n")
    done = harness("run", tmp_path / "k.txt", "-b", "cpsat")
    assert (done.code, done.out) == (2, "")
    assert done.err.endswith(f"{tmp_path / 'k.txt'}:2: cage e has no clue: expected e=SUM\n")


def test_letters_of_the_regions_of_a_jigsaw_are_no_tags(harness: Harness) -> None:
    done = harness("show", "jigsaw aaababbbcccdcddd 1...a.......b..4")
    assert "a  B1\nb  D1\n" in done.out
    assert "D | b | .   .   4 |\n" in done.out


def test_candidates_of_a_jigsaw_are_drawn_in_its_regions(harness: Harness) -> None:
    done = harness("show", "jigsaw aaababbbcccdcddd 1..............4", "--candidates")
    *lines, _, last = done.out.splitlines()
    assert done.code == 0
    assert lines[0].split() == ["1", "2", "3", "4"]
    assert lines[1].startswith("  +--")
    assert len({len(line) for line in lines[1:]}) == 1
    assert last.endswith("ways to fill the squares with these candidates.")
    assert [line[0] for line in lines if line[0] != " "] == ["A", "B", "C", "D"]
    assert "234" in done.out


def test_a_board_that_propagation_solves_is_filled_in_one_way(harness: Harness) -> None:
    done = harness("show", "3...4.23...114..", "--as", "sudoku 2x2", "--candidates")
    assert done.out.endswith("\n\n1 way to fill the squares with these candidates.\n")


def test_boards_are_generated_and_named_by_their_command(harness: Harness, tmp_path: Path) -> None:
    path = tmp_path / "f.txt"
    done = harness("generate", "--as", "futoshiki  4", "--kind", "minimal", "-n", 2, "--seed", 3, "-o", path)
    assert (done.code, done.err) == (0, "")
    first, second, *lines = path.read_text().splitlines()
    assert first.endswith("generate --as 'futoshiki 4' --kind minimal -n 2 --seed 3")
    assert (second, len(lines), [i.count for i in read(path)]) == ("#: count 1", 2, [1, 1])


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--as", "magic 2"), "no magic square of order 2"),
        (("--as", "magic x"), "state the order"),
        (("--as", "kakuro 2x2"), "from 3x3"),
        (("--as", "killer 9x9"), "a box is ROWSxCOLUMNS, such as 'killer 2x3'"),
        (("--as", "killer 3x3", "--kind", "several"), "known are easy, minimal, hard"),
        (("--as", "killer 3x3", "--alphabet", "ABCDEFGHI"), "--alphabet goes with boards of units alone"),
    ],
)
def test_what_can_not_be_generated_is_refused(harness: Harness, words: tuple[str, ...], why: str) -> None:
    done = harness("generate", *words)
    assert done.code == 2
    assert why in done.err
    assert done.err.count("\n") == 1


def test_trace_draws_each_line_between_the_rows_of_a_jigsaw_once(harness: Harness) -> None:
    done = harness("trace", "jigsaw aaababbbcccdcddd 1..............4")
    lines = done.out.splitlines()
    assert lines[4:9] == [
        "    1   2   3   4            1   2   3   4",
        "  +-----------+---+        +-----------+---+",
        "  |    123 123|123|        |    .23 .23|.23|",
        "A | 1  4   4  |4  |      A | 1  4   4  |.  |",
        "  |   +-------+   |        |   +-------+   |",
    ]
