"""Numbers of CNF, WCNF and OPB files are read as a tokenizer of a few lines reads them; what it refuses is refused."""

import io
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.constraints.clauses import Clauses
from puzzles.constraints.linear import COMPARISONS, Linear
from puzzles.errors import BadInput, ParseError
from puzzles.formats import read
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import Instance, Problem
from puzzles.readers import cnf
from puzzles.readers.cnf import read_cnf
from puzzles.readers.integers import SHORT_BYTES, integers
from puzzles.readers.opb import read_opb
from puzzles.readers.source import Source, from_text
from puzzles.readers.wcnf import read_wcnf

VARIABLES = 9
ALONE = ("-", "--5", "5-", "-+5", "+-5", "5 -", "1 - 2", "- 5", "-\n5", "-\t5", "-\r5", "1-2", "-0", "-05", "~", "+")
OTHER = ("1_0", "\u0663", "\uff15", "\u00b2", "0x1", "1e0", "1.0", "1\u00a02", "5\0", "\x005", "5\x1a")
GLUED = ("5,", "5c", "1x3", "5%", "%5")
BLANKS = ("5\x0b", "\x0c5", "5\x1c", "\u20035")  # to Python, not to SAT solvers
LONG = (str(1 << 63), str(-(1 << 63) - 1), str((1 << 64) + 1), "9" * 30, "9" * 5000, f"-{'9' * 5000}", "1" + "0" * 18)
GOOD = (*map(str, range(-VARIABLES, VARIABLES + 1)), "007", "0" * 30 + "5")
Clause = tuple[int, ...]
Read = tuple[Clause, ...] | int  # clauses, or the line of a mistake


def integer(word: str, beyond: int = 10**18) -> int | None:
    """Return the integer that a word is, character by character, or None if its size reaches `beyond`."""
    digits = word.removeprefix("-")
    if not digits or any(c not in "0123456789" for c in digits) or (word[0] == "-" and digits[0] == "0"):
        return None
    return int(word) if len(digits.lstrip("0")) <= 19 and int(digits.lstrip("0") or 0) < beyond else None


def words(line: str) -> list[str]:
    """Return the words between blanks, tabs and carriage returns."""
    return [word for word in line.replace("\t", " ").replace("\r", " ").split(" ") if word]


def literals(line: str) -> list[int] | None:
    """Return the literals of a line, or None if it has another word."""
    found = [integer(word) for word in words(line)]
    known = [n for n in found if n is not None and abs(n) <= VARIABLES]
    return known if len(known) == len(found) else None


def split(flat: list[int]) -> tuple[Clause, ...]:
    """Return clauses, each ended by 0 but for the last."""
    found: list[Clause] = []
    clause: Clause = ()
    for n in flat:
        clause, found = ((*clause, n), found) if n else ((), [*found, clause])
    return tuple(found + [clause] * bool(clause))


def reference_cnf(body: list[str]) -> Read:
    """Read the lines after the header of a CNF file."""
    flat: list[int] = []
    for number, line in enumerate(body, 2):
        start = line.lstrip(" \t")[:1]
        if start == "%":
            break
        found = [] if start == "c" else literals(line)
        if found is None:
            return number
        flat += found
    return split(flat)


def reference_wcnf(lines: list[str]) -> Read:
    """Read the lines of a WCNF file without a header: the hard clauses, and the soft ones after their weights."""
    hard, soft = list[Clause](), list[Clause]()
    for number, line in enumerate(lines, 1):
        weight, *rest = words(line) or ["c"]
        if weight.startswith("c"):
            continue
        found = literals(" ".join(rest))
        cost = 0 if weight == "h" else integer(weight, 1 << 63)
        if cost is None or cost < 0:
            return number
        if found is None or [i for i, n in enumerate(found, 1) if n == 0] != [len(found)]:
            return number
        if weight == "h":
            hard.append(tuple(found[:-1]))
        elif cost:
            soft.append((cost, *found[:-1]))
    return (*hard, *soft)


