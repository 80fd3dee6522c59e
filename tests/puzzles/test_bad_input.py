"""Invalid boards and graphs are rejected in one line that names the file and, if known, the line."""

from pathlib import Path

import pytest

from puzzles import corpora
from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, read
from tests.boards import EASY, SOLVED

ROWS = "\n".join(EASY[i : i + 9] for i in range(0, 81, 9))

BAD = {
    "80 characters": ("a.txt", f"# easy\n{EASY[:-1]}\n", 2, "80 characters"),
    "82 characters": ("a.txt", f"{EASY}\n{EASY}.\n", 2, "82 characters"),
    "a letter in a 9x9": ("a.txt", "A" + EASY[1:], 1, "'A'"),
    "the letter O": ("a.txt", EASY.replace(".", "O", 1), 1, "'.' and '0' are open; this is the letter O, not zero"),
    "a title and a line that is none": (
        "a.txt",
        f"Monday's puzzle\n17 + 4\n{ROWS}",
        2,
        "put # before the line, and the rest is read",
    ),
    "blanks in rows, cut": (
        "a.txt",
        "\n".join(r.replace(".", " ").rstrip() for r in ROWS.split("\n")),
        1,
        "open squares are '.'",
    ),
    "two kinds of open": ("a.txt", EASY[:-3] + "*79", 1, "'*'"),
    "eight rows": ("a.txt", "\n\n" + ROWS[:-10], 3, "8 rows of 9"),
    "one more than 4x4": (
        "a.txt",
        "1234" + "." * 13,
        1,
        "17 characters: a 4x4 board has 16 on one line; if this is a row",
    ),
    "ten rows": ("a.txt", ROWS + "\n.........", 10, "1 row of 9"),
    "a short row": ("a.txt", ROWS[:39] + ROWS[40:], 4, "8 characters"),
    "a blank line in a band": ("a.txt", ROWS[:9] + "\n\n" + ROWS[10:], 1, "1 row of 9"),
    "a letter in a row": ("a.txt", ROWS.replace("8...6...3", "8...Q...3"), 4, "'Q'"),
    "a value too large": ("a.txt", "#: sudoku 2x2\n1..5............", 2, "'5'"),
    "no text": ("a.txt", "", 0, "is empty"),
    "comments alone": ("a.txt", "# nothing\n\n", 0, "no puzzles"),
    "6x6 unstated": ("a.txt", "1" + "." * 35, 1, "sudoku 2x3"),
    "16x16, 0 value or open": ("a.txt", "0F" + "." * 254, 1, "--alphabet"),
    "16x16, letters alone": ("a.txt", "AB" + "." * 254, 1, "--alphabet"),
    "an alphabet too short": ("a.txt", "#: sudoku 4x4, alphabet 0123\n", 1, "alphabet"),
    "a repeated symbol": ("a.txt", "#: sudoku 2x2, alphabet 1123\n", 1, "alphabet"),
    "an open alphabet": ("a.txt", "#: sudoku 2x2, alphabet 123.\n", 1, "alphabet"),
    "an unknown word": ("a.txt", "#: sudoki 2x2\n", 1, "sudoki"),
    "a board named as a box": ("a.txt", "#: sudoku 9x9\n", 1, "a 9x9 board is 'sudoku 3x3'"),
    "a box too large": ("a.txt", "#: sudoku 9x9\n", 1, "8x8"),
    "an order too long": ("a.txt", f"#: latin {'9' * 190}\n", 1, "order"),
    "a false count": ("a.txt", f"{EASY}:one", 1, "'one'"),
    "nothing after the colon": ("a.txt", f"{EASY}:", 1, "':'"),
    "a claim after a row": ("a.txt", ROWS.replace("\n", ":1\n", 1), 1, "on one line"),
    "a solution too short": ("a.txt", f"{EASY}:1:{SOLVED[:-1]}", 1, "the solution"),
    "an open solution": ("a.txt", f"{EASY}:1:.{SOLVED[1:]}", 1, "leaves A1 open"),
    "a solution against a given": ("a.txt", f"{EASY}:1:{SOLVED[9:]}{SOLVED[:9]}", 1, "contradicts"),
    "a solution against the rules": ("a.txt", f"{'.' * 81}:1:{'1' * 81}", 1, "contradicts"),
    "a candidate twice": ("a.txt", " ".join(["11", *"." * 80]), 1, "twice"),
    "no candidate": ("a.txt", " ".join(["1x", *"." * 80]), 1, "'1x'"),
    "a number too large": ("a.txt", " ".join(["17", *"." * 255]), 1, "'17'"),
    "binary": ("a.txt", b"# a\n\x00\x01", 2, "binary"),
    "not UTF-8": ("a.txt", b"# a\n# b\n\xff\xfe", 3, "UTF-8"),
    "colours of 5,000 digits": ("a.col", f"c colours {'9' * 5000}\np edge 2 1\ne 1 2\n", 1, "digits"),
    "no colours": ("a.col", "p edge 2 1\ne 1 2\n", 1, "colouring"),
    "a truncated graph": ("a.col", "c colours 2\np edge 3 3\ne 1 2\n", 2, "truncated"),
    "a vertex too many": ("a.col", "c colours 2\np edge 3 1\ne 2 4\n", 3, "1 to 3"),
    "an edge too many": ("a.col", "c colours 2\np edge 3 0\ne 2 3\n", 3, "states 0"),
    "an edge too early": ("a.col", "e 2 3\n", 1, "before"),
    "no p line": ("a.col", "c nothing\n", 0, "no line 'p"),
    "two p lines": ("a.col", "p edge 1 0\np edge 1 0\n", 2, "second"),
    "a graph too large": ("a.col", "p edge 999999999 1\n", 1, "vertices"),
    "no line of a graph": ("a.col", "p edge 1 0\nz 1\n", 2, "'z 1'"),
    "a truncated square": ("a.pls", "order 3\n-1 0 1\n", 1, "truncated"),
    "a value of the order": ("a.pls", "order 2\n0 2\n", 2, "'2'"),
    "a row too long": ("a.pls", "order 2\n0 1 1\n", 2, "3 numbers"),
    "no order": ("a.pls", "0 1\n", 1, "order N"),
    "an order too large": ("a.pls", "order 1000\n", 1, "order"),
    "no column of puzzles": ("a.csv", "id,level\n1,2\n", 1, "no column"),
    "a field too many": ("a.csv", f"puzzle,solution\n{EASY},{SOLVED},1\n", 2, "3 fields"),
    "an open quote": ("a.csv", f'puzzle,solution\n"{EASY},{SOLVED}\n', 2, "CSV"),
}


