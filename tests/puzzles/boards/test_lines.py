"""Lines of boards: what is read is what is stated, by brute force; mistakes are named in one line."""

import json
from importlib import import_module
from pathlib import Path

import pytest

from backends.contract.answer import Ask
from backends.contract.registry import find
from encoders.direct import alldifferent, constraints
from puzzles.boards import kinds as boards
from puzzles.boards.board import Board
from puzzles.boards.layout import Layout
from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, parse_text, read
from puzzles.problem.dumped import dump
from puzzles.problem.values import Integers
from puzzles.stored import load
from tests.puzzles.boards.rules import solutions

LINES = [
    "killer 2x2 1............... aabbaaccddeeffee a=10 b=5 c=5 d=5 e=10 f=5",
    "killer 2x2 aab.aab......... a=10 b=3",
    "kakuro 3x3 # 4\\ 3\\ \\4 . . \\3 . .",
    "kakuro 4x4 # 23\\ 24\\ # \\16 . . # \\17 . . 4\\ # \\10 . .",
    "kakuro 3x3 # 10\\ 10\\ \\10 1 . \\10 . .",
    "kenken 3 aabccbdde a=3+ b=2- c=6x d=3/ e=2",
    "kenken 4 aabbccddeeffgghh a=3+ b=12* c=3- d=2/ e=3+ f=7+ g=6× h=4÷",
    "kenken 3 ...aaa... a=6*",
    "futoshiki 3 1........ A2<A3 B1>C1",
    "futoshiki 4 ................ A1<A2 A2<A3 A3<A4 D1>D2",
    "queens 6 .....Q..............................",
    "queens 6 xx..................................",
    "magic 3 2 . . . 5 . . . .",
    "magic 3 . . . . . . . . .",
    "jigsaw aabbaabbccddccdd 1..............4",
    "jigsaw aaababbbcccdcddd 1...............",
    "killer 2x2 diagonals 1............... aab.aab......... a=10 b=3",
]
FAMILIES = sorted(boards.names())


@pytest.mark.parametrize("line", LINES)
def test_a_board_has_the_solutions_of_its_rules(line: str) -> None:
    (instance,) = parse_text(line, "t")
    if isinstance(instance.problem, Layout):
        numbers = tuple(range(1, 5))
        session = find("native:python").open(alldifferent(instance.problem))
    else:
        assert isinstance(instance.problem.values, Integers)
        numbers = tuple(instance.problem.values.numbers)
        session = find("cpsat").open(constraints(instance.problem))
    found = session.ask(Ask(instance.domains, 2000, 60)).solutions
    assert sorted(tuple(numbers[v] for v in one) for one in found) == solutions(line)


def family_of(line: str) -> str:
    return line.partition(" ")[0]


@pytest.mark.parametrize("line", [line for line in LINES if family_of(line) != "jigsaw"])
def test_what_is_written_is_read_again(line: str) -> None:
    family, *words = line.split()
    module = import_module(f"puzzles.boards.kinds.{family}")
    puzzle = module.parse(words)
    assert module.parse(module.text(puzzle).split()[1:]) == puzzle
    assert module.board(puzzle)[0] == boards.family(family).read(words)[0]


