"""Lists of Sudoku as they are published: what stands beside a board is told apart from a mistake in it."""

from pathlib import Path

import pytest

from puzzles.boards.layout import Puzzle
from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, one_line, parse_text, read
from tests.boards import EASY, SOLVED

ZEROS = EASY.replace(".", "0")
SHA1 = "a1" * 20  # and the board after it have 121 characters together, a Latin square of order 11
REMARKS = {
    "a rating": f"{EASY} 7.1",
    "numbers": f"{EASY} 30 7.1",
    "digits": f"{EASY} 1 2 3 4 5 6 7 8 9",
    "ratings of an explainer": f"{EASY} ED=11.6/1.2/1.2",
    "ratings and a name": f"{EASY} 11.6/11.6/2.6 - Golden Nugget",
    "a name with a colon": f"{EASY} name: Golden Nugget",
    "a date": f"{EASY} 2006-05-04",
    "a tab": f"{EASY}\t7.1\tname",
    "a comma": f"{ZEROS},99529,Golden Nugget",
    "semicolons": f"{EASY};11.90/11.90/11.30;name;",
    "a comment": f"{EASY} # rating: 7.1",
    "a comment without a blank": f"{EASY}#easy",
    "a bar": f"{EASY}|easy",
    "a rating after a colon": f"{EASY}:7.1",
    "three ratings after a colon": f"{EASY}:9.1/1.2/1.2",
    "words after a colon and a blank": f"{EASY}: easy, by hand: 30",
    "a hash": f"0000183b305c {ZEROS}  1.2",
    "a hash of digits": f"000018330512 {ZEROS}  1.2",
    "a hash of SHA-1": f"{SHA1} {EASY}",
    "a hash that may be a board": f"{'1234' * 4} {EASY}",
    "a number": f"12 {EASY}",
    "a numbered line": f"1. {EASY}",
    "a number and a colon": f"1: {EASY}",
    "a number, fields": f"12,{ZEROS},easy",
    "a name": f"Golden Nugget {EASY}",
    "a name and a colon": f"Golden Nugget: {EASY}",
}
SOLUTIONS = {
    "a blank": f"{EASY} {SOLVED}",
    "a blank and a rating": f"{EASY} {SOLVED} 7.1",
    "a tab": f"{ZEROS}\t{SOLVED}\t25",
    "a comma": f"{ZEROS},{SOLVED}",
    "quotes": f'"{EASY}","{SOLVED}"',
    "a semicolon": f"{ZEROS};{SOLVED};easy",
    "a hash sign": f"{ZEROS}#{SOLVED}",
    "a colon": f"{EASY}:{SOLVED}",
    "a colon and a rating": f"{EASY}:{SOLVED}:7.1",
    "two colons": f"{EASY}::{SOLVED}",
    "a number before": f"12,{ZEROS},{SOLVED}",
}
COUNTS = {
    "a count": (f"{EASY}:1", 1, False),
    "a lower bound and a word": (f"{EASY}:2+ hard", 2, True),
    "a count and a comment": (f"{EASY}:1 # easy", 1, False),
    "a count and a field": (f"{EASY}:1;easy", 1, False),
    "a count, a solution and a rating": (f"{EASY}:1:{SOLVED}:7.1", 1, False),
}
LACKS, ONE_MORE = EASY[:-1], EASY + "."
MISTAKES = {
    "80 characters": (LACKS, "80 characters"),
    "82 characters": (ONE_MORE, "82 characters"),
    "80 and a rating": (f"{LACKS} 7.1", "the longest of 80"),
    "82 and a rating": (f"{ONE_MORE} 7.1", "the longest of 82"),
    "80 and a digit": (f"{LACKS} 9", "80 characters and a shorter word"),
    "79 and a number": (f"{EASY[:-2]} 25", "79 characters and a shorter word"),
    "78 and a rating": (f"{EASY[:-3]} 7.1", "78 characters and a shorter word"),
    "79, a tab and a number": (f"{EASY[:-2]}\t25", "79 characters and a shorter word"),
    "77 and a year": (f"{EASY[:-4]} 2006", "77 characters and a shorter word"),
    "a digit and 80": (f"1 {LACKS}", "80 characters and a shorter word"),
    "a number and 79": (f"12 {EASY[:-2]}", "79 characters and a shorter word"),
    "80, a comma and a digit": (f"{LACKS},9", "82 characters"),
    "79 and a comment": (f"{EASY[:-2]} # 25", "79 characters"),
    "80 and a count": (f"{LACKS}:1", "80 characters"),
    "a hash and 80": (f"0000183b305c {ZEROS[:-1]}  1.2", "the longest of 80"),
    "a letter": (f"{LACKS}a 7.1", "the longest of 81"),
    "a letter at the end": (f"{EASY}x", "82 characters"),
    "a solution of 80": (f"{EASY} {SOLVED[:-1]}", "the solution: 80 digits, but the board has 81 squares"),
    "a solution of 82": (f"{EASY},{SOLVED}1", "the solution: 82 digits, but the board has 81 squares"),
    "a solution of 80 after a colon": (f"{EASY}:{SOLVED[:-1]}", "the solution: 80 digits"),
    "another solution": (f"{EASY} {SOLVED[9:]}{SOLVED[:9]}", "the solution contradicts its puzzle"),
    "another solution after a colon": (f"{EASY}:{SOLVED[9:]}{SOLVED[:9]}", "the solution contradicts its puzzle"),
    "two boards": (f"{EASY} {EASY}", "two boards on one line"),
    "two boards and a colon": (f"{EASY}:{EASY}", "two boards on one line"),
    "a count in words": (f"{EASY}:one", "'one' is not a number of solutions"),
    "two counts": (f"{EASY}:1 2", "'1 2' is not a number of solutions"),
    "a count and a letter": (f"{EASY}:1x", "'1x' is not a number of solutions"),
}
STATED = [None, "sudoku 3x3"]


