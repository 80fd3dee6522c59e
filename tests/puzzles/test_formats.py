"""Every format can state the same puzzle, and written boards read back unchanged.

Long because it covers many formats, a few lines each, with shared checks stated once.
"""

from itertools import islice
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from puzzles import corpora
from puzzles.boards import families
from puzzles.boards.families.colouring import graph
from puzzles.boards.layout import Layout, Puzzle
from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, board, one_line, parse_text, read, solution_text
from tests.boards import EASY, SOLVED
from tests.effort import examples

ROWS = [EASY[i : i + 9] for i in range(0, 81, 9)]
BARRED = [f"{r[:3]}|{r[3:6]}|{r[6:]}" for r in ROWS]
SPACED = [" ".join(r) for r in ROWS]
DRAWN = [f"| {' '.join(r[:3])} | {' '.join(r[3:6])} | {' '.join(r[6:])} |" for r in ROWS]
FULL = "123456789"
GROUPS = [" ".join(FULL if c == "." else c for c in r) for r in ROWS]


def bands(rows: list[str], rule: str) -> str:
    return "\n".join([rule, *rows[:3], rule, *rows[3:6], rule, *rows[6:], rule])


SAME = {
    "points": EASY,
    "noughts": EASY.replace(".", "0"),
    "stars": EASY.replace(".", "*"),
    "X": EASY.replace(".", "X"),
    "spaces": EASY.replace(".", " "),
    "Windows": f"\ufeff# comment\r\n\r\n{EASY}\r\n",
    "Macintosh": "# comment\r\r" + "\r".join(ROWS) + "\r",
    "nine lines": "\n".join(ROWS),
    "nine lines in bands": "\n\n".join("\n".join(ROWS[i : i + 3]) for i in (0, 3, 6)),
    "grouped": "\n".join(r.replace("|", " ") for r in BARRED),
    "ss": bands(BARRED, "---+---+---"),
    "framed ss": bands([f"|{r}|" for r in BARRED], "*-----------*"),
    "drawn": bands(DRAWN, "+-------+-------+-------+"),
    "HoDoKu": bands(DRAWN, ":-------+-------+-------:"),
    "numbers": "\n".join(SPACED),
    "numbers on a line": " ".join(EASY.replace(".", "0")),
    "candidates": "\n".join(GROUPS),
    "candidates on a line": " ".join(GROUPS),
    "candidates drawn": bands([r.replace(" ", " | ", 1) for r in GROUPS], "------+------+------"),
    "sdk": "#A author\n#D date\n[Puzzle]\n" + "\n".join(ROWS) + "\n[State]\n" + "\n".join(["1" * 9] * 9),
    "Euler": "Grid 01\n" + "\n".join(ROWS).replace(".", "0"),
    "csv": f"id,quizzes,level\n1,{EASY},easy",
    "quoted csv": f'"id","puzzle"\n"1","{EASY}"',
    "commas": "\n".join(",".join(r) for r in ROWS).replace(".", "0"),
    "commas and nothing": "\n".join(",".join(r) for r in ROWS).replace(".", ""),
    "commas on a line": ",".join(EASY).replace(".", ""),
    "tabs": "\n".join("\t".join(r) for r in ROWS).replace(".", ""),
    "tabs and spaces": "\n".join("\t".join(f" {c} " for c in r) for r in ROWS),
    "box drawing": bands([f"║{r}║".replace("|", "│") for r in BARRED], "╠═══╪═══╪═══╣"),
    "no-break spaces": "\n".join("\u00a0".join(r) for r in ROWS),
    "marked hard": f"#! hard\n#: hard\n{EASY}",
}


def one(text: str, options: ReaderOptions | None = None) -> Puzzle:
    (puzzle,) = parse_text(text, "typed", options or ReaderOptions())
    return puzzle


@pytest.mark.parametrize("text", SAME.values(), ids=SAME.keys())
def test_every_format_states_the_same_puzzle(text: str) -> None:
    puzzle = one(text)
    assert puzzle.problem is families.layout("sudoku 3x3")
    assert one_line(puzzle.problem, puzzle.domains) == EASY


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\r\r\n"])
def test_line_numbers_do_not_depend_on_the_line_ending(tmp_path: Path, end: str) -> None:
    path = tmp_path / "lines.txt"
    path.write_bytes(end.join(["# two", EASY, "", EASY, "bad"]).encode())
    puzzles = read(path)
    assert [next(puzzles).name, next(puzzles).name] == ["lines.txt:2", "lines.txt:4"]
    with pytest.raises(BadInput, match=r"lines\.txt:5: "):
        next(puzzles)


