"""Rows of dashes or blanks are rows, unless the lines around them show otherwise; boards are never mixed."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, one_line, parse_text
from tests.boards import EASY
from tests.effort import examples
from tests.puzzles.written import rows

# Made by hand, not for solving: half of the rows hold no given.
ROWLESS = ["." * 9, "..12.....", "." * 9, "." * 9, "4.5......", "......67.", "." * 9, "8.......9", "." * 9]


def read(text: str, as_: str | None = None) -> list[str]:
    return [one_line(p.problem, p.domains) for p in parse_text(text, "t", ReaderOptions(as_))]


def drawn(board: list[str], mark: str) -> str:
    return "\n".join(board).replace(".", mark)


@pytest.mark.parametrize("between", ["\n\n", "\n", "\nGrid 01\n", "\n# next\n"])
@pytest.mark.parametrize("mark", ["-", "=", " "])
@pytest.mark.parametrize("as_", [None, "sudoku 3x3"])
def test_boards_with_empty_rows_are_read_whole(between: str, mark: str, as_: str | None) -> None:
    boards = [ROWLESS, rows(EASY), ROWLESS[::-1], ROWLESS[3:] + ROWLESS[:3]] * 3
    text = between.join(drawn(board, mark) for board in boards)
    assert read(text, as_) == ["".join(board) for board in boards]


def test_many_stacked_boards_with_few_empty_rows_are_read() -> None:
    boards = [rows(EASY)] * 150
    boards[3] = [*rows(EASY)[:3], "." * 9, *rows(EASY)[4:]]
    boards[149] = boards[3]
    assert read("\n".join(drawn(board, "-") for board in boards)) == ["".join(board) for board in boards]


def test_a_single_board_with_an_empty_row_is_read() -> None:
    assert read(drawn(ROWLESS, "-")) == ["".join(ROWLESS)]


@pytest.mark.parametrize("rule", ["---------", "---|---|---", "-----------", "---+---+---", "--- --- ---", "========="])
@pytest.mark.parametrize("between", ["\n", "\n\n", "\n---------\n"])
def test_rules_among_rows_with_another_open_mark_are_dropped(rule: str, between: str) -> None:
    r = rows(EASY)
    board = "\n".join([*r[:3], rule, *r[3:6], rule, *r[6:]])
    assert read(between.join([board] * 9)) == [EASY] * 9


def test_rules_of_other_lengths_are_dropped_among_rows_of_dashes() -> None:
    r = rows(EASY.replace(".", "-"))
    for rule in ("-----------", "---+---+---", "+---------+"):
        board = "\n".join([*r[:3], rule, *r[3:6], rule, *r[6:]])
        assert read("\n".join([board] * 9)) == [EASY] * 9


def test_rules_among_full_rows_are_dropped_where_the_rows_are_complete_without_them() -> None:
    full = [f"{'123456789'[i:]}{'123456789'[:i]}" for i in (0, 3, 6, 1, 4, 7, 2, 5, 8)]
    ruled = "\n".join([*full[:3], "---------", *full[3:6], "---------", *full[6:]])
    assert read(ruled) == ["".join(full)]
    assert read("\n".join([*full[:4], "---------", *full[5:]])) == ["".join([*full[:4], "." * 9, *full[5:]])]


def test_lines_that_may_be_rows_or_rules_are_refused() -> None:
    r = rows(EASY.replace(".", "-"))
    board = "\n".join([*r[:3], "---------", *r[3:6], "---------", *r[6:]])
    assert read(board) == [EASY]
    for stacked in (9, 180):
        with pytest.raises(BadInput, match=r"^t:4: lines of 9 '-' may be rows or rules here"):
            read("\n".join([board] * stacked))


@pytest.mark.parametrize(
    "lines",
    [
        [*rows(EASY)[:6], "", *rows(EASY), *rows(EASY)[:3]],
        [*rows(EASY)[:3], "", *rows(EASY), *rows(EASY)[:6]],
        [*rows(EASY)[:8], "", *rows(EASY), rows(EASY)[8]],
        [*rows(EASY)[:3], "", *rows(EASY)[3:6], *rows(EASY)[6:]],
        [*rows(EASY)[:8], "# a comment", rows(EASY)[8]],
        [*rows(EASY)[:4], "---------", *rows(EASY)[4:8], "5-------9", *rows(EASY)],
    ],
)
def test_a_board_of_other_than_its_rows_is_refused(lines: list[str]) -> None:
    with pytest.raises(BadInput, match=r"^t:"):
        read("\n".join(lines))


givens = st.lists(st.sampled_from("......123456789"), min_size=81, max_size=81).map("".join)


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(givens, min_size=1, max_size=5), st.sampled_from("-. 0=X"), st.integers(0, 2**32), st.booleans())
def test_stacked_boards_are_read_as_they_are_or_refused(boards: list[str], mark: str, seed: int, ruled: bool) -> None:
    """Rows are emptied at random; rules, blank lines or nothing stand between boards and bands."""
    random = Random(seed)
    emptied, lines = [], list[str]()
    for board in boards:
        r = ["." * 9 if random.random() < 0.15 else row for row in rows(board)]
        emptied.append("".join(r))
        rule = ["-" * random.choice((9, 11))] * ruled
        lines += [*r[:3], *rule, *r[3:6], *rule, *r[6:], *[""] * random.randint(0, 1)]
    text = "\n".join(line.replace(".", mark) if line[:1] != "-" else line for line in lines)
    try:
        found = read(text)
    except BadInput:
        return
    assert found == emptied