def one(text: str, as_: str | None) -> Puzzle:
    (puzzle,) = parse_text(text, "t", ReaderOptions(as_))
    assert one_line(puzzle.problem, puzzle.domains) == EASY
    return puzzle


@pytest.mark.parametrize("as_", STATED)
@pytest.mark.parametrize("kind", REMARKS)
def test_a_remark_beside_a_board_is_ignored(kind: str, as_: str | None) -> None:
    puzzle = one(REMARKS[kind], as_)
    assert (puzzle.count, puzzle.solution) == (None, None)


@pytest.mark.parametrize("as_", STATED)
@pytest.mark.parametrize("kind", SOLUTIONS)
def test_a_solution_after_a_board_is_a_claim(kind: str, as_: str | None) -> None:
    puzzle = one(SOLUTIONS[kind], as_)
    assert puzzle.solution is not None
    assert "".join(str(value + 1) for value in puzzle.solution) == SOLVED


@pytest.mark.parametrize("as_", STATED)
@pytest.mark.parametrize("kind", COUNTS)
def test_a_count_may_be_followed_by_a_remark(kind: str, as_: str | None) -> None:
    text, count, at_least = COUNTS[kind]
    puzzle = one(text, as_)
    assert (puzzle.count, puzzle.at_least, puzzle.solution is not None) == (count, at_least, SOLVED in text)


@pytest.mark.parametrize("as_", STATED)
@pytest.mark.parametrize("kind", MISTAKES)
def test_a_mistake_in_a_board_is_no_remark(kind: str, as_: str | None) -> None:
    text, why = MISTAKES[kind]
    with pytest.raises(BadInput) as refused:
        list(parse_text(f"{EASY} 7.1\n{text}\n{EASY}", "t", ReaderOptions(as_)))
    assert str(refused.value).startswith("t:2: ")
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.sdm", f"{ZEROS}\n{ZEROS}\n"),
        ("a.sdm", f"# made by hand\r\n{EASY}\r\n\r\n{EASY}\r\n"),
        ("a.sudoku", "\n".join(2 * [" ".join("123456789" if c == "." else c for c in EASY)])),
        ("a.opensudoku", f"<opensudoku>\n<game data='{ZEROS}'/><game data='{ZEROS}'/>\n</opensudoku>\n"),
        ("a.opensudoku", f"<!-- ours -->\n<opensudoku><game data='{ZEROS}'/>\n<game data='{ZEROS}'/></opensudoku>"),
    ],
)
def test_a_file_of_boards_is_read_whatever_its_format(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert [one_line(puzzle.problem, puzzle.domains) for puzzle in read(path)] == [EASY, EASY]