def outcome(read: object, raw: bytes, block: int, size: int = 0) -> Read:
    """Return what a reader of bytes makes of a file, read in blocks of a size, as if the file had `size` bytes."""
    source = Source("a", "a", iter(()))
    source.size = size
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("puzzles.readers.cnf.BLOCK_BYTES", block)
        patch.setattr("puzzles.readers.wcnf.BLOCK_BYTES", block)
        patch.setattr("puzzles.readers.weighted.MAX_VARIABLES", VARIABLES)
        try:
            found: Instance[Problem] = read(io.BytesIO(raw), source)  # type: ignore[operator]
        except ParseError as e:
            return source.line if e.line is None else e.line
    (clauses,) = found.problem.constraints
    assert isinstance(clauses, Clauses)
    goal = found.problem.objective
    assert goal is None or isinstance(goal, SoftClauses)
    return (*clauses.rows, *((weight, *row) for weight, row in (goal.rows if goal else ())))


word = st.sampled_from(GOOD * 3 + ALONE + OTHER + GLUED + BLANKS + LONG) | st.text("0123456789-+ \t", max_size=4)
blank = st.sampled_from((" ", "  ", "\t", " \r"))
some_words = st.tuples(blank, st.lists(st.sampled_from(GOOD), max_size=5)).map(lambda drawn: drawn[0].join(drawn[1]))
line = some_words | some_words | st.lists(word, max_size=4).map(" ".join)
special = st.sampled_from(("c 1 - 2", " c% x", "%", "  %\t0", "", "0"))


SIZES = pytest.mark.parametrize("size", [0, 1 << 30], ids=["small", "large"])


@SIZES
@given(st.lists(line | special, max_size=8), st.integers(1, 99), st.sampled_from(("\n", "\r\n")))
def test_a_cnf_file_is_read_as_the_tokenizer_reads_it(size: int, lines: list[str], block: int, end: str) -> None:
    body = "\n".join(lines).split("\n")
    expected = reference_cnf(body)
    count = len(expected) if isinstance(expected, tuple) else 1
    raw = end.join([f"p cnf {VARIABLES} {count}", *body, ""]).encode()
    assert outcome(read_cnf, raw, block, size) == expected


clause = (
    st.tuples(st.sampled_from(("h", "h", "3", "007", str((1 << 63) - 1), "0")), some_words)
    .map(" ".join)
    .map("{} 0".format)
)
odd_clause = st.tuples(st.sampled_from(("h", "-", "+5", "-1", "0", "hh", "h3", "3h", str(1 << 63))) | word, line).map(
    " ".join
)


@SIZES
@given(st.lists(clause | clause | odd_clause | st.sampled_from(("c 1 -", "", "h 0")), max_size=6), st.integers(1, 99))
def test_a_wcnf_file_is_read_as_the_tokenizer_reads_it(size: int, lines: list[str], block: int) -> None:
    body = ["h 1 0", *"\n".join(lines).split("\n")]
    assert outcome(read_wcnf, "\n".join(body).encode(), block, size) == reference_wcnf(body)


FORMULAS = (
    "p cnf 9 2\n1 {} 0\n2 0\n",
    "p wcnf 9 2 9\n9 1 {} 0\n9 2 0\n",
    "h 1 {} 0\nh 2 0\n",
    "h 1 0\n{} 1 0\nh 2 0\n",
)
A_WEIGHT = (FORMULAS[3], "1" + "0" * 18)  # which no literal may be
OTHERS = ("p edge 9 1\ne 1 {}\n", "order 2\n0 {}\n1 0\n")
NOT_NUMBERS = (*ALONE, *OTHER, *GLUED, *LONG, "+5", "*")


@pytest.mark.parametrize(
    ("form", "word"),
    [
        *((form, word) for form in FORMULAS for word in (*NOT_NUMBERS, *BLANKS) if (form, word) != A_WEIGHT),
        *((form, word) for form in OTHERS for word in NOT_NUMBERS),
    ],
)
def test_a_word_that_is_no_number_is_refused_with_file_and_line(tmp_path: Path, form: str, word: str) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(form.replace("{}", word).encode())
    before = form.partition("{}")[0].count("\n") + 1
    with pytest.raises(BadInput) as error:
        list(read(path))
    assert str(error.value).startswith(tuple(f"{path}:{at}" for at in (before, before + 1)))


