"""Problems on their way to workers: one file for all contenders of a lease, written again if it was changed."""

import json
from pathlib import Path

import pytest

from harness.fuzzing.sessions import Sessions, batch
from harness.model.contender import resolve
from harness.model.settings import RunSettings
from harness.running.workers import problem_file
from harness.running.workers.problem_file import ChangedFile, ProblemFile, problem_of, read_problem
from puzzles.constraints.clauses import Clauses
from puzzles.problem import Problem

pytestmark = pytest.mark.usefixtures("forked")

XOR = Problem("xor", ("a", "b"), ("false", "true"), (Clauses.of([(1, 2), (-1, -2)]),))
AND = Problem("and", ("a", "b"), ("false", "true"), (Clauses.of([(1,), (2,)]),))


def test_contenders_share_one_file_and_the_next_problem_replaces_it(tmp_path: Path) -> None:
    file = ProblemFile(tmp_path)
    first = file.of(XOR)
    assert file.of(XOR) is first
    assert read_problem(str(first.path), first.digest) == XOR
    second = file.of(AND)
    assert [second.path] == list(tmp_path.iterdir())
    assert read_problem(str(second.path), second.digest) == AND
    file.remove()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("damage", ["write", "delete", "link", "folder"])
def test_a_file_that_a_contender_changed_is_not_read_and_is_written_again(tmp_path: Path, damage: str) -> None:
    folder = tmp_path / "run"
    file = ProblemFile(folder)
    before = file.of(XOR)
    if damage == "write":
        before.path.write_bytes(before.path.read_bytes().replace(b"xor", b"xyz"))
        with pytest.raises(ChangedFile):
            read_problem(str(before.path), before.digest)
    else:
        before.path.unlink()
    if damage == "link":
        before.path.symlink_to(tmp_path / "other")
    if damage == "folder":
        folder.rmdir()
    after = file.of(XOR)
    assert read_problem(str(after.path), after.digest).name == "xor"
    assert not (tmp_path / "other").exists()


def test_a_small_problem_is_sent_without_a_file(tmp_path: Path) -> None:
    file = ProblemFile(tmp_path)
    given = file.given(XOR)
    assert file.given(XOR) is given
    assert problem_of(json.loads(json.dumps(given.order))) == XOR
    assert not list(tmp_path.iterdir())
    large = Problem("large", [f"x{i}" for i in range(9999)], ("false", "true"), XOR.constraints)
    written = file.given(large)
    assert file.given(large) is written
    assert problem_of(written.order) == large
    assert list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_lease_writes_its_problem_once(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    really = problem_file.write

    def counted(problem: Problem, folder: Path, content: bytes | None) -> problem_file.Written:
        written.append(problem.name)
        return really(problem, folder, content)

    monkeypatch.setattr(problem_file, "SENT_BYTES", 0)
    monkeypatch.setattr(problem_file, "write", counted)
    contenders, _ = resolve(["pysat:minisat22/extended", "pysat:minisat22/minimal"], 9)
    with Sessions(contenders, RunSettings(count=9)) as sessions:
        for problem in (XOR, AND):
            outcomes = sessions.solve([batch(c, problem, [problem.open]) for c in (0, 1)], RunSettings(count=9))
            assert [o.rows["found"].tolist() for o in outcomes] == [[2 if problem is XOR else 1]] * 2
    assert written == ["xor", "and"]
