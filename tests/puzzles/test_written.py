"""Boards in the formats of other programs read back, and changed text is never read as another number of boards."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzles.boards.layout import Puzzle
from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, one_line, parse_text, read
from tests.boards import EASY, SOLVED
from tests.puzzles.written import WRITERS, Writer, game_id, mini_grids, rows

board = st.lists(st.sampled_from("....123456789"), min_size=80, max_size=80).map(lambda cells: "".join(["5", *cells]))


def texts(puzzles: list[Puzzle]) -> list[str]:
    assert {p.problem.name for p in puzzles} == {"sudoku 3x3"}
    return [one_line(p.problem, p.domains) for p in puzzles]


def read_or_refuse(text: str) -> list[Puzzle] | None:
    """Return the puzzles, or None if the text is refused in one line."""
    try:
        return parse(text)
    except BadInput as e:
        refusal = str(e)
    assert len(refusal.splitlines()) == 1
    return None


def parse(text: str, as_: str | None = None) -> list[Puzzle]:
    return list(parse_text(text, "t", ReaderOptions(as_)))


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS.keys())
@settings(max_examples=8, deadline=None, derandomize=True)
@given(boards=st.lists(board, min_size=1, max_size=3))
def test_boards_read_back_from_every_format(write: Writer, boards: list[str]) -> None:
    text = write(boards)
    assert texts(parse(text)) == boards
    assert texts(parse(f"# a comment\n\n{text}", "sudoku 3x3")) == boards


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS.keys())
def test_text_with_a_line_lost_is_refused_or_has_its_boards(write: Writer) -> None:
    """A line that is lost is a board that is lost, or makes the text invalid; boards are never mixed."""
    boards = [EASY, SOLVED, EASY[::-1], EASY[9:] + EASY[:9]]
    lines = write(boards).split("\n")
    for i in range(len(lines) - 1):
        found = read_or_refuse("\n".join(lines[:i] + lines[i + 1 :]))
        left = [[b for b in boards if b != lost] for lost in (*boards, None)]
        assert found is None or texts(found) in left, (i, lines[i])


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS.keys())
def test_changed_text_is_read_or_refused_in_one_line(write: Writer) -> None:
    random, whole = Random(1), write([EASY, SOLVED])
    for _ in range(40):
        i, j = sorted(random.choices(range(len(whole)), k=2))
        text = whole[:i] + random.choice(["", "[", "]", ":", "\n", '"', "<", "x", "99", "|"]) + whole[min(j, i + 9) :]
        assert all(len(p.domains) == len(p.problem.squares) for p in read_or_refuse(text) or ())


@pytest.mark.parametrize("break_", [",", ";", "\t", " ", " | ", ", "])
@pytest.mark.parametrize("puzzle", [EASY, EASY.replace(".", "0"), EASY.replace(".", "X")])
def test_a_solution_after_a_board_is_a_claim(break_: str, puzzle: str) -> None:
    (found,) = parse(f"{puzzle}{break_}{SOLVED}{break_}easy")
    assert texts([found]) == [EASY]
    assert found.solution is not None
    with pytest.raises(BadInput, match=r"^t:1: the solution"):
        parse(f"{puzzle}{break_}{SOLVED[::-1]}")


def test_two_boards_on_one_line_are_refused() -> None:
    with pytest.raises(BadInput, match=r"^t:1: two boards on one line"):
        parse(f"{EASY} {EASY}")


def test_a_line_of_one_character_too_many_is_refused_whatever_follows() -> None:
    for line in (f"{EASY}.", f"{EASY}. a name", f"a-hash {EASY}."):
        with pytest.raises(BadInput, match=r"^t:1: ") as refused:
            parse(line)
        assert "put #" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("3x3#123456", "a seed, not a board"),
        ("3x3xk:" + game_id(EASY)[4:], "has 0 parts behind its board"),
        ("9j:" + game_id(EASY)[4:], "has 0 parts behind its board"),
        ("9j:" + game_id(EASY)[4:] + ",abc", "states 8 borders of squares, not 144"),
        ("9jk:" + game_id(EASY)[4:], "both regions and diagonals or cages"),
        ("3x3:4e8", "states 7 squares, not 81"),
        ('{"puzzles": {"a": 1}}', "JSON with the key 'a', which is not read"),
        (
            '{"puzzle": "1...............", "cages": [[[0, 0], [0, 1]]]}',
            "'cages' beside the board of an object is a list",
        ),
        ("[[5, 3], [1, 2]", "not closed"),
        ("[" * 3000, "nested deeper"),
        ("[5, [1, 2]]", "stands beside a list"),
        ('<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY b "c">]>\n<opensudoku/>', "document type"),
        ('<?xml version="1.0"?>\n<html/>', "only OpenSudoku's"),
        ("<opensudoku><game", "not well-formed XML"),
        ('<opensudoku><game data="version: 3&#10;1|2"/></opensudoku>', "a saved game"),
        (f":0000:1:{EASY}:::\n{EASY}", "no library line"),
        (mini_grids([SOLVED])[:300].rpartition("\n")[0], "not complete"),
        (mini_grids([EASY])[::-1].replace("987", "978", 1)[::-1], "the next line of a row"),
    ],
)
def test_what_is_not_read_is_named(text: str, why: str) -> None:
    with pytest.raises(BadInput, match=r"^t:\d") as refused:
        parse(text)
    assert why in str(refused.value)


def test_candidates_are_domains() -> None:
    drawn = mini_grids(["." * 81]).replace("123", "1.3", 1).replace("456", "...", 1)
    (puzzle,) = parse(drawn)
    assert puzzle.domains == (0b111000101, *(0b111111111,) * 80)


def test_a_game_id_states_its_boxes() -> None:
    (puzzle,) = parse("2x3:1zh6")
    assert puzzle.problem.name == "sudoku 2x3"
    assert (puzzle.domains[0], puzzle.domains[-1]) == (1, 32)


def test_a_library_line_that_is_commented_out_is_no_directive() -> None:
    assert texts(parse(f":0000-x:1:{EASY}:::\n#:0110-1:2:{SOLVED}:::\n:0300:4:+{EASY}:412 513:413:")) == [EASY, EASY]


def test_an_array_is_named_by_its_line() -> None:
    assert [p.name for p in parse(WRITERS["JSON with null"]([EASY, EASY]))] == ["t:2", "t:103"]


def test_a_board_of_blanks_with_a_blank_at_its_end_is_read() -> None:
    assert parse(f"{' ' * 63}1 ", "sudoku 2x4")[0].domains[-1] == 1


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize(
    "names", [("unsolved", "solved"), ("question", "answer"), ("quiz", "solution"), ("Quizzes", "Solutions")]
)
def test_columns_are_found_by_name(separator: str, names: tuple[str, str]) -> None:
    lines = (("id", *names), ("1", EASY, SOLVED))
    (puzzle,) = parse("\n".join(separator.join(line) for line in lines))
    assert texts([puzzle]) == [EASY]
    assert puzzle.solution is not None


def test_a_csv_file_without_a_header_has_boards(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    for text in (f"{EASY},{SOLVED}\n", "\n".join(",".join(r) for r in rows(EASY.replace(".", "X"))), EASY):
        path.write_text(text)
        assert texts(list(read(path))) == [EASY]


def notes(text: str, as_: str | None = None) -> list[str]:
    found: list[str] = []
    list(parse_text(text, "t", ReaderOptions(as_, notify=found.append)))
    return found


QUASIGROUP = "1....1.........."  # equal givens in the first box alone


def test_a_guess_that_every_board_breaks_is_noted_if_another_layout_fits() -> None:
    (note,) = notes(f"{QUASIGROUP}\n{QUASIGROUP}")
    assert "sudoku 2x2" in note
    assert "--as 'latin 4'" in note
    assert notes(f"{QUASIGROUP}\n1...............") == []
    assert notes(f"1...............\n{QUASIGROUP}") == []
    assert notes("1..1............") == []
    assert notes(QUASIGROUP, "sudoku 2x2") == notes(f"#: sudoku 2x2\n{QUASIGROUP}") == []
