"""Boards in the forms in which people have them read back equal; what is none is refused with what was recognised."""

from contextlib import suppress
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzles.boards import families
from puzzles.boards.layout import Puzzle
from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, one_line, parse_text
from tests.boards import EASY, SOLVED
from tests.effort import examples
from tests.puzzles.boards import written
from tests.puzzles.boards.forms import FORMS, side_by_side, with_solution
from tests.puzzles.boards.test_notations import JIGSAW, KILLER

SIX = "1.3..6.5....2...4......5..3.6......."[:36]
DRAWN = ("separators", "blanks in boxes", "stars and underscores", "blanks in boxes of Unicode", "blanks in stars")
PLACES = ("one number a line", "keycaps", "wide digits", "digits in circles")


def boards(text: str, as_: str | None = None) -> list[Puzzle]:
    return list(parse_text(text, "t", ReaderOptions(as_)))


def squares(puzzles: list[Puzzle]) -> list[str]:
    return [one_line(puzzle.problem, puzzle.domains) for puzzle in puzzles]


@pytest.mark.parametrize("form", FORMS)
def test_a_form_states_its_board(form: str) -> None:
    (found,) = boards(FORMS[form](EASY, 3, 3))
    assert found.problem is families.layout("sudoku 3x3")
    assert one_line(found.problem, found.domains) == EASY


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=examples(24), deadline=None, derandomize=True)
@given(board=st.lists(st.sampled_from("....123456789"), min_size=81, max_size=81).map("".join))
def test_any_board_reads_back_from_a_form_or_is_refused(form: str, board: str) -> None:
    found = None
    with suppress(BadInput):
        found = squares(boards(FORMS[form](board, 3, 3)))
    assert found in (None, [board])


@pytest.mark.parametrize("form", FORMS)
def test_most_boards_are_read_in_every_form(form: str) -> None:
    random, refused = Random(58), 0
    for _ in range(20):
        board = "".join(random.choices("...........123456789", k=72)) + "." * 9
        try:
            assert squares(boards(FORMS[form](board, 3, 3))) == [board]
        except BadInput:
            refused += 1
    assert refused == 0


@pytest.mark.parametrize("form", DRAWN)
def test_drawn_boxes_state_the_layout_of_six_rows(form: str) -> None:
    for high, wide in ((2, 3), (3, 2)):
        (found,) = boards(FORMS[form](SIX, high, wide))
        assert (found.problem.name, squares([found])) == (f"sudoku {high}x{wide}", [SIX])


@pytest.mark.parametrize("kind", with_solution(EASY, SOLVED))
def test_a_puzzle_and_its_solution_are_one_puzzle_with_a_claim(kind: str) -> None:
    (found,) = boards(with_solution(EASY, SOLVED)[kind])
    assert squares([found]) == [EASY]
    assert found.solution is not None
    assert "".join(str(value + 1) for value in found.solution) == SOLVED


@pytest.mark.parametrize("kind", with_solution(EASY, SOLVED))
def test_a_solution_of_another_puzzle_is_refused(kind: str) -> None:
    with pytest.raises(BadInput, match=r"^t:\d+: the solution contradicts its puzzle"):
        boards(with_solution(EASY, SOLVED[9:] + SOLVED[:9])[kind])


def test_boards_before_and_after_are_two_boards() -> None:
    text = side_by_side(EASY, SOLVED, "      Before            After\n", "     ")
    assert squares(boards(text)) == [EASY, SOLVED]


