"""Words that name rules are applied or refused in every notation of boards, and never left out in silence."""

from pathlib import Path

import pytest

from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, parse_text, read
from puzzles.readers.boards import variants
from tests.puzzles.boards.written import drawn, rows

BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
GRID = drawn(BOARD)
REGIONS = "112223333111223333411223335411126355441666355744866655744488995774888999774889999"
KILLER = "killer 2x2 aabbaabbccddeecc a=10 b=10 c=6 d=6 e=8"
APPLIED = {
    f"Sudoku-X\n{GRID}": ["sudoku-x 3x3"],
    "Diagonal Sudoku\n1...\n..3.\n.4..\n...2\n": ["sudoku-x 2x2"],
    f"Sudoku‑X no. 3\n{BOARD}\n{BOARD}\n": ["sudoku-x 3x3"] * 2,
    f"WINDOKU\n{GRID}": ["windoku 3x3"],
    f"Hyper Sudoku of Monday\n{GRID}": ["windoku 3x3"],
    f"Latin square\n{GRID}": ["latin 9"],
    f"A plain one\n{GRID}\nWindoku 1\n{GRID}\nSudoku X 2\n{GRID}": ["sudoku 3x3", "windoku 3x3", "sudoku-x 3x3"],
    f"# Sudoku-X\n#: sudoku 3x3\n{GRID}": ["sudoku 3x3"],
    f"# diagonal symmetry\n{GRID}": ["sudoku 3x3"],
    f"# Killers of Monday\n{KILLER}\n": ["killer 2x2"],
}
REFUSED = {  # text, and what the message says
    "a title": (f"Anti-king sudoku\n{GRID}", "t:1: 'Anti-king sudoku' names rules (anti-king)"),
    "a denied title": (f"Not a windoku\n{GRID}", "--as 'windoku', or --as 'sudoku 3x3'"),
    "two rules": (f"Windoku with diagonals\n{GRID}", "no family of layouts here has them"),
    "a jigsaw without a map": (f"Jigsaw Sudoku\n{GRID}", "(jigsaw)"),
    "a killer without cages": (f"Killer Sudoku\n{GRID}", "(killer)"),
    "a comment": (f"# Sudoku-X\n{GRID}", "t:1: '# Sudoku-X' names rules (sudoku-x) that the board is read without"),
    "a comment below": (f"{GRID}# non-consecutive\n", "t:10: "),
    "a remark": (f"{BOARD} # windoku\n", "--as 'windoku'"),
    "a name": (f"{BOARD}; Sudoku-X\n", "--as 'sudoku-x 3x3'"),
    "the second of a list": (f"{BOARD}\n{BOARD},anti-king\n", "t:2: "),
    "a column": (f"puzzle,diagonal\n{BOARD},yes\n", "t:1: "),
    "a cell": (f"puzzle,kind\n{BOARD},Windoku\n", "t:2: "),
    "a header of .sdk": (f"#AJane\n#DSudoku X\n{GRID}", "t:2: "),
    "a section of .sdk": (f"[Puzzle]\n{GRID}[Info]\nDiagonal\n", "t:12: "),
    "XML": (f'<opensudoku><name>Thermo Sudoku</name>\n<game data="{BOARD}"/></opensudoku>', "t:1: "),
    "a variable of Python": (f"windoku = '''\n{GRID}'''\n", "t:1: "),
    "a list of Python": (f"sudoku_x = {rows(BOARD)}\n", "t:1: "),
    "HoDoKu": (f":0702:9:{BOARD}:::windoku\n", "t:1: "),
    "a killer": (f"# with diagonals\n{KILLER}\n", "boards of killer have no such rules"),
    "a futoshiki": ("# anti-knight\nfutoshiki 3 1........ A2<A3 B1>C1\n", "boards of futoshiki"),
    "a legend": ("Killer windoku\naabb\naabb\nccdd\neecc\na=10\nb=10\nc=6\nd=6\ne=8\n", "(windoku)"),
    "then a plain title": (f"Sudoku-X\n{GRID}\nMonday's\n{GRID}", "names no rules, and the title before it those of"),
    "then a heading": (f"Sudoku-X\n{GRID}\nGrid 2\n{GRID}", "#: LAYOUT"),
}


@pytest.mark.parametrize("text", APPLIED)
def test_a_title_gives_its_boards_their_rules(text: str) -> None:
    assert [board.problem.name for board in parse_text(text, "t")] == APPLIED[text]


@pytest.mark.parametrize("place", REFUSED)
def test_a_word_that_may_name_rules_is_refused_with_its_line(place: str) -> None:
    text, said = REFUSED[place]
    with pytest.raises(BadInput) as refused:
        list(parse_text(text, "t"))
    assert said in str(refused.value)
    assert "--as" in str(refused.value) or "leave the words out" in str(refused.value)


def test_as_states_the_rules_whatever_a_title_says() -> None:
    for text, _ in list(REFUSED.values())[:3]:
        (board,) = parse_text(text, "t", ReaderOptions(as_="sudoku 3x3"))
        assert board.problem.name == "sudoku 3x3"


def test_a_file_name_that_names_rules_is_noted(tmp_path: Path) -> None:
    notes: list[str] = []
    (tmp_path / "windoku.txt").write_text(GRID)
    (board,) = read(tmp_path / "windoku.txt", ReaderOptions(notify=notes.append))
    assert board.problem.name == "sudoku 3x3"
    assert "--as 'windoku'" in notes[0]


def test_a_note_says_which_rules_a_title_gave() -> None:
    notes: list[str] = []
    list(parse_text(f"Sudoku-X\n{GRID}", "t", ReaderOptions(notify=notes.append)))
    assert "t: 'Sudoku-X' names the rules of its boards, which are read as sudoku-x" in notes


@pytest.mark.parametrize(
    "name",
    [
        "X-Sudoku",
        "Kropki",
        "non-consecutive",
        "Antiking",
        "knight's move",
        "Thermo-Sudoku",
        "Arrow Sudoku",
        "Samurai",
        "Even-Odd",
        "greater than",
        "extra regions",
        "cross sums",
        "Magic Sudoku",
        "NRC sudoku",
        "Girandola",
        "XV Sudoku",
        "Kakuro",
        "squiggly",
        "disjoint groups",
    ],
)
def test_rules_are_found_by_their_names(name: str) -> None:
    assert list(variants.remarks(f"{name} 7"))


@pytest.mark.parametrize(
    "words",
    [
        "Monday's puzzle",
        "by Stephen King",
        "X-Wing, Skyscraper and Swordfish",
        "magic tour",
        "Sudoku 16x16",
        "even harder",
        "Sudoku IX",
        "an antique",
        "noncommercial",
        "the knight before",
        "latin letters",
        "hexadoku",
    ],
)
def test_plain_words_name_no_rules(words: str) -> None:
    assert not list(variants.remarks(words))
