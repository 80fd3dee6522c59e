"""WCNF files: hard clauses are read, soft ones are an objective that is set aside with one note a corpus."""

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.constraints.clauses import Clauses
from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, read
from puzzles.readers.source import OBJECTIVE

OLD = "c a comment\np wcnf 4 5 16\n16 1 -2 0\n3 -1 0\nc another\n17 0\n1 2 3 0\n16 3 -4 4 0\n"
NEW = "c a comment\nh 1 -2 0\n3 -1 0\nc another\nh 0\n1 2 3 0\nh 3 -4 4 0\n"
HARD = ((1, -2), (), (3, -4, 4))


def instance(
    path: Path, content: str | bytes, notes: list[str] | None = None
) -> tuple[int, tuple[tuple[int, ...], ...]]:
    """Return the number of variables and the clauses of a file."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    (found,) = read(path, ReaderOptions(notify=notes.append if notes is not None else str))
    (clauses,) = found.problem.constraints
    assert isinstance(clauses, Clauses)
    return len(found.problem.variables), clauses.rows


@pytest.mark.parametrize("content", [OLD, NEW, gzip.compress(NEW.encode(), mtime=0), OLD.replace("\n", "\r\n")])
def test_hard_clauses_are_the_constraints_and_soft_ones_are_set_aside(tmp_path: Path, content: str | bytes) -> None:
    notes: list[str] = []
    path = tmp_path / "noname"
    assert instance(path, content, notes) == (4, HARD)
    assert notes == [f"{path}: {OBJECTIVE}"]


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        ("p wcnf 2 2\n3 1 0\n4 -2 0\n", ()),
        ("p wcnf 2 2 18446744073709551615\n18446744073709551615 1 0\n7 -2 0\n", ((1,),)),
        ("5 1 0\n\n6 2 -1 0\nh 1 2 0\n", ((1, 2),)),
        ("h 1 0\nh 2 0", ((1,), (2,))),
    ],
    ids=["without a top", "the largest top", "soft clauses first", "hard clauses alone"],
)
def test_forms_of_wcnf(tmp_path: Path, content: str, rows: tuple[tuple[int, ...], ...]) -> None:
    notes: list[str] = []
    assert instance(tmp_path / "a.wcnf", content, notes) == (2, rows)
    assert len(notes) == (len(rows) < 2)


literals = st.lists(st.integers(1, 9).flatmap(lambda x: st.sampled_from([x, -x])), max_size=4)


@given(st.lists(st.tuples(st.integers(0, 4), literals), min_size=1))
def test_both_formats_say_the_same(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[tuple[int, list[int]]]
) -> None:
    path = tmp_path_factory.mktemp("w") / "a.wcnf"
    old = [f"{weight or 9} {' '.join(map(str, [*row, 0]))}\n" for weight, row in drawn]
    new = [f"{weight or 'h'} {' '.join(map(str, [*row, 0]))}\n" for weight, row in drawn]
    hard = tuple(tuple(row) for weight, row in drawn if not weight)
    assert instance(path, f"p wcnf 9 {len(old)} 9\n{''.join(old)}")[1] == hard
    assert instance(path, "h 1 0\n" + "".join(new))[1] == ((1,), *hard)


@pytest.mark.parametrize(
    ("content", "place", "why"),
    [
        ("p wcnf 2 2 5\n5 1 0\n5 3 0\n", "3:3", "literal 3, but variables are 1 to 2"),
        ("p wcnf 2 2 5\n5 1 0\nh 1 0\n", "3:1", "'h' is not a weight"),
        ("p wcnf 2 1 5\n\n0 1 0\n", "3:1", "'0' is not a weight"),
        ("h 1 0\n-1 2 0\n", "2:1", "'-1' is not a weight or h"),
        ("h 1 0\nc\n3 x1 0\n", "3:3", "'x1' is not a literal"),
        ("h 1 0\n3 1 2\n", "2", "ends in 0 on each line"),
        ("h 1 0\n3 1 0 2 0\n", "2", "ends in 0 on each line"),
        ("h 1 0\n1234567890123456789 1 0\n", "2:1", "a weight of 19 digits"),
        ("h 1 0\np cnf 1 1\n", "2", "expected 'p wcnf"),
        ("p wcnf 99999999999 1 5\n", "1", "at most"),
    ],
)
def test_wrong_files_are_refused_with_their_place(tmp_path: Path, content: str, place: str, why: str) -> None:
    path = tmp_path / "a.wcnf"
    with pytest.raises(BadInput) as refused:
        instance(path, content)
    assert str(refused.value).startswith(f"{path}:{place}: ")
    assert why in str(refused.value)


def test_a_corpus_has_one_note_on_objectives_and_none_if_they_are_ignored(tmp_path: Path) -> None:
    (tmp_path / "a.wcnf").write_text(NEW)
    (tmp_path / "b.opb").write_text("min: +1 x1 ;\n+1 x1 +1 x2 >= 1 ;\n")
    (tmp_path / "c.opb").write_text("* #variable= 2 #constraint= 7\nmin: +1 x1 ;\n+1 x1 +1 x2 >= 1 ;\n")
    notes: list[str] = []
    assert len(list(read(tmp_path, ReaderOptions(notify=notes.append)))) == 3
    count = f"{tmp_path / 'c.opb'}: 1 constraints, but the header states 7"
    assert notes == [f"{tmp_path}: objectives are set aside: instances are decided, not optimised", count]
    notes.clear()
    found = list(read(tmp_path, ReaderOptions(notify=notes.append, ignore_objective=True)))
    assert notes == [count]
    assert [instance.source for instance in found] == [None] * 3  # a program gets what is asked, not the file
