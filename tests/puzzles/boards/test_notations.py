"""Boards as people write them are those of their lines: each notation against the line that states the same board."""

from random import Random

import pytest

from puzzles.boards.board import Board
from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, parse_text
from tests.puzzles.boards import written
from tests.puzzles.boards.written import drawn, legend, positions, rows

KILLER = (
    "killer 3x3 aabccddeefgbbhidejfgkklimmnogkpqirnnssppqqtuusvvvwwtxuyzzABwtxxyzAACCCDDEEEFFFGDH a=10 b=18 c=11 d=11 "
    "e=19 f=11 g=14 h=4 i=12 j=2 k=22 l=1 m=13 n=10 o=4 p=9 q=20 r=8 s=11 t=14 u=11 v=15 w=19 x=24 y=15 z=13 A=14 B=3 "
    "C=18 D=9 E=13 F=16 G=4 H=7"
)
KENKEN = "kenken 5 aabbbcddeecffegchhigjhkig a=5/ b=9+ c=8* d=1- e=10+ f=3- g=12* h=10+ i=4- j=3 k=2"
KAKURO = r"kakuro 5x5 # 23\ 13\ # # \16 . . 24\ # \24 . . . 11\ # \17 . . . # # \10 9 ."
FUTOSHIKI = (
    "futoshiki 5 ................3.....4.. A1>A2 A3<A4 A4>A5 A4>B4 B2>B3 B2>C2 B3<B4 B4<B5 B4>C4 C2<D2 C3>C4 C4<C5 "
    "C4<D4 C5>D5 D1<E1 D2<E2 D3>D4 D4>E4 E3>E4 E4<E5"
)
REGIONS = "abbbbbbbcaaaabccccaaaabccdceeefffcddeeefffdddeeefffdddggghiiiiiggghhhiiiggghhhhhi"
GIVENS = "........8...98.3....437.5..6..593.8.24....6.39...6.1.....1.97...5.2..8.63.7846..."
JIGSAW = f"jigsaw {REGIONS} {GIVENS}"
DIGITS = REGIONS.translate(str.maketrans("abcdefghi", "123456789"))
BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SUDOKU = f"#: sudoku 3x3\n{BOARD}"
ZEROS = [[int(digit) for digit in row] for row in rows(BOARD.replace(".", "0"))]
SAME: dict[str, tuple[str, str]] = {
    "killer, letters and a legend": (KILLER, legend(KILLER, "{0} = {1}\n")),
    "killer, legend on a line": (KILLER, legend(KILLER, "{0}{1},")),
    "killer, a title": (KILLER, f"Killer of Monday\n\n{legend(KILLER, '{0}: {1}; ')}"),
    "killer, sums above the map": (KILLER, written.clues_above_map(KILLER)),
    "kenken, letters and a legend": (KENKEN, legend(KENKEN, "{0}: {1}\n")),
    "kenken, a heading": (KENKEN, f'.KK "5x5"\n{legend(KENKEN, "{0} {1}" + chr(10))}'),
    "kenken, capitals and x": (KENKEN, legend(KENKEN, "{0} {1}\n").upper().replace("*", "x")),
    "kenken, cages by number": (KENKEN, written.numbered(KENKEN)),
    "kenken, clues above the map": (KENKEN, written.clues_above_map(KENKEN)),
    "kenken, a list of cages": (KENKEN, written.cage_list(KENKEN)),
    "kenken, a list with other signs": (KENKEN, written.cage_list(KENKEN).replace("*", "x").replace("/", "÷")),
    "kakuro, cross-sums": (KAKURO, positions(KAKURO, "  ", open="_", blocked="\\")),
    "kakuro, slashes": (KAKURO, positions(KAKURO, " ", clue="/", blocked="x")),
    "kakuro, colons": (KAKURO, positions(KAKURO, " ", clue=":", blocked=":", open="_")),
    "kakuro, commas in clues": (KAKURO, positions(KAKURO, " ", clue=",", blocked="-", open="0")),
    "kakuro, CSV": (KAKURO, positions(KAKURO, ",", open="", blocked="\\")),
    "kakuro, CSV with semicolons": (KAKURO, positions(KAKURO, ";", open="")),
    "kakuro, tabs": (KAKURO, positions(KAKURO, "\t")),
    "kakuro, bars": (KAKURO, positions(KAKURO, " | ", open="-", blocked="x")),
    "kakuro, C and F": (KAKURO, written.letter_clues(KAKURO)),
    "futoshiki, drawn": (FUTOSHIKI, written.futoshiki_drawn(FUTOSHIKI, 2)),
    "futoshiki, drawn wide": (FUTOSHIKI, written.futoshiki_drawn(FUTOSHIKI, 4).replace(".", "·")),
    "futoshiki, grids": (FUTOSHIKI, written.futoshiki_grids(FUTOSHIKI)),
    "jigsaw, one line each": (JIGSAW, f"{GIVENS}\n{DIGITS}\n"),
    "jigsaw, map first": (JIGSAW, f"{DIGITS}\n{GIVENS}\n"),
    "jigsaw, on one line": (JIGSAW, f"{GIVENS} {DIGITS}\n"),
    "jigsaw, with a comma": (JIGSAW, f"{DIGITS},{GIVENS}\n"),
    "jigsaw, beside": (JIGSAW, "\n".join(map(" ".join, zip(rows(GIVENS), rows(DIGITS), strict=True)))),
    "jigsaw, letters below": (JIGSAW, f"{drawn(GIVENS)}\n{drawn(REGIONS)}"),
    "jigsaw, CSV": (JIGSAW, f"puzzle,regions\n{GIVENS},{DIGITS}\n"),
    "jigsaw, Python": (JIGSAW, f'board = "{GIVENS}"\nregions = "{DIGITS}"\n'),
    "jigsaw, walls": (JIGSAW, written.walls(REGIONS, GIVENS)),
    "sudoku, three quotes": (SUDOKU, f'grid = """\n{drawn(BOARD)}"""\n'),
    "sudoku, quotes at once": (SUDOKU, f"'''{drawn(BOARD, ' ').strip()}'''"),
    "sudoku, list of strings": (SUDOKU, f"grid = {rows(BOARD)}\n"),
    "sudoku, list of lists": (SUDOKU, f"board = {ZEROS}\n"),
    "sudoku, a title": (SUDOKU, f"Monday's puzzle\n{drawn(BOARD)}"),
    "sudoku-x, Solo": ("#: sudoku-x 2x2\n1...............", "2x2x:1o\n"),
}


