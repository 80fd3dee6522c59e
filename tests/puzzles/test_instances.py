"""Instances from CNF and OPB files, compressed files and folders."""

import bz2
import gc
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.constraints.clauses import Clauses
from puzzles.constraints.linear import COMPARISONS, Linear
from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, parse_text, read
from puzzles.problem import Instance, Problem
from puzzles.problem.check import violations
from puzzles.problem.content import attach, detach
from puzzles.problem.dumped import dump
from puzzles.problem.values import Integers, Numbered
from puzzles.readers import cnf, opb
from puzzles.stored import load

CNF = "c a comment\np cnf 3 3\n1 -2 0\n0\n3 3 -3\n0\n"
OPB = "* #variable= 3 #constraint= 2\n* free text\nmin: +1 x1 ;\n+3 x1 -2 ~x2\n >= 1 ;\n-1 x3 = 0 ;\n"


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def one(path: Path, notes: list[str] | None = None) -> Instance[Problem]:
    (instance,) = read(path, ReaderOptions(notify=notes.append if notes is not None else lambda _: None))
    return instance


def rows(problem: Problem) -> object:
    (constraint,) = problem.constraints
    return constraint.rows  # type: ignore[attr-defined]


def test_a_cnf_file_is_one_instance(tmp_path: Path) -> None:
    notes: list[str] = []
    found = one(written(tmp_path, "a.cnf", CNF), notes)
    assert (found.name, found.domains, list(found.problem.variables)) == ("a.cnf", (3, 3, 3), ["x1", "x2", "x3"])
    assert rows(found.problem) == ((1, -2), (), (3, 3, -3))
    assert notes == [f"{tmp_path / 'a.cnf'}: clauses that name a variable more than once: 1"]
    assert found.source is not None  # programs read the same instance in the file


@pytest.mark.parametrize(
    ("text", "clauses", "note"),
    [
        ("p cnf 2 5\n1 0 2 0\n", ((1,), (2,)), "2 clauses, but the header states 5"),
        ("p cnf 2 2\n1 0\n2", ((1,), (2,)), "the last clause has no 0 at its end"),
        ("p cnf 2 1\n1 2 0\n%\n0\n\n", ((1, 2),), "'%' ends the clauses"),
    ],
)
def test_what_is_not_in_order_but_clear_is_read_with_a_note(
    tmp_path: Path, text: str, clauses: object, note: str
) -> None:
    notes: list[str] = []
    path = written(tmp_path, "a.cnf", text)
    assert rows(one(path, notes).problem) == clauses
    assert notes == [f"{path}: {note}"]


@given(
    st.lists(st.lists(st.integers(1, 9).flatmap(lambda n: st.sampled_from((n, -n))), max_size=9)), st.integers(1, 40)
)
def test_clauses_that_name_a_variable_more_than_once_are_counted(clauses: list[list[int]], block: int) -> None:
    flat = np.array([literal for clause in clauses for literal in (*clause, 0)], np.int32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cnf, "BLOCK_LITERALS", block)
        assert cnf.repeating(flat, 9) == sum(len(set(map(abs, clause))) < len(clause) for clause in clauses)


@given(st.integers(1, 40), st.integers(0, 60), st.integers(1, 999), st.randoms(use_true_random=False))
def test_blocks_of_any_size_give_the_same_clauses(
    tmp_path_factory: pytest.TempPathFactory, variables: int, count: int, block: int, random: Random
) -> None:
    clauses = [[random.choice((-1, 1)) * random.randint(1, variables) for _ in range(3)] for _ in range(count)]
    lines = [f"{' '.join(map(str, c))} 0" + "\nc inside" * (random.random() < 0.1) for c in clauses]
    text = "\n".join([f"p cnf {variables} {count}", *lines, ""])
    path = written(tmp_path_factory.mktemp("cnf"), "a.cnf", text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("puzzles.readers.cnf.BLOCK_BYTES", block)
        found = one(path)
    assert rows(found.problem) == tuple(map(tuple, clauses))


def test_an_opb_file_is_one_instance(tmp_path: Path) -> None:
    notes: list[str] = []
    path = written(tmp_path, "a.opb", OPB)
    found = one(path, notes)
    assert len(found.problem.variables) == 3
    assert rows(found.problem) == (([3, 2], [0, 1], ">=", 3), ([-1], [2], "=", 0))


def test_coefficients_of_any_length_are_exact(tmp_path: Path) -> None:
    long = 10**60
    found = one(written(tmp_path, "a.opb", f"+{long} x1 -{long - 1} x2 >= 1 ;\n"))
    assert violations(found.problem, found.domains, (1, 1)) == []
    assert violations(found.problem, found.domains, (0, 1)) == [f"sum 1 is {1 - long}: +{long} x1 -{long - 1} x2 >= 1"]
    again = load(dump(found.problem))
    assert again == found.problem
    assert rows(again) == rows(found.problem)


terms = st.tuples(st.integers(-(10**12), 10**13), st.booleans(), st.integers(1, 9))
drawn_rows = st.tuples(st.lists(terms, max_size=4), st.sampled_from(sorted(COMPARISONS)), st.integers(-99, 10**19))


@given(st.lists(drawn_rows, max_size=6), st.sampled_from([1, 3, 4096]))
def test_rows_that_are_read_in_columns_are_those_read_word_by_word(
    drawn: list[tuple[list[tuple[int, bool, int]], str, int]], size: int
) -> None:
    texts = [
        "".join(f"{a:+} {'~' if negated else ''}x{x} " for a, negated, x in row) + f"{sign} {bound} ;"
        for row, sign, bound in drawn
    ]
    before, opb.BLOCK_ROWS = opb.BLOCK_ROWS, size
    try:
        plain, broken = (
            next(iter(parse_text("* #variable= 9 #constraint= 9\n" + "\n".join(text for text in every) + "\n", "t")))
            for every in (texts, [text.replace(" ;", "\n;") for text in texts])
        )
    finally:
        opb.BLOCK_ROWS = before
    assert rows(plain.problem) == rows(broken.problem)
    assert rows(plain.problem) == tuple(
        (
            [-a if negated else a for a, negated, _ in row],
            [x - 1 for *_, x in row],
            sign,
            bound - sum(a for a, negated, _ in row if negated),
        )
        for row, sign, bound in drawn
    )


sums = st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 3)), max_size=5)