def test_a_csv_file_without_a_header_is_a_board(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text("\r\n".join(",".join(r) for r in ROWS).replace(".", "") + "\r\n")
    (puzzle,) = read(path)
    assert one_line(puzzle.problem, puzzle.domains) == EASY
    large = [[str(v) for v in range(1, 17)], *[[""] * 16] * 15]
    assert one("\n".join(",".join(r) for r in large)).domains[:17] == (*(1 << v for v in range(16)), (1 << 16) - 1)


def test_a_puzzle_is_named_by_the_line_it_starts_on(tmp_path: Path) -> None:
    path = tmp_path / "mixed.txt"
    path.write_text(f"# two\n{EASY}\n\nGrid 02\n" + "\n".join(ROWS))
    assert [p.name for p in read(path)] == ["mixed.txt:2", "mixed.txt:5"]


@pytest.mark.parametrize(
    ("claim", "known"),
    [("", (None, False)), (":0", (0, False)), (":3", (3, False)), (":2+", (2, True)), (f":1:{SOLVED}", (1, False))],
)
def test_a_line_can_claim_a_count_and_a_solution(claim: str, known: tuple[int | None, bool]) -> None:
    puzzle = one(EASY + claim)
    assert (puzzle.count, puzzle.at_least) == known
    assert (puzzle.solution is not None) == claim.endswith(SOLVED)
    if puzzle.solution:
        assert solution_text(puzzle.problem, puzzle.solution) == SOLVED


def test_a_directive_applies_until_the_next_one() -> None:
    text = f"#: sudoku 3x3, count 2+\n{EASY}\n{EASY}:1\n#: count 0\n{EASY}\n#: hard\n{EASY}\n"
    assert [(p.count, p.at_least) for p in parse_text(text, "t")] == [(2, True), (1, False), (0, False), (None, False)]


def test_a_claimed_solution_is_ignored_if_the_claimed_count_is_zero() -> None:
    assert one(f"{EASY}:0:{'1' * 81}").solution is None


def test_csv_solutions_are_claims_and_are_checked() -> None:
    assert one(f"puzzle,solution\n{EASY},{SOLVED}").solution is not None
    with pytest.raises(BadInput, match=":2: the solution"):
        one(f"puzzle,solution\n{EASY},{SOLVED[::-1]}")


def test_equal_givens_in_a_row_are_accepted() -> None:
    assert one("11" + "." * 79).domains[:2] == (1, 1)


def test_the_command_line_overrides_the_file() -> None:
    text = f"#: sudoku 2x3\n{'.' * 35}6"
    assert one(text).problem.name == "sudoku 2x3"
    assert one(text, ReaderOptions("latin 6")).problem.name == "latin 6"
    assert one(
        "#: sudoku 2x2, alphabet abcd\nw...............", ReaderOptions(alphabet="wxyz")
    ).problem.values == tuple("wxyz")


@pytest.mark.parametrize(
    ("first", "alphabet", "value"),
    [("0F", "0123456789ABCDEF", 0), ("0G1", None, None), ("1G", None, 0), ("1g", None, 0), ("AP", None, 0)],
)
def test_the_alphabet_of_sixteen_values_is_stated_or_inferred(
    first: str, alphabet: str | None, value: int | None
) -> None:
    puzzle = one(first.ljust(256, "."), ReaderOptions(alphabet=alphabet))
    assert puzzle.problem.name == "sudoku 4x4"
    assert puzzle.domains[0] == (puzzle.problem.full if value is None else 1 << value)
    assert puzzle.domains[1] == 1 << 15


def test_boards_of_numbers_past_nine_are_read_on_one_line_or_many() -> None:
    rows = [["0"] * 16 for _ in range(16)]
    rows[3][4], rows[0][0], rows[0][9] = "16", "3", "7"
    drawn = "\n".join(" ".join(row) for row in rows)
    for text in (drawn, drawn.replace("\n", " "), drawn.replace(" 0", " ."), drawn.replace(" 0", " _")):
        domains = one(text).domains
        assert (domains[0], domains[3 * 16 + 4], domains[1]) == (1 << 2, 1 << 15, (1 << 16) - 1)


def test_the_symbols_of_sixteen_characters_decide_between_a_4x4_board_and_a_row() -> None:
    assert one("1..............4").problem.name == "sudoku 2x2"
    assert one("\n".join(["G1" + "." * 14] * 16)).problem.name == "sudoku 4x4"
    with pytest.raises(BadInput, match=r":1: .* has 2 rows of 16 and needs 16$"):
        list(parse_text("1...............\nG...............", "t"))


SPARSE = ["1..............4", "................", "2......3........", "...4............"]  # fits either size


def test_ambiguous_lines_are_rows_if_one_has_a_mark_of_the_large_board() -> None:
    rows = [*SPARSE * 3, *SPARSE[:3], "..............G."]
    assert one("\n".join(rows)).problem.name == "sudoku 4x4"
    assert one("\n\n".join("\n".join(rows[i : i + 4]) for i in range(0, 16, 4))).problem.name == "sudoku 4x4"
    for mark in (" ", ","):
        assert one("\n".join(mark.join(row) for row in rows)).problem.name == "sudoku 4x4"
    assert one("\n".join("\t".join(row.replace(".", " ")) for row in rows)).problem.name == "sudoku 4x4"


def test_ambiguous_lines_are_boards_if_a_value_repeats_or_lines_are_too_few() -> None:
    for lines in (SPARSE * 3, [*SPARSE * 3, "1..............1", *SPARSE * 9]):
        assert [p.problem.name for p in parse_text("\n".join(lines), "t")] == ["sudoku 2x2"] * len(lines)
    counted = [*SPARSE * 3, "1..............4:1", *SPARSE]
    assert {p.problem.name for p in parse_text("\n".join(counted), "t")} == {"sudoku 2x2"}


@pytest.mark.parametrize(("wide", "large", "small"), [(16, "sudoku 4x4", "sudoku 2x2"), (25, "sudoku 5x5", "latin 5")])
def test_ambiguous_lines_that_fit_both_layouts_need_a_stated_layout(wide: int, large: str, small: str) -> None:
    text = "\n".join(["12".ljust(wide, ".")] * wide)
    with pytest.raises(BadInput, match=f"^t:1: .*--as '{large}' \\(rows\\) or --as '{small}' \\(boards\\)"):
        list(parse_text(text, "t"))
    assert one(text, ReaderOptions(large)).problem.name == large
    assert len(list(parse_text(text, "t", ReaderOptions(small)))) == wide


def test_the_colours_of_a_graph_are_in_the_file_or_stated(tmp_path: Path) -> None:
    path = tmp_path / "square.col"
    path.write_text("c a square\nc colours 2\nc count 1+\np edge 4 4\ne 1 2\ne 2 1\ne 2 3\ne 3 4\ne 4 1\n")
    (puzzle,) = read(path)
    assert puzzle.name == "square.col:4"
    assert puzzle.problem.units == ((0, 1), (1, 2), (2, 3), (0, 3))
    assert (len(puzzle.problem.values), puzzle.count, puzzle.at_least) == (2, 1, True)
    (puzzle,) = read(path, ReaderOptions("colouring 1"))
    assert (len(puzzle.problem.values), puzzle.count) == (1, None)


def test_values_of_pls_files_start_at_zero() -> None:
    puzzle = one("order 3\n0 -1 -1\n-1 2 -1\n-1 -1 -1\n")
    assert puzzle.problem.name == "latin 3"
    assert puzzle.domains == (1, 7, 7, 7, 4, 7, 7, 7, 7)
    assert puzzle.problem.values == ("0", "1", "2")


def test_readers_are_lazy() -> None:
    """An invalid last line raises only when the iterator reaches it."""
    puzzles = parse_text(f"{EASY}\n" * 3 + "bad", "t")
    assert len(list(islice(puzzles, 3))) == 3
    with pytest.raises(BadInput, match="t:4"):
        next(puzzles)


def test_line_numbers_continue_across_blocks(tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    path.write_text(f"{EASY}\r\n" * 10_000 + "bad")
    with pytest.raises(BadInput, match=r"many\.txt:10001: 'bad' is neither"):
        list(read(path))


def test_a_corpus_is_found_by_path_or_bare_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert corpora.find("hardest") == corpora.find("hardest.txt") == corpora.HOME / "hardest.txt"
    assert corpora.find("puzzles/hardest.txt") == corpora.HOME / "hardest.txt", "as in commands of before"
    assert corpora.find(str(corpora.FORMER / "hardest.txt")) == corpora.HOME / "hardest.txt", "as in journals of before"
    with pytest.raises(BadInput, match="no such file"):
        corpora.find("elsewhere/puzzles/hardest.txt")
    assert [p.count for p in read(corpora.find("hardest"))] == [1] * 11
    (tmp_path / "hardest.txt").write_text(EASY)
    assert len(list(read(corpora.find("hardest.txt")))) == 1
    assert "Norvig" in next(c.title for c in corpora.shipped() if c.name == "hardest.txt")


LAYOUTS = [
    families.layout("sudoku 2x2"),
    families.layout("sudoku 2x3"),
    families.layout("sudoku 3x4"),
    families.layout("sudoku 4x4", "0123456789ABCDEF"),
    families.layout("latin 1"),
    families.layout("latin 36"),
    graph(12, 5, [(0, 1), (3, 4)]),
    Layout("by hand", ("a", "b"), ("red", "green"), ((0, 1),)),
]


@settings(max_examples=examples(150), deadline=None)
@given(st.data(), st.sampled_from(LAYOUTS), st.booleans())
def test_any_board_reads_back(data: st.DataObject, layout: Layout, plain: bool) -> None:
    n = len(layout.values)
    mark = st.integers(0, n).map(lambda v: 1 << v if v < n else layout.full)
    masks = mark if plain else mark | st.integers(0, layout.full)
    some = data.draw(st.lists(masks, min_size=1, max_size=12))
    domains = tuple(some[i % len(some)] for i in range(len(layout.squares)))
    assert board(layout, one_line(layout, domains)) == domains


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(st.integers(1, 511), min_size=81, max_size=81))
def test_any_candidate_grid_reads_back_from_a_file(domains: list[int]) -> None:
    layout = families.layout("sudoku 3x3")
    assert one(one_line(layout, domains)).domains == tuple(domains)


PIECES = st.sampled_from(
    [
        EASY,
        *ROWS,
        *DRAWN,
        *GROUPS,
        SOLVED,
        ":",
        ":1",
        ":2+",
        "\n",
        "\r\n",
        "#: ",
        "sudoku 2x2",
        "latin 5",
        ",",
        " ",
        "|",
        "alphabet 0123",
        "count 0",
        "[Puzzle]",
        "[State]",
        "Grid 01",
        "p edge 3 2",
        "e 1 2",
        "e 2 3",
        "c colours 2",
        "order 2",
        "0 -1",
        "puzzle,solution",
        "---",
        "1...",
        "0 1 2 3",
        "12 16",
        '"',
        "\ufeff",
        "!",
        "\x85",
        "\u2028",
        "²",
    ]
)


@settings(max_examples=examples(250), deadline=None)
@given(
    st.binary(max_size=300) | st.lists(PIECES, max_size=30).map(lambda p: "".join(p).encode()),
    st.sampled_from([".txt", ".col", ".pls", ".csv"]),
    st.sampled_from([None, "sudoku 2x2", "latin 1", "colouring 2"]),
)
@example(b"#: latin " + b"9" * 5000, ".txt", None)
@example(b"p edge 3 2\x0b\n", ".col", None)
def test_any_bytes_are_read_as_puzzles_or_rejected_in_one_line(
    tmp_path_factory: pytest.TempPathFactory, raw: bytes, ending: str, as_: str | None
) -> None:
    path = tmp_path_factory.getbasetemp() / f"fuzz{ending}"
    path.write_bytes(raw)
    puzzles, refusal = [], None
    try:
        puzzles = list(read(path, ReaderOptions(as_)))
    except BadInput as e:
        refusal = str(e)
    assert bool(puzzles) != bool(refusal)
    assert all(len(p.domains) == len(p.problem.variables) for p in puzzles)
    if refusal:
        assert refusal.startswith(f"{path}:")
        assert len(refusal.splitlines()) == 1
        assert len(refusal) < 800