@pytest.mark.parametrize(("line", "notation"), SAME.values(), ids=SAME)
def test_a_notation_states_the_board_of_its_line(line: str, notation: str) -> None:
    (expected,), (found,) = parse_text(line, "t"), parse_text(notation, "t")
    assert found.problem.digest == expected.problem.digest
    assert found.domains == expected.domains


def test_a_killer_has_givens_before_its_map_or_beside_it() -> None:
    givens = f"{'.' * 40}7{'.' * 40}"
    text, clues = written.cages(KILLER)
    (expected,) = parse_text(KILLER.replace("3x3 ", f"3x3 {givens} "), "t")
    below = "\n".join(f"{mark}={clue}" for mark, clue in clues)
    beside = "\n".join(map(" ".join, zip(rows(givens), rows(text), strict=True)))
    for stated in (f"{drawn(givens)}\n{drawn(text)}\n{below}", f"{beside}\n{below}"):
        (found,) = parse_text(stated, "t")
        assert (found.problem.digest, found.domains) == (expected.problem.digest, expected.domains)


def test_a_killer_with_diagonals_is_read_from_its_code_and_from_a_drawing() -> None:
    plain, text = "killer 2x2 aabbccddeeffgghh a=3 b=7 c=7 d=3 e=6 f=4 g=4 h=6", "aabbccddeeffgghh"
    (found,), (other,) = parse_text(plain.replace("2x2", "2x2 diagonals"), "t"), parse_text(plain, "t")
    sums = {"a": 3, "b": 7, "c": 7, "d": 3, "e": 6, "f": 4, "g": 4, "h": 6}
    code = ":".join(str(256 * sums[mark] + text.index(mark)) for mark in text)
    sumo = "".join(f"={sums[m]}" if text.index(m) == s else f"+{text.index(m)}" for s, m in enumerate(text))
    titled = f"Killer with diagonals\n{drawn(text)}" + " ".join(f"{mark}={total}" for mark, total in sums.items())
    for stated in (f"2x2:d:k:{code}", titled, f"SumoCueV1D{sumo}"):
        (same,) = parse_text(stated, "t")
        assert same.problem.digest == found.problem.digest != other.problem.digest