@given(
    st.lists(st.tuples(sums, st.sampled_from(sorted(COMPARISONS)), st.integers(-20, 20)), max_size=4),
    st.lists(st.lists(st.integers(0, 2), min_size=4, max_size=4), min_size=1, max_size=5),
    st.sampled_from([1, 10**18, 10**30]),
)
def test_linear_constraints_are_checked_as_defined(
    drawn: list[tuple[list[tuple[int, int]], str, int]], solutions: list[list[int]], scale: int
) -> None:
    numbers = (-5, 0, 7)
    linear = Linear.of([([scale * a for a, _ in terms], [x for _, x in terms], c, scale * k) for terms, c, k in drawn])
    problem = Problem("sums", tuple("abcd"), Integers(numbers), (linear,))
    ok = linear.satisfied(np.array(solutions, np.uint16), problem)
    for solution, found in zip(solutions, ok.tolist(), strict=True):
        wanted = [COMPARISONS[c](sum(a * numbers[solution[x]] for a, x in terms), k) for terms, c, k in drawn]
        assert found == all(wanted)
        assert len(linear.explain(solution, problem)) == wanted.count(False)
    again = load(dump(problem))
    assert (again, rows(again)) == (problem, rows(problem))


def test_clauses_travel_as_bytes() -> None:
    problem = Problem("big", Numbered("x", 9), Integers(range(2)), (Clauses.of([(1, -9)] * 1000),))
    data = dump(problem)
    assert len(data) < 3000 * 4 + 300
    assert load(data) == problem
    assert load(data).variables == problem.variables


def test_the_bytes_of_a_problem_are_freed_with_it_and_not_at_the_next_garbage_collection() -> None:
    arrays: list[np.ndarray[tuple[int, ...], np.dtype[np.int32]]] = []
    header = detach({"clauses": np.arange(9, dtype=np.int32)}, arrays)
    data = bytearray(arrays[0].tobytes())
    gc.disable()
    try:
        assert attach(header, memoryview(data))["clauses"].tolist() == list(range(9))
        data.append(0)  # BufferError as long as anything refers to the bytes
    finally:
        gc.enable()


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress], ids=["gz", "bz2", "xz"])
@pytest.mark.parametrize("name", ["a.cnf", "noname"])
def test_compressed_files_are_recognised_by_content(
    tmp_path: Path, compress: Callable[[bytes], bytes], name: str
) -> None:
    assert rows(one(written(tmp_path, name, compress(CNF.encode()))).problem) == ((1, -2), (), (3, 3, -3))


def test_compressed_boards_and_graphs_are_read_too(tmp_path: Path) -> None:
    boards = list(read(written(tmp_path, "b.txt.gz", gzip.compress(b"#: sudoku 2x2\n1" + b"." * 15 + b"\n"))))
    graph = one(written(tmp_path, "g.col.xz", lzma.compress(b"c colours 2\np edge 2 1\ne 1 2\n")))
    assert [b.name for b in boards] == ["b.txt.gz:2"]
    assert graph.problem.name.startswith("colouring 2")


@pytest.mark.slow
def test_a_decompression_bomb_is_stopped(tmp_path: Path) -> None:
    path = written(tmp_path, "a.cnf.gz", gzip.compress(b"p cnf 1 1\n" + b"1 0\n" * (1 << 25)))
    with pytest.raises(BadInput, match="grows more than 100-fold"):
        one(path)


def test_a_folder_is_a_corpus_of_its_files(tmp_path: Path) -> None:
    written(tmp_path, "b.cnf", CNF)
    written(tmp_path, "sub/a.opb", OPB)
    written(tmp_path, "sub/boards.txt", "#: sudoku 2x2\n1...............\n")
    for skipped in ("README.md", ".hidden.cnf", "LICENSE"):
        written(tmp_path, skipped, "nothing")
    assert [instance.name for instance in read(tmp_path)] == ["b.cnf", "sub/a.opb", "sub/boards.txt:2"]


def test_a_layout_for_a_cnf_file_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="has no layout"):
        list(read(written(tmp_path, "a.cnf", CNF), ReaderOptions("sudoku 3x3")))


@given(st.text(alphabet="+-0123456789x~<>=!;*min: \n", max_size=80))
def test_any_text_is_an_opb_instance_or_refused_in_one_line(text: str) -> None:
    refused = ""
    try:
        (instance,) = parse_text(f"* #variable= 9 #constraint= 1\n{text}", "a")
        assert len(instance.domains) == 9
    except BadInput as e:
        refused = str(e)
    assert len(refused.splitlines()) <= 1
