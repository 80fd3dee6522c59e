"""Patterns such as `sat/*.cnf` as corpora, claims beside their files, and notes on many files."""

import errno
import os
from pathlib import Path

import pytest

from harness.model.digests import digest
from puzzles.corpora import find
from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, read
from puzzles.readers.folder import is_pattern
from tests.conftest import Harness

CNF = "p cnf 2 1\n1 -2 0\n"
SHORT = "p cnf 2 {}\n1 -2 0\n"
CLAIM = "file,status\n{},{}\n"


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Working directory with formulas in two folders, of which each claims something."""
    for name in ("easy/a.cnf", "easy/b.cnf", "hard/c.cnf", "hard/deep/d.cnf", "hard/.e.cnf"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(CNF)
    (tmp_path / "easy" / "readme.txt").write_text("none")
    (tmp_path / "easy" / "expected.csv").write_text(CLAIM.format("b.cnf", "sat"))
    (tmp_path / "hard" / "expected.csv").write_text(CLAIM.format("deep/d.cnf", "unsat"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("*/*.cnf", ["easy/a.cnf", "easy/b.cnf", "hard/c.cnf"]),
        ("**/*.cnf", ["easy/a.cnf", "easy/b.cnf", "hard/c.cnf", "hard/deep/d.cnf"]),
        ("h*", ["hard/c.cnf", "hard/deep/d.cnf"]),
        ("easy/[!a]*", ["b.cnf"]),
        ("hard/d???/?.cnf", ["deep/d.cnf"]),
    ],
)
def test_a_pattern_is_a_corpus_of_the_files_that_it_matches(corpus: Path, pattern: str, names: list[str]) -> None:
    for given in (pattern, str(corpus / pattern)):
        assert [instance.name for instance in read(find(given))] == names


def test_claims_are_read_from_every_folder_of_a_corpus(corpus: Path) -> None:
    claimed = {"easy/b.cnf": 1, "hard/deep/d.cnf": 0}
    for given in (".", "**/*.cnf"):
        found = {i.name: i.count for i in read(Path(given)) if i.count is not None}
        assert found == claimed
    (corpus / "expected.csv").write_text(CLAIM.format("easy/b.cnf", "unsat"))
    with pytest.raises(BadInput, match=r"easy/expected\.csv:2: 'b\.cnf' has the other status already"):
        list(read(Path()))


def test_a_pattern_without_a_match_is_refused(corpus: Path) -> None:
    for pattern in ("*.opb", "easy/read*", "none/*"):
        with pytest.raises(BadInput, match="no instance matches"):
            find(pattern)


def test_a_file_or_a_board_with_stars_is_no_pattern(corpus: Path) -> None:
    (corpus / "[a].cnf").write_text("p cnf 1 1\n1 0\n")
    assert [instance.name for instance in read(find("[a].cnf"))] == ["[a].cnf"]
    assert not any(map(is_pattern, map(Path, ("1*34**21", "**|**", "A***B", "plain.cnf"))))


def test_the_digest_of_a_pattern_is_that_of_its_files_and_their_claims(corpus: Path) -> None:
    pattern = Path("easy/*.cnf")
    before = digest(pattern)
    (corpus / "hard" / "c.cnf").write_text("p cnf 1 1\n1 0\n")
    assert digest(pattern) == before is not None
    (corpus / "easy" / "expected.csv").write_text(CLAIM.format("b.cnf", "unsat"))
    claimed = digest(pattern)
    (corpus / "easy" / "z.cnf").write_text(CNF)
    assert len({before, claimed, digest(pattern)}) == 3


def test_a_run_takes_a_pattern_and_names_the_journal_without_wildcards(corpus: Path, harness: Harness) -> None:
    done = harness("run", corpus / "*" / "?.cnf", "-b", "native:python")
    assert (done.code, done.out.splitlines()[0].split(" | ")[0]) == (0, "?.cnf: 3 CNF formulas")
    (journal,) = Path("results").iterdir()
    assert "?" not in journal.name


def test_a_run_of_many_files_states_their_number(corpus: Path, harness: Harness) -> None:
    paths = [corpus / f"{n}.cnf" for n in range(7)]
    for path in paths:
        path.write_text(CNF)
    done = harness("run", *paths, "-b", "native:python", "-o", "a.sqlite")
    assert done.out.startswith("7 corpora: 7 CNF formulas | ")


def test_notes_of_one_kind_are_shown_for_three_files_and_then_counted(tmp_path: Path) -> None:
    for n in range(2, 8):
        (tmp_path / f"{n}.cnf").write_text(SHORT.format(n))
    (tmp_path / "9.cnf").write_text(SHORT.format(1) + "%\n0\n")
    notes: list[str] = []
    assert len(list(read(tmp_path, ReaderOptions(notify=notes.append)))) == 7
    assert notes == [
        *(f"{tmp_path}/{n}.cnf: 1 clause, but the header states {n}" for n in (2, 3, 4)),
        f"{tmp_path}/9.cnf: '%' ends the clauses",
        f"{tmp_path}: 3 more files: N clauses, but the header states N",
    ]


def test_journals_their_folder_and_programs_are_no_instances(tmp_path: Path) -> None:
    inside = ("results/j.sqlite", "results/models/m.cnf", "__pycache__/a.cpython-311.pyc", "model.py", "j.sqlite-lock")
    for name in (*inside, "a.cnf", "models/b.cnf"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(SHORT.format(1))
    assert [i.name for i in read(tmp_path)] == ["a.cnf", "models/b.cnf"]
    assert [i.name for i in read(tmp_path / "results")] == ["models/m.cnf"], "what a user names is read"


def test_a_reader_that_takes_no_refused_files_names_one_of_each_reason_and_how_many_more(corpus: Path) -> None:
    for n in range(5):
        (corpus / "easy" / f"{n}.cnf").write_text("p cnf 1 1\n2 0\n")
    with pytest.raises(BadInput) as refused:
        list(read(Path("easy")))
    assert [name for name in map(str, range(9)) if f"easy/{name}.cnf" in str(refused.value)] == ["0"]
    assert " (4 more files like this); to take the rest of easy, move them away or rename them" in str(refused.value)
    for n in range(5):
        (corpus / "easy" / f"{n}.cnf").rename(corpus / "easy" / f".{n}.cnf")
    assert [instance.name for instance in read(Path("easy"))] == ["a.cnf", "b.cnf"]


@pytest.mark.parametrize("unreadable", ["hard", "hard/deep"])
def test_a_folder_that_cannot_be_read_is_no_folder_without_instances(
    corpus: Path, harness: Harness, monkeypatch: pytest.MonkeyPatch, unreadable: str
) -> None:
    listed = os.scandir

    def scandir(path: str) -> "os._ScandirIterator[str]":
        if Path(path) == Path(unreadable):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)
    done = harness("run", "hard", "-b", "native:python")
    assert (done.code, done.out) == (2, "")
    assert done.err == f"harness: {unreadable}: can't be read: permission denied\n"
    assert [instance.name for instance in read(Path("easy"))] == ["a.cnf", "b.cnf"]