@pytest.mark.parametrize("text", ["-\n", "1 -\n", "-", "2 0\n-\n", "1 2 0 -\n1 0\n"])
def test_a_lone_minus_is_no_literal_wherever_a_line_or_block_ends(
    tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.cnf"
    path.write_text(f"p cnf 2 1\n{text}")
    at = 2 + text.partition("-")[0].count("\n")
    for block in (3, 12, 1 << 20):
        monkeypatch.setattr(cnf, "BLOCK_BYTES", block)
        with pytest.raises(BadInput, match=rf"a\.cnf:{at}:\d+: '-' is not a literal"):
            list(read(path))


def reference_row(text: str) -> tuple[list[int], list[str]] | None:
    """Return the coefficients and names of words with blanks between, or None; a sign may stand apart."""
    spaced = " ".join(f"{word[0]} {word[1:]}" if word[0] in "+-" else word for word in text.split()).split()
    coefficients, names = list[int](), list[str]()
    while spaced:
        sign = spaced.pop(0) if spaced[0] in "+-" else ""
        number = spaced.pop(0) if spaced and spaced[0].isascii() and spaced[0].isdigit() else "1"
        if not spaced or not NAME.fullmatch(spaced[0]):
            return None
        coefficients.append(int(f"{sign}{number}"))
        names.append(spaced.pop(0))
    return coefficients, names


NAME = re.compile("[A-Za-z_][A-Za-z0-9_]*")
coefficient = st.sampled_from(("1", "+2", "-3", "0", "12")) | st.sampled_from(
    ("-", "+", "--1", "1-", "1_0", "\u0663", "0x1", "1e0", "1.0", "+-1", "3x1", "1\u00a0")
)
variable = st.sampled_from(("x1", "x2", "x9")) | st.sampled_from(
    ("x0", "x", "-x1", "x1-2", "x\u0661", "x1_0", "X1", "y_x1_5")
)


@SIZES
@given(st.lists(st.tuples(coefficient, variable).map(" ".join), min_size=1, max_size=3), st.sampled_from((" ", "\n")))
def test_a_row_of_an_opb_file_is_read_as_the_tokenizer_reads_it(size: int, terms: list[str], between: str) -> None:
    expected = reference_row(" ".join(terms)) if not any("\u00a0" in term for term in terms) else None
    text = f"{between.join(terms)} >= 1 ;\n"
    source = from_text(text, "a.opb")
    source.size, source.texts = size, iter([(1, text)]) if size else None
    try:
        found = read_opb(source)
    except ParseError:
        assert expected is None
        return
    (linear,) = found.problem.constraints
    assert isinstance(linear, Linear)
    assert [(a, [found.problem.variables[i] for i in x]) for a, x, _, _ in linear.rows] == [expected]


@pytest.mark.parametrize("comparison", COMPARISONS)
def test_a_comparison_and_the_end_of_a_row_need_no_blanks(comparison: str) -> None:
    found = read_opb(from_text(f"min:+1 x1;\n1 x1 -1 x2{comparison}1;\n", "a.opb"))
    (linear,) = found.problem.constraints
    assert isinstance(linear, Linear)
    assert linear.rows == (([1, -1], [0, 1], comparison, 1),)


@given(st.lists(st.sampled_from((*ALONE, *GLUED, *BLANKS, *LONG[:4], *GOOD)), min_size=1, max_size=6).map(" ".join))
def test_a_short_text_is_read_as_a_long_one(text: str) -> None:
    short, long = integers(text.encode()), integers(text.encode() + b" " * SHORT_BYTES)
    assert (short is None) == (long is None)
    assert short is None or (long is not None and short.tolist() == long.tolist())
