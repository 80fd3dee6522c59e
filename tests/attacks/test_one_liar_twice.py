"""One solver under two names, which calls each board unsatisfiable, can't refute a corpus by agreeing with itself."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from harness.model.outcome import Verdict
from tests.attacks.test_plugins import crosscheck, folder, install  # noqa: F401 - fixtures
from tests.conftest import Done, Harness

pytestmark = pytest.mark.usefixtures("forked")

BOARDS = 11  # of hardest.txt, whose claim is true
LIAR = "#!/bin/sh\ntest $# -eq 0 && echo unsatisfiable || echo s UNSATISFIABLE\n"  # as lines:NAME, as dimacs:NAME
PLUGIN = """
from dataclasses import dataclass
from backends.contract.answer import Answer, Status
from encoders.formula import AllDifferent
class Session:
    def ask(self, ask):
        return Answer(Status.UNSATISFIABLE, complete=True)
    def close(self):
        pass
@dataclass
class B:
    name: str
    version: str = '1.0'
    accepts: frozenset = frozenset({AllDifferent})
    can: frozenset = frozenset({'count', 'domains'})
    def open(self, formula):
        return Session()
def one():
    return [B('one')]
def two():
    return [B('two')]
"""


def write(path: Path, text: str) -> Path:
    """Write a script that can be executed."""
    path.write_text(text)
    path.chmod(0o755)
    return path


def twice(folder: Path) -> tuple[str, str]:  # noqa: F811 - not the fixture
    script = write(folder / "solver.sh", LIAR)
    return f"sh {script}", f"sh {script}"


def copied(folder: Path) -> tuple[str, str]:  # noqa: F811
    one = write(folder / "minisolver", LIAR)
    shutil.copy(one, folder / "othersolver")
    return str(one), str(folder / "othersolver")


def wrapped(folder: Path) -> tuple[str, str]:  # noqa: F811
    write(folder / "core", LIAR)
    first = write(folder / "first", '#!/bin/sh\nexec "$(dirname "$0")/core" "$@"\n')
    return str(first), str(write(folder / "second", f"#!/bin/sh\nulimit -c 0\nexec {folder}/core $*\n"))


def launched(folder: Path) -> tuple[str, str]:  # noqa: F811
    script = write(folder / "solver", LIAR)
    return str(script), f"env A=1 timeout 9 {script}"


def different(folder: Path) -> tuple[str, str]:  # noqa: F811
    return str(write(folder / "x", LIAR)), str(write(folder / "y", f"{LIAR}# by somebody else\n"))


def verdicts(path: Path) -> set[tuple[int, int]]:
    """Return the verdicts of a journal with their numbers."""
    with closing(sqlite3.connect(path)) as db, db:
        return set(db.execute("select verdict, count(*) from outcomes group by 1"))


def run_liars(harness: Harness, tmp_path: Path, make: Callable[[Path], tuple[str, str]]) -> Done:
    one, two = make(tmp_path)
    words = ["--program", f"a={one}", "--program", f"b={two}", "-b", "lines:a", "-b", "dimacs:b"]
    return harness("run", "hardest", *words, "-o", str(tmp_path / "j.sqlite"))


@pytest.mark.slow
@pytest.mark.parametrize("make", [twice, copied, wrapped, launched])
def test_one_program_under_two_names_refutes_no_claim(
    harness: Harness, tmp_path: Path, make: Callable[[Path], tuple[str, str]]
) -> None:
    done = run_liars(harness, tmp_path, make)
    assert (done.code, verdicts(tmp_path / "j.sqlite")) == (1, {(Verdict.WRONG, 2 * BOARDS)}), done.out
    assert harness("judge", str(tmp_path / "j.sqlite")).code == 1
    assert verdicts(tmp_path / "j.sqlite") == {(Verdict.WRONG, 2 * BOARDS)}


@pytest.mark.slow
def test_two_different_programs_that_agree_refute_a_claim(harness: Harness, tmp_path: Path) -> None:
    assert run_liars(harness, tmp_path, different).code == 2
    assert verdicts(tmp_path / "j.sqlite") == {(Verdict.CORPUS_WRONG, 2 * BOARDS)}


@pytest.mark.slow
def test_runs_of_one_program_that_are_merged_refute_no_claim(harness: Harness, tmp_path: Path) -> None:
    script = write(tmp_path / "solver.sh", LIAR)
    for backend in ("lines:a", "dimacs:b"):
        name = backend.partition(":")[2]
        words = ["-b", backend, "--program", f"{name}={script}", "-o", str(tmp_path / f"{name}.sqlite")]
        harness("run", "hardest", *words)
    done = harness("merge", *(str(tmp_path / f"{n}.sqlite") for n in "ab"), "-o", str(tmp_path / "j.sqlite"))
    assert (done.code, verdicts(tmp_path / "j.sqlite")) == (1, {(Verdict.WRONG, 2 * BOARDS)}), done.out


@pytest.mark.slow
def test_two_entry_points_of_one_distribution_refute_no_claim(
    folder: Path,  # noqa: F811
    crosscheck: Callable[..., Done],  # noqa: F811
    tmp_path: Path,
) -> None:
    install(folder, "evil", PLUGIN)
    (folder / "evil-1.0.dist-info" / "entry_points.txt").write_text(
        "[crosscheck.backends]\none = evil:one\ntwo = evil:two\n"
    )
    done = crosscheck("run", "hardest", "-b", "one", "-b", "two", "-o", str(tmp_path / "j.sqlite"))
    assert (done.code, verdicts(tmp_path / "j.sqlite")) == (1, {(Verdict.WRONG, 2 * BOARDS)}), done.out


@pytest.mark.slow
def test_a_module_that_two_distributions_copy_refutes_no_claim(
    folder: Path,  # noqa: F811
    crosscheck: Callable[..., Done],  # noqa: F811
    tmp_path: Path,
) -> None:
    for name in ("one", "two"):
        install(folder, name, PLUGIN)
        (folder / f"{name}-1.0.dist-info" / "entry_points.txt").write_text(
            f"[crosscheck.backends]\n{name} = {name}:{name}\n"
        )
    done = crosscheck("run", "hardest", "-b", "one", "-b", "two", "-o", str(tmp_path / "j.sqlite"))
    assert (done.code, verdicts(tmp_path / "j.sqlite")) == (1, {(Verdict.WRONG, 2 * BOARDS)}), done.out