def test_numbers_in_the_map_of_a_kenken_are_givens() -> None:
    (found,) = parse_text("abbc\na2cc\nddef\n4def\n\na: 1-\nb: 3-\nc: 36*\nd: 7+\ne: 2/\nf: 2/\n", "t")
    (expected,) = parse_text("kenken 4 abbcaxccddefydef a=1- b=3- c=36* x=2 d=7+ e=2/ f=2/ y=4", "t")
    assert isinstance(found.problem, Board)
    assert isinstance(expected.problem, Board)
    assert found.problem.grid.labels == expected.problem.grid.labels


@pytest.mark.parametrize("text", [f"{BOARD}\n", drawn(BOARD), drawn(BOARD, " ")], ids=["line", "rows", "blanks"])
@pytest.mark.parametrize("word", ["ABCDEFGHI", "NIGHTMARX", "MASTERFUL"])
def test_letters_are_symbols_without_an_alphabet(text: str, word: str) -> None:
    (digits,), (found,) = parse_text(text, "t"), parse_text(text.translate(str.maketrans("123456789", word)), "t")

    def given(domains: tuple[int, ...], symbols: tuple[str, ...]) -> list[str]:
        return [symbols[d.bit_length() - 1] if d.bit_count() == 1 else "" for d in domains]

    assert sorted(found.problem.values) == sorted(word)
    assert given(found.domains, found.problem.values) == given(digits.domains, tuple(word))


def test_letters_that_leave_one_unknown_need_an_alphabet() -> None:
    board = BOARD.replace("1", ".").translate(str.maketrans("23456789", "MASTERFU"))
    with pytest.raises(BadInput, match="--alphabet"):
        list(parse_text(board, "t"))
    (found,) = parse_text(board, "t", ReaderOptions(alphabet="MASTERFUL"))
    assert "".join(found.problem.values) == "MASTERFUL"


def test_zero_is_a_value_of_16_where_open_squares_have_another_mark() -> None:
    row = "0123456789ABCDE-"
    board = "".join(f"{row[4 * (i % 4) :]}{row[: 4 * (i % 4)]}\n" if i < 4 else f"{'-' * 16}\n" for i in range(16))
    (found,) = parse_text(board, "t")
    assert "".join(found.problem.values) == "0123456789ABCDEF"


def test_candidates_with_a_comma_are_no_clues_of_a_kakuro() -> None:
    rows_of_groups = "\n".join(" ".join("1,2" if (r + c) % 4 < 2 else "3,4" for c in range(4)) for r in range(4))
    (found,) = parse_text(f"#: latin 4\n{rows_of_groups}", "t")
    assert set(found.domains) == {0b0011, 0b1100}


def test_rows_with_blanks_for_open_squares_are_no_clues_of_cages() -> None:
    text = "  12     \n4 5      \n     67  \n8       9\n" + f"{' ' * 9}\n" * 5
    (found,) = parse_text(text, "t")
    assert found.problem.name == "sudoku 3x3"


def refusal(text: str) -> str:
    """Return why a text is refused, '' if it is read. Any other exception is a bug."""
    try:
        list(parse_text(text, "t"))
    except BadInput as refused:
        return str(refused)
    return ""