def numbered(values: list[int]) -> str:
    """Return numbers as Solo writes them: letters for runs of nothing."""
    text, run = "", 0
    for value in [*values, None]:
        if value == 0:
            run += 1
            continue
        text += "z" * (run // 26) + (chr(96 + run % 26) if run % 26 else "")
        text += "_" * (not run and text[-1:].isdigit() and value is not None) + str(value or "")
        run = 0
    return text


def walls(n: int, regions: str) -> str:
    """Return the walls between regions as Solo writes them."""
    borders = [(r * n + c, r * n + c + 1) for r in range(n) for c in range(n - 1)]
    borders += [(r * n + c, r * n + c + n) for c in range(n) for r in range(n - 1)]
    text, run = "", 0
    for wall in (*(regions[a] != regions[b] for a, b in borders), True):
        run += not wall
        if wall:
            text += "z" * ((run - 1) // 25 if run else 0)
            run -= 25 * ((run - 1) // 25 if run else 0)
            text += chr(96 + run) if run else "_"
            run = 0
    return text


CAGES, CLUES = written.cages(KILLER)
SUMS = {mark: int(total) for mark, total in CLUES}


def sum_list(base: int) -> str:
    """Return a killer as a list of sums with the rows and columns of their squares."""
    at = {mark: [[s // 9 + base, s % 9 + base] for s in range(81) if CAGES[s] == mark] for mark in SUMS}
    return "problem = [" + ",\n           ".join(f"[{SUMS[mark]}, {at[mark]}]" for mark in SUMS) + "]\n"


def barred() -> str:
    """Return a map of cages with bars and rules between boxes, and several sums on a line."""
    rows = [row[:3] + "|" + row[3:6] + "|" + row[6:] for row in written.rows(CAGES)]
    rows[3:3], rows[7:7] = ["---+---+---"], ["---+---+---"]
    pairs = [f"{mark} = {total}" for mark, total in SUMS.items()]
    return "\n".join([*rows, *("   ".join(pairs[i : i + 2]) for i in range(0, len(pairs), 2))])


def solo(flags: str = "k") -> str:
    firsts = [SUMS[mark] if CAGES.index(mark) == s else 0 for s, mark in enumerate(CAGES)]
    return f"3x3{flags}:{numbered([0] * 81)},{walls(9, CAGES)},{numbered(firsts)}"


@pytest.mark.parametrize("text", [sum_list(0), sum_list(1), barred(), solo()], ids=["from 0", "from 1", "bars", "Solo"])
def test_a_killer_in_the_form_of_others_is_that_of_its_line(text: str) -> None:
    (expected,), (found,) = parse_text(KILLER, "t"), parse_text(text, "t")
    assert found.problem == expected.problem
    assert found.domains == expected.domains


def test_game_ids_have_diagonals_with_cages_and_the_regions_of_a_jigsaw() -> None:
    assert "diagonals" in next(parse_text(solo("xk"), "t")).problem.name
    _, regions, givens = JIGSAW.split()
    (expected,) = parse_text(JIGSAW, "t")
    (found,) = parse_text(f"9j:{numbered([int(c) if c != '.' else 0 for c in givens])},{walls(9, regions)}", "t")
    assert (found.problem, found.domains) == (expected.problem, expected.domains)


def test_a_title_names_the_rules_of_anti_knight() -> None:
    (found,) = boards("Anti-knight sudoku\n" + FORMS["#"](EASY, 3, 3))
    assert found.problem.name == "anti-knight 3x3"
    assert {(0, 11), (0, 19)} <= set(found.problem.units)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (FORMS["-1"](EASY, 3, 3).replace("-1", "0", 1), "t:1: 0 and -1 are both among the squares"),
        (FORMS["labels"](EASY, 3, 3).replace("D ", "F ", 1), "t:5: "),
        (FORMS["brackets"](EASY, 3, 3).replace("[6] ", "", 1), "t:1: "),
        (FORMS["#"](EASY, 3, 3).replace("7", "x", 1), "t:1: "),
        (FORMS["Row 1:"](EASY, 3, 3) + "5 3 . . 7 . . .\n", "t:10: '5 3 . . 7 . . .' is neither a row of"),
        (FORMS["LaTeX"](EASY, 3, 3).replace("5 & 3", "53", 1), "t:3: lines 4 to 11 are 8 rows of 9 squares, but"),
        (f'{{"puzzle": "{EASY}", "regions": [[1, 1], [2, 2]]}}', "t:1: 'regions' beside the board of an object"),
    ],
)
def test_a_mistake_in_a_form_is_refused_with_its_line(text: str, why: str) -> None:
    with pytest.raises(BadInput) as refused:
        boards(text)
    assert str(refused.value).startswith(why)


ROWS6 = "\n".join(SIX[i : i + 6] for i in range(0, 36, 6))


def test_layouts_are_advised_if_the_lines_are_read_with_them() -> None:
    with pytest.raises(BadInput, match=r"^t:1: 6 squares: .* state --as 'sudoku 2x3' or 'sudoku 3x2' or 'latin 6'$"):
        boards(ROWS6)
    for as_ in ("sudoku 2x3", "sudoku 3x2", "latin 6"):
        assert squares(boards(ROWS6, as_)) == [SIX]
    with pytest.raises(BadInput, match=r"2 lines of 6 make no board of 6 rows") as refused:
        boards("1.3.5.\n2.4.6.\n")
    assert "--as" not in str(refused.value)


def test_a_line_is_to_be_left_out_if_the_rest_is_read() -> None:
    text = f"+17 + 4\n{FORMS['brackets'](EASY, 3, 3)}"
    with pytest.raises(BadInput, match=r"^t:1: .*put # before the line, and the rest is read"):
        boards(text)
    assert squares(boards(f"# {text}")) == [EASY]


def test_pencil_marks_of_sixteen_values_are_read() -> None:
    symbols = "123456789ABCDEFG"
    shown = [
        "".join(c if (r * 7 + c_ * 3 + v) % 5 else "." for v, c in enumerate(symbols))
        for r in range(16)
        for c_ in range(16)
    ]
    lines = [" ".join(cell[k : k + 4] for cell in shown[r : r + 16]) for r in range(0, 256, 16) for k in (0, 4, 8, 12)]
    (found,) = boards("\n".join(lines))
    assert squares([found])[0].split() == [",".join(cell.replace(".", "")) for cell in shown]


def test_digits_beside_letters_may_be_a_number_or_candidates() -> None:
    text = " ".join(["12", "A", *"." * 254])
    with pytest.raises(BadInput, match=r"'12' may be a number or candidates beside letters: write 1,2 for candidates$"):
        boards(text)
    assert squares(boards(text.replace("12", "1,2")))[0].startswith("1,2 A")


def test_a_header_of_columns_alone_is_refused() -> None:
    with pytest.raises(BadInput, match=r"^t:1: "):
        boards("  1 2 3 4 5 6 7 8 9")
