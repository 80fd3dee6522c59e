"""Instances chosen by --only and --exclude, and lists of instances as files."""

from pathlib import Path

import pytest

from harness.model.digests import digest
from puzzles.corpora import find
from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, read
from puzzles.readers.folder import absolute
from puzzles.readers.selecting import Selection
from tests.conftest import Harness

CNF = "p cnf 2 1\n1 -2 0\n"
EVERY = ["easy/a.cnf", "easy/b.cnf", "hard/deep/a.cnf", "hard/lines.txt:1", "hard/lines.txt:2"]


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Working directory with a folder `f` of formulas, and of boards a line each."""
    for name in EVERY[:3]:
        (tmp_path / "f" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "f" / name).write_text(CNF)
    (tmp_path / "f" / "hard" / "lines.txt").write_text(f"{'.' * 16}\n{'1' + '.' * 15}\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(corpus: str, only: tuple[str, ...] = (), exclude: tuple[str, ...] = ()) -> list[str]:
    return [i.name for i in read(find(corpus), ReaderOptions(selection=Selection(only, exclude)))]


@pytest.mark.parametrize(
    ("pattern", "taken"),
    [
        ("a.cnf", [0, 2]),
        ("easy", [0, 1]),
        ("deep", [2]),
        ("hard/deep", [2]),
        ("hard/*", [2, 3, 4]),
        ("easy/[!a]*", [1]),
        ("lines.txt", [3, 4]),
        ("lines.txt:2", [4]),
        ("hard/lines.txt:1", [3]),
        ("f/easy/b.cnf", [1]),
        ("A.CNF", []),
    ],
)
def test_a_pattern_takes_or_leaves_out_what_it_matches(corpus: Path, pattern: str, taken: list[int]) -> None:
    assert names("f", only=(pattern,)) == [EVERY[i] for i in taken]
    assert names("f", exclude=(pattern,)) == [name for i, name in enumerate(EVERY) if i not in taken]


def test_what_is_excluded_stays_out_although_it_is_chosen(corpus: Path) -> None:
    assert names("f", only=("hard", "b.cnf"), exclude=("*.txt",)) == ["easy/b.cnf", "hard/deep/a.cnf"]


def test_a_single_file_is_selected_by_its_name_and_path(corpus: Path) -> None:
    assert names("f/easy/a.cnf", exclude=("a.cnf",)) == names("f/easy/a.cnf", exclude=("f/easy/*",)) == []
    assert names("f/hard/lines.txt", only=("lines.txt:2",)) == ["lines.txt:2"]


def test_a_pattern_that_matches_nothing_is_noted_and_no_instance_at_all_refused(corpus: Path, harness: Harness) -> None:
    done = harness("run", "f", "-b", "native:python", "--only", "easy/a.cnf", "--exclude", "esay", "-o", "j.sqlite")
    assert (done.code, done.err) == (0, "note: --exclude 'esay' matches no instance\n")
    none = harness("run", "f", "-b", "native:python", "--only", "esay", "-o", "k.sqlite")
    assert (none.code, none.err) == (2, "harness: --only and --exclude leave no instance\n")


def test_a_list_has_files_folders_and_patterns_in_its_order(corpus: Path, harness: Harness) -> None:
    (corpus / "lists").mkdir()
    lines = ("# chosen", "", "../f/hard/lines.txt", "../f/e*/b.cnf", "own.cnf", "../f/hard/deep", "own.cnf")
    (corpus / "lists" / "l.txt").write_text("\n".join(lines))
    (corpus / "lists" / "own.cnf").write_text(CNF)
    found = ["../f/hard/lines.txt:1", "../f/hard/lines.txt:2", "../f/easy/b.cnf", "own.cnf", "../f/hard/deep/a.cnf"]
    assert names("@lists/l.txt") == names(f"@{corpus}/lists/l.txt")
    assert names("@lists/l.txt") == found
    done = harness("run", "@lists/l.txt", "-b", "native:python", "-n", "3", "-o", "j.sqlite")
    assert (done.code, done.out.startswith("@l.txt: ")) == (0, True)


def test_a_list_with_a_missing_file_names_its_line(corpus: Path) -> None:
    Path("l.txt").write_text("f/easy/a.cnf\nf/none.cnf\n")
    with pytest.raises(BadInput, match=r"l\.txt:2: no such file: 'f/none\.cnf'"):
        names("@l.txt")
    with pytest.raises(BadInput, match=r"@m\.txt: no such list of instances"):
        find("@m.txt")


def test_the_digest_of_a_list_is_that_of_its_files(corpus: Path) -> None:
    Path("l.txt").write_text("f/easy/a.cnf\nf/easy/b.cnf\n")
    path = absolute(Path("@l.txt"))
    before = digest(path)
    Path("f/hard/deep/a.cnf").write_text("p cnf 1 1\n1 0\n")
    assert digest(path) == before is not None
    Path("f/easy/b.cnf").write_text("p cnf 1 1\n1 0\n")
    assert digest(path) != before