@pytest.mark.parametrize("seed", range(200))
def test_a_notation_with_mistakes_is_read_or_refused_in_one_line(seed: int) -> None:
    random = Random(seed)
    text = list(random.choice(sorted(SAME.values()))[1])
    for _ in range(random.choice((1, 2, 5))):
        at, marks = random.randrange(len(text)), "0123456789.ab<>^v|-+*/\\,:=# \n\"'"
        text[at : at + random.choice((0, 1, 1, 20))] = random.choices(marks, k=random.choice((0, 1, 8)))
    assert "\n" not in refusal("".join(text))


def test_titles_are_noted_and_are_no_boards() -> None:
    notes: list[str] = []
    text = f"Ten boards\n\n{BOARD}\n{BOARD[::-1]}\n\nA drawn one\n{drawn(BOARD)}"
    assert len(list(parse_text(text, "t", ReaderOptions(notify=notes.append)))) == 3
    assert notes == ["t: a line of words before a board is its title, such as 'Ten boards'"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("https://sudokupad.app/abc", "a link of SudokuPad"),
        ("https://puzz.link/p?kakuro/5/5/", "puzz.link"),
        ("5:0,0L,0L,0,0,0R,0,0L,0D,", "Unequal"),
        ("4:a_2b_a3b2_a,m12a5s1", "Keen"),
        ("begin\npuzzle kakuro\nsize 4\n", "janko.at"),
        ("4\n[(0,0),(0,1)] mult 24\n[(1,0),(2,0)] div 2\n", "a KenKen as a list of cages in brackets"),
        ("6\n11#0-6#+\n2#1-2#/\n", "a KenKen as a list of cages between #"),
        ("8 8\n\nNoClue\nClue 0 23\n", "a kakuro with a position on each line"),
        ("6\n0 2 1\n1 1 2\n-1\n", "rows, columns and values"),
    ],
)
def test_a_refusal_names_a_notation_that_is_known_and_the_page(text: str, name: str) -> None:
    with pytest.raises(BadInput) as refused:
        list(parse_text(text, "t"))
    assert name in str(refused.value)
    assert str(refused.value).endswith("docs/reference/boards.md has the notations that are read")
    assert "--as" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("aabb\nccbb\nccdd\needd\na 3+\nb 7+\nb 8+\n", 1, "cage b has a clue already"),
        ("aabb\nccbb\nccdd\needd\na 3+\nb 7+\nc 8+\nd 7+\n", 1, "cage e has no clue below the map"),
        ("aabbcc\naabbcc\nddeeff\nddeeff\ngghhii\ngghhii\na 10\nb 12\n", 1, "write the operator of each clue"),
        ("3+ 1,2\n2- 3,5\n", 1, "squares are numbered|square 4 is in no cage"),
        ("3+ 1,2\n2- 2,3\n4 4\n", 2, "square 2 is in two cages"),
        ("# 4\\ 3\\\n\\4 . .\n\\3 .\n", 3, "2 positions, but another row has 3"),
        (". < . .\n. . .\n. . . >\n", 1, "'<' .* is not a value"),
        (f'x = """\n{drawn(BOARD)}', 1, "is not closed"),
        ("SumoCueV1=3+0=7+3" + "=0" * 12, 1, "square 3 is in the cage of square 3"),
        ("SumoCueV1=3+0=7", 1, "3 squares"),
    ],
)
def test_mistakes_are_named_with_their_line(text: str, line: int, why: str) -> None:
    with pytest.raises(BadInput, match=f"^t:{line}: .*({why})"):
        list(parse_text(text, "t"))


def test_the_advice_for_sums_on_six_rows_is_read_as_it_says() -> None:
    cages = "abcdef" * 6
    sums = "\n".join(f"{mark}=21" for mark in "abcdef")
    with pytest.raises(BadInput, match=r"cages with sums on 6 rows: write the operator of each clue, as in a=10.,"):
        list(parse_text(f"{drawn(cages)}\n{sums}", "t"))
    (kenken,) = parse_text(f"{drawn(cages)}\n{sums.replace('21', '21+')}", "t")
    (killer,) = parse_text(f"killer 2x3 {cages} {' '.join(sums.split())}", "t")
    assert (kenken.problem.name, killer.problem.name) == ("kenken 6", "killer 2x3")