def test_more_cages_than_letters_are_written_as_numbers() -> None:
    from puzzles.boards.kinds import killer

    cages = tuple(((s,), 1 + (s + s // 9 * 3 + s // 27) % 9) for s in range(81))
    puzzle = killer.Killer((3, 3), (0,) * 81, cages)
    assert killer.parse(killer.text(puzzle).split()[1:]) == puzzle


@pytest.mark.parametrize("line", LINES)
def test_a_board_survives_the_journal(line: str) -> None:
    (instance,) = parse_text(line, "t")
    again = load(dump(instance.problem))
    assert (again, again.digest, type(again)) == (instance.problem, instance.problem.digest, type(instance.problem))
    if isinstance(instance.problem, Board):
        assert isinstance(again, Board)
        assert again.grid == instance.problem.grid


def test_boards_of_one_family_with_other_clues_are_other_problems() -> None:
    lines = ["kakuro 3x3 # 4\\ 3\\ \\4 . . \\3 . .", "kakuro 3x3 # 3\\ 4\\ \\4 . . \\3 . ."]
    assert len({next(parse_text(line, "t")).problem.digest for line in lines}) == 2


def test_a_file_may_mix_families_and_state_counts(tmp_path: Path) -> None:
    file = tmp_path / "mixed.txt"
    file.write_text(f"# boards\n#: count 2+\n{LINES[2]}\n\n{LINES[8]}:1\n{LINES[14]}:18\n")
    found = [(i.name, i.problem.name, i.count, i.at_least) for i in read(file)]
    assert found == [
        ("mixed.txt:3", "kakuro 3x3", 2, True),
        ("mixed.txt:5", "futoshiki 3", 1, False),
        ("mixed.txt:6", "jigsaw aabbaabbccddccdd", 18, False),
    ]


KILLER = "killer 2x2 aabbccddeeffgghh a=3 b=7 c=7 d=3 e=5 f=5 g=5 h=5"
BAD = {
    "a killer without a size": ("killer", "a box is ROWSxCOLUMNS"),
    "a killer without a map": ("killer 2x2 a=3", "the map of cages"),
    "a map too short": (KILLER.replace("hh ", "h "), "a map of 15 squares, but the board has 16"),
    "a map with a sign": (KILLER.replace("hh ", "h? "), "'?' in the map is no cage"),
    "a cage without a sum": (KILLER.replace(" h=5", ""), "cage h has no clue: expected h=SUM"),
    "a sum twice": (KILLER + " a=4", "'a=4': cage a has a clue already"),
    "a sum of no cage": (KILLER + " i=4", "'i=4': the map has no cage i"),
    "a sum that is no number": (KILLER.replace("h=5", "h=five"), "'h=five' is no clue of a cage: expected a=SUM"),
    "a sum too long": (KILLER.replace("h=5", f"h={'9' * 5000}"), "is no clue of a cage"),
    "an operator in a killer": (KILLER.replace("h=5", "h=5+"), "cage h has an operator"),
    "a cage too large": ("killer 2x2 aaaaabbbbccccddd a=9 b=9 c=9 d=6", "cage a has 5 squares: its numbers differ"),
    "givens too short": (KILLER.replace("2x2 ", "2x2 1.. "), "givens of 3 squares, but the board has 16"),
    "a given too large": (KILLER.replace("2x2 ", "2x2 5............... "), "'5' is not a value: expected 1 to 4"),
    "a false count": (KILLER + ":one", "'one' is not a number of solutions"),
    "another word between boards": (f"{KILLER}\nSunday", "'Sunday': expected a line that begins with one of"),
    "a kakuro without a size": ("kakuro # 4\\", "expected 'kakuro ROWSxCOLUMNS'"),
    "positions missing": ("kakuro 3x3 # 4\\ 3\\ \\4 . . \\3 .", "8 words, but a board of 3x3 has 9 positions"),
    "a word that is no position": ("kakuro 2x2 # 4\\ \\4 x", "'x' is no position of a kakuro"),
    "a clue of no squares": ("kakuro 2x2 # 4\\3 \\4 .", "the clue 3 in A2 has no squares to its right"),
    "a clue above no squares": ("kakuro 2x2 3\\ 4\\ \\4 .", "the clue 3 in A1 has no squares below"),
    "a run without a clue": ("kakuro 3x3 # 4\\ # \\4 . . \\3 . .", "the column from B3 has 2 squares and no clue"),
    "a run too long": ("kakuro 2x11 #" + " 1\\" * 10 + " \\50" + " ." * 10, "the row from B2 has 10 squares"),
    "a kakuro without squares": ("kakuro 1x2 # #", "the board has no squares"),
    "a KenKen without an order": ("kenken", "state the order"),
    "a KenKen without cages": ("kenken 3", "the map of cages"),
    "an operator missing": ("kenken 2 aabb a=3 b=3+", "cage a has no operator that is known"),
    "an unknown operator": ("kenken 2 aabb a=3% b=3+", "cage a has no operator that is known"),
    "a difference of three": ("kenken 3 aaabbbccc a=1- b=6+ c=6+", "cage a has 3 squares: a difference or quotient"),
    "a futoshiki without givens": ("futoshiki 3", "the givens, then comparisons"),
    "a comparison of strangers": ("futoshiki 3 ......... A1<B2", "the squares are not neighbours"),
    "a comparison outside": ("futoshiki 3 ......... A3<A4", "compares no two squares of the board"),
    "a comparison twice": ("futoshiki 3 ......... A1<A2 A2>A1", "these squares are compared already"),
    "an order too large": ("futoshiki 26 .", "up to 25"),
    "queens missing": ("queens 4 Q...", "4 squares, but a board of order 4 has 16"),
    "a king": ("queens 2 K...", "'K' is no square"),
    "a magic square too short": ("magic 3 1 2 3", "3 squares, but a board of order 3 has 9"),
    "a magic number too large": ("magic 2 5 . . .", "'5' is not a value: expected 1 to 4"),
    "a region too large": ("jigsaw aaaaaabbccddccdd ................", "region a has 6 squares, not 4"),
    "regions that are no board": ("jigsaw aab ...", "state the region of each square by a letter"),
    "a jigsaw without a board": ("jigsaw aabbaabbccddccdd", "expected 'jigsaw REGIONS BOARD'"),
    "a jigsaw board too short": ("jigsaw aabbaabbccddccdd 1..", "the board has 16 squares"),
    "two sums of a cage": ("2x2::k:769:1025" + ":1" * 14, "cage 1 has the sums 3 and 4"),
    "a killer with other rules": ("3x3:n:k:" + ":".join("0" * 81), "other rules (n) are not supported"),
    "a killer code cut off": ("2x2::k:769:769", "a map of 2 squares, but the board has 16"),
    "a killer code with letters": ("3x3::k:12:x", "is no game ID of Solo, '3x3:4e8_2...', killer '3x3::k:...'"),
    "a SumoCue of too few squares": ("SumoCueV1=0J0=1J0", "state the region of each square"),
    "a SumoCue cut off": ("SumoCueV1=0J0=1", "is no game ID of Solo, '3x3:4e8_2...', killer '3x3::k:...'"),
}


@pytest.mark.parametrize(("text", "why"), BAD.values(), ids=BAD)
def test_a_mistake_is_named_with_its_line(text: str, why: str, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text(f"# made by hand\n{text}\n")
    with pytest.raises(BadInput) as error:
        list(read(file))
    message = str(error.value)
    assert why in message
    assert message.startswith(f"{file}:{2 + text.count(chr(10))}: ")
    assert "\n" not in message
    assert len(message) < 400


@pytest.mark.parametrize("options", [ReaderOptions(as_="sudoku 3x3"), ReaderOptions(alphabet="ABCD")])
def test_a_line_that_states_its_family_takes_no_layout_or_alphabet(options: ReaderOptions) -> None:
    with pytest.raises(BadInput, match="leave out"):
        list(parse_text(KILLER, "t", options))


def test_killers_of_other_programs_are_read() -> None:
    cages = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 0, 0, 6, 6, 0, 0]
    sums = {1: 3, 2: 7, 3: 7, 4: 3, 5: 5, 6: 5, 0: 0}
    code = "2x2::k:" + ":".join(str(256 * sums[k] + k) for k in cages) + ":"
    (ours,) = parse_text("killer 2x2 aabbccddee..ff.. a=3 b=7 c=7 d=3 e=5 f=5", "t")
    (theirs,) = parse_text(code, "t")
    assert (theirs.problem, theirs.domains) == (ours.problem, ours.domains)


def test_jigsaws_of_other_programs_are_read() -> None:
    regions, givens = "aabbaabbccddccdd", "1..............4"
    sumocue = "=".join(f"{v.replace('.', '0')}J{'abcd'.index(k)}" for v, k in zip(givens, regions, strict=True))
    (ours,) = parse_text(f"jigsaw {regions} {givens}", "t")
    for text in (f"SumoCueV1={sumocue}", f"{givens} {regions}", f"{givens}   {regions.upper()}"):
        (theirs,) = parse_text(text, "t")
        assert (theirs.problem.key, theirs.domains) == (ours.problem.key, ours.domains)


def test_a_broken_cage_is_explained() -> None:
    (instance,) = parse_text(LINES[0], "t")
    words = [line for c in instance.problem.constraints for line in c.explain([0] * 16, instance.problem)]
    assert "sum 1 is 4: +1 A1 +1 A2 +1 B1 +1 B2 = 10" in words


def test_content_is_json() -> None:
    (instance,) = parse_text(LINES[8], "t")
    assert json.dumps(instance.problem.content()["grid"])


def test_an_alphabet_is_advised_only_if_every_board_is_read_with_it() -> None:
    first, second = "AB" + "." * 254, "P" + "." * 255
    with pytest.raises(BadInput, match=r"^t:1: .*: state --alphabet ABCDEFGHIJKLMNOP or --alphabet 123456789ABCDEFG$"):
        list(parse_text(first, "t"))
    with pytest.raises(BadInput, match=r"^t:1: .*: state --alphabet ABCDEFGHIJKLMNOP$"):
        list(parse_text(f"{first}\n{second}\n", "t"))


def test_rows_or_boards_are_advised_only_if_the_lines_are_read_so() -> None:
    lines = ["12".ljust(16, ".")] * 16
    with pytest.raises(BadInput, match=r"state --as 'sudoku 4x4' \(rows\) or --as 'sudoku 2x2' \(boards\)$"):
        list(parse_text("\n".join(lines), "t"))
    with pytest.raises(BadInput, match=r"state --as 'sudoku 2x2' \(boards\)$"):
        list(parse_text("\n".join([*lines, lines[0]]), "t"))


def test_a_map_without_a_board_names_the_layout_of_its_size() -> None:
    with pytest.raises(BadInput, match="--as 'sudoku 2x2' reads boards alone") as refused:
        list(parse_text("1112122233343444", "t"))
    assert len(list(parse_text("1112122233343444", "t", ReaderOptions(as_="sudoku 2x2")))) == 1
    assert "t:1" in str(refused.value)


def test_a_board_of_sixteen_rows_is_advised_only_if_the_lines_are_one() -> None:
    with pytest.raises(BadInput) as refused:
        list(parse_text(f"{'.' * 16}\n12344321123443G1\n", "t"))
    assert "--as" not in str(refused.value)
    (found,) = parse_text("\n".join(["." * 16, "12344321123443G1", *["." * 16] * 14]), "t")
    assert found.problem.name == "sudoku 4x4"