@pytest.mark.parametrize(("file", "text", "line", "why"), BAD.values(), ids=BAD.keys())
def test_bad_input_is_rejected_in_one_line_with_its_location(
    tmp_path: Path, file: str, text: str | bytes, line: int, why: str
) -> None:
    path = tmp_path / file
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(BadInput) as refused:
        list(read(path))
    message = str(refused.value)
    assert message.startswith(f"{path}:{line}: " if line else f"{path}: ")
    assert why in message.removeprefix(str(path))
    assert len(message.splitlines()) == 1


@pytest.mark.parametrize("as_", ["colouring 4", "sudoku", "latin 3", "nonsense"])
def test_a_stated_layout_that_does_not_match_the_file_is_rejected(tmp_path: Path, as_: str) -> None:
    graph, board = tmp_path / "a.col", tmp_path / "a.txt"
    graph.write_text("p edge 2 1\ne 1 2\n")
    board.write_text(EASY[:80])
    with pytest.raises(BadInput, match=str(tmp_path)):
        list(read(board if as_ == "colouring 4" else graph, ReaderOptions(as_)))


def test_missing_files_and_directories_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such file"):
        list(read(tmp_path / "none.txt"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match="a folder without instances"):
        list(read(tmp_path / "empty"))
    assert corpora.find(str(tmp_path)) == tmp_path
    with pytest.raises(BadInput, match=r"did you mean .*hardest"):
        corpora.find("hardset.txt")


def test_a_line_longer_than_the_limit_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"." * (5 << 20))
    with pytest.raises(BadInput, match=":1: a line longer"):
        list(read(path))


def test_a_long_path_is_shown_in_full() -> None:
    name = "folder/" * 10 + "none.txt"
    with pytest.raises(BadInput, match=rf"^{name}: no such file"):
        corpora.find(name)
