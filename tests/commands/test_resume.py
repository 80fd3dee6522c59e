"""`run --resume`: what an interrupted run suggests continues it in the same way, and nothing stated is ignored."""

import argparse
import shlex
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from harness.commands import run as verb
from harness.model.errors import ClusterLost
from harness.model.settings import Cluster
from harness.runs.runner import Run
from tests.conftest import Harness

CLUSTER = ("--on", "s.json", "--same", "cpu")


@pytest.fixture
def interrupted(harness: Harness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Harness:
    """Run a board, and lose the scheduler, or press Ctrl-C."""
    (tmp_path / "boards.txt").write_text("#: sudoku 2x2\n.234341221434321\n")

    def solve(
        self: Run, notify: object, progress: object, proofs: object, cluster: Cluster | None, logs: object
    ) -> Iterator[int]:
        yield 0
        raise KeyboardInterrupt if cluster is None else ClusterLost("the scheduler does not answer")

    def stated(args: argparse.Namespace) -> Cluster | None:
        return Cluster.parse(args.on, args.same) if args.on else None

    monkeypatch.setattr(Run, "solve", solve)
    monkeypatch.setattr(verb, "cluster_of", stated)
    return harness


def hint(out: str) -> list[str]:
    """Return the words after `python -m harness` of the command on the last line."""
    return shlex.split(out.splitlines()[-1].split("`")[1])[3:]


def test_the_suggested_command_names_the_cluster(interrupted: Harness) -> None:
    done = interrupted("run", "boards.txt", "-b", "native:python", "-o", "my run.sqlite", *CLUSTER)
    assert done.code == 130
    assert done.err == "note: the scheduler does not answer: what was committed is kept, and --resume goes on with it\n"
    assert hint(done.out) == ["run", "--resume", "my run.sqlite", *CLUSTER]
    again = interrupted(*hint(done.out))
    assert hint(again.out) == hint(done.out)


def test_the_suggested_command_names_jobs_and_pinning_of_a_run_on_this_machine(interrupted: Harness) -> None:
    done = interrupted("run", "boards.txt", "-b", "native:python", "-o", "j.sqlite", "-j", "2", "--no-pin")
    assert hint(done.out) == ["run", "--resume", "j.sqlite", "--jobs", "2", "--no-pin"]
    assert hint(interrupted("report", "j.sqlite").out) == hint(done.out)


def test_the_suggested_command_names_what_it_needs_again(interrupted: Harness, tmp_path: Path) -> None:
    named = ("--program", "mine=cat --show-ends", "--env", f"old={sys.executable}")
    words = ("-b", "lines:mine", "-b", "native:python@old", "--proof", "--keep-proofs", "my proofs")
    done = interrupted("run", "boards.txt", *words, *named, "-o", "j.sqlite")
    assert hint(done.out) == ["run", "--resume", "j.sqlite", *named, "--keep-proofs", "my proofs"]
    again = interrupted(*hint(done.out))
    assert (again.code, hint(again.out)) == (130, hint(done.out))
    assert hint(interrupted("report", "j.sqlite").out) == hint(done.out)[:-2]


def test_the_suggested_command_names_a_program_of_the_path(interrupted: Harness) -> None:
    done = interrupted("run", "boards.txt", "-b", "lines:cat", "-o", "j.sqlite")
    assert hint(done.out) == ["run", "--resume", "j.sqlite", "--program", "cat=cat"]
    assert interrupted(*hint(done.out)).code == 130


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("hardest",), "corpora"),
        (("-b", "cpsat"), "--backend"),
        (("-t", "60"), "--timeout"),
        (("-n", "3"), "--puzzles"),
    ],
)
def test_a_resume_does_not_ignore_what_the_journal_states(harness: Harness, words: tuple[str, ...], named: str) -> None:
    done = harness("run", "--resume", "none.sqlite", *words)
    assert (done.code, done.err) == (2, f"harness: --resume takes {named} from the journal: leave it out\n")


def test_a_killed_run_is_reported_as_partial(harness: Harness, tmp_path: Path) -> None:
    assert harness("run", "hardest:4", "-b", "native:python", "-o", "j.sqlite").code == 0
    with closing(sqlite3.connect(tmp_path / "j.sqlite")) as db, db:
        db.execute("update meta set value = '\"running\"' where key = 'state'")
    for words in ((), ("--matrix-only",)):
        done = harness("report", "j.sqlite", *words)
        assert done.code == 130
        assert done.out.splitlines()[-1].startswith("killed, or still running: this table is partial; resume with `")
        assert hint(done.out) == ["run", "--resume", "j.sqlite"]
    again = harness(*hint(done.out))
    assert (again.code, "partial" in again.out) == (0, False)


@pytest.mark.slow
def test_a_merged_journal_suggests_no_resume(harness: Harness, tmp_path: Path) -> None:
    for n in "ab":
        harness("run", "hardest:4", "-b", f"native:{'norvig' if n == 'a' else 'python'}", "-o", f"{n}.sqlite")
    with closing(sqlite3.connect(tmp_path / "a.sqlite")) as db, db:
        db.execute("update meta set value = '\"interrupted\"' where key = 'state'")
    merged = harness("merge", "a.sqlite", "b.sqlite", "-o", "c.sqlite")
    for done in (merged, harness("report", "c.sqlite")):
        assert (done.code, done.out.splitlines()[-1]) == (130, "interrupted: this table is partial")
