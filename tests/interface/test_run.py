"""`harness.run` from Python: as the command line, from a process without a main file, and with Ctrl-C."""

import argparse
import os
import pickle
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import harness as interface
from harness.commands import run as verb
from harness.commands.progress import progress_bar, silent
from harness.interface.settings import ResumeSettings, parsed, parsed_resume
from harness.model.lease import LeaseResult
from harness.runs import runner, start
from harness.runs.runner import Run
from harness.storing.journal import Journal
from tests.conftest import ROOT, Harness
from tests.test_layers import HEAVY

BOARD = "#: sudoku 2x2, count 1\n" + ".234341221434321\n"


@pytest.fixture
def boards(harness: Harness, tmp_path: Path) -> Path:
    path = tmp_path / "boards.txt"
    path.write_text(BOARD * 3)
    return path


def test_importing_harness_loads_neither_numpy_nor_a_solver_nor_the_command_line() -> None:
    script = (
        f"import harness, sys; print(*dir(harness)); print([m for m in {[*HEAVY, 'argparse']} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60)
    names, loaded = done.stdout.splitlines()
    assert {"run", "resume", "open", "Results", "BadUsage"} <= set(names.split())
    assert loaded == "[]"
    with pytest.raises(AttributeError, match="module 'harness' has no attribute 'walk'"):
        _ = interface.walk


@pytest.mark.slow
def test_a_script_without_a_file_in_an_empty_folder_runs_workers(environment: dict[str, str], tmp_path: Path) -> None:
    script = (
        "import __main__, harness\n"
        "assert not hasattr(__main__, '__file__')\n"
        "results = harness.run('hardest', 'native:python,pysat', puzzles=2, output='kept.sqlite')\n"
        "print(results)\n"
        "print([c['solved'] for c in results.summary['contenders']])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.stderr == ""
    shown, solved = done.stdout.splitlines()
    assert shown == f"<Results of '{tmp_path / 'kept.sqlite'}': 2 contenders, 2 instances>"
    assert solved == "[2, 2]"


def test_settings_are_the_long_flags_of_run() -> None:
    parser = argparse.ArgumentParser()
    verb.add_arguments(parser)
    groups = {g.title: {flag for a in g._group_actions for flag in a.option_strings} for g in parser._action_groups}
    flags = {f"--{name.rstrip('_').replace('_', '-')}" for name in interface.Settings.__annotations__}
    assert flags <= set().union(*groups.values())
    expected = set().union(
        *(groups[title] for title in ("puzzles", "limits", "measurement", "contenders", "other machines"))
    )
    assert {f for f in expected if f.startswith("--")} - flags == {"--backend", "--cpu-limit", "--runs"}


def test_a_call_is_parsed_as_the_command_that_it_stands_for() -> None:
    settings = {
        "program": {"a": "./a {cnf}", "b": "b"},
        "pass_env": ["HOME"],
        "as_": "latin 4",
        "seed": -3,
        "cpu": None,
        "timeout": 0.5,
        "proof": True,
        "peak": False,
        "keep_proofs": Path("kept"),
    }
    args = parsed([Path("x.cnf"), "hard"], "native,cpsat", settings)
    parser = argparse.ArgumentParser()
    verb.add_arguments(parser)
    words = ["x.cnf", "hard", "-b", "native,cpsat", "--program", "a=./a {cnf}", "--program", "b=b", "--pass-env"]
    words += ["HOME", "--as", "latin 4", "--seed=-3", "-t", "0.5", "--proof", "--keep-proofs", "kept"]
    assert vars(args) == vars(parser.parse_args(words)) | {"command": args.command, "model_names": {}}
    parser.parse_args(args.command[1:])


def test_mistakes_are_bad_usage(boards: Path) -> None:
    no_file = "s.json: No such file or directory: `dask scheduler --scheduler-file s.json` writes it"
    mistakes: list[tuple[dict[str, Any], str]] = [
        ({"timeout": 0}, "timeout: '0' is not a number of seconds above 0"),
        ({"contenders": "nosuch"}, "unknown backend 'nosuch'"),
        ({"as_": "latin 5000"}, "latin '5000': state the order"),
        ({"corpora": "nosuch"}, "no such file, and no corpus of that name"),
        ({"corpora": []}, "run needs a corpus"),
        ({"keep_proofs": "x"}, "keep_proofs needs proof"),
        ({"on": "s.json"}, no_file if find_spec("distributed") else "a cluster needs Dask: pip install distributed"),
        ({"on": "tcp://127.0.0.1:8786", "jobs": 2}, "jobs does not go with on"),
        ({"same": "cpu"}, "same needs on"),
    ]
    for settings, message in mistakes:
        with pytest.raises(interface.BadUsage, match=message):
            interface.run(**{"corpora": boards, **settings})
    with pytest.raises(TypeError, match="run\\(\\) has no setting 'timout': choose from puzzles"):
        interface.run(boards, timout=3)  # type: ignore[call-arg]


def test_ctrl_c_keeps_the_journal_and_the_handler(
    boards: Path, harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = Run.commit

    def commit_and_interrupt(self: Run, leases: list[list[LeaseResult]]) -> None:
        commit(self, leases)
        monkeypatch.setattr(Run, "commit", commit)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(runner, "COMMIT_S", 0.0)
    monkeypatch.setattr(Run, "commit", commit_and_interrupt)
    handler = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt, match=r"part\.sqlite keeps what was solved"):
        interface.run(boards, "native:python", repeats=3, output="part.sqlite")
    assert signal.getsignal(signal.SIGINT) is handler
    part = interface.open("part.sqlite")
    assert part.summary["interrupted"]
    assert repr(part).endswith("1 contender, 3 instances, interrupted>")
    assert len(part._aggregate.contenders[0].states) < 3
    whole = interface.resume("part.sqlite")
    assert not whole.summary["interrupted"]
    assert len(whole._aggregate.contenders[0].states) == 3
    again = interface.resume(whole.journal)
    assert again.summary["contenders"] == whole.summary["contenders"], "a complete run is not run again"


def test_the_loss_of_a_scheduler_is_an_error_of_its_own_and_keeps_the_journal(
    boards: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose(self: Run, *_: object) -> Iterator[int]:
        yield 0
        raise interface.ClusterLost("the scheduler does not answer")

    monkeypatch.setattr(Run, "solve", lose)
    with pytest.raises(
        interface.ClusterLost, match=r"^the scheduler does not answer: .*lost\.sqlite keeps what was solved"
    ):
        interface.run(boards, "native:python", output="lost.sqlite")
    assert interface.open("lost.sqlite").summary["interrupted"]


def test_a_resume_has_the_flags_of_run_and_their_checks(boards: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {"jobs": 2, "no_pin": True, "force": True, "yes": True, "program": {"a": "./a"}}
    args = parsed_resume(Path("a b.sqlite"), given)
    assert args.resume == "a b.sqlite"
    assert (args.jobs, args.no_pin, args.force, args.yes, args.program) == (2, True, True, True, ["a=./a"])
    with pytest.raises(TypeError, match="resume\\(\\) has no setting 'timeout': choose from jobs, no_pin"):
        interface.resume("x.sqlite", timeout=3)  # type: ignore[call-arg]
    with pytest.raises(interface.BadUsage, match=r"missing\.sqlite"):
        interface.resume("missing.sqlite")


def test_commands_of_a_journal_are_run_with_consent_alone(boards: Path) -> None:
    answer = Path("answer")
    answer.write_text("#!/bin/sh\necho 1234341221434321\n")
    answer.chmod(0o755)
    named: dict[str, Any] = {"program": {"mine": "./answer"}}
    journal = interface.run(boards, "lines:mine", **named).journal
    with closing(sqlite3.connect(journal)) as db:
        db.execute("delete from outcomes")
        db.execute("delete from leases")
        db.execute("update meta set value = '\"interrupted\"' where key = 'state'")
        db.commit()
    with pytest.raises(interface.BadUsage, match="runs commands: name them again"):
        interface.resume(journal)
    assert interface.resume(journal, **named).contenders == ("lines:mine",)
    assert interface.resume(journal, yes=True).contenders == ("lines:mine",)


def test_a_progress_bar_is_for_terminals_and_notebooks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    with progress_bar(3) as progress:
        assert progress is silent
    monkeypatch.setitem(sys.modules, "ipykernel", sys)
    with progress_bar(3) as progress:
        progress(2)
        progress(0, "half of a board")
        (bar,) = (cell.cell_contents for cell in getattr(progress, "__closure__", ()))
        assert (bar.n, bar.postfix) == (2, "half of a board")


def test_a_run_leaves_the_environment_and_the_journal_to_others(
    boards: Path, monkeypatch: pytest.MonkeyPatch, harness: Harness
) -> None:
    monkeypatch.setenv("SHADE", "blue")
    before = dict(os.environ)
    answer = Path("answer")
    answer.write_text("#!/bin/sh\necho 1234341221434321\n")
    answer.chmod(0o755)
    results = interface.run(boards, "lines:mine", program={"mine": "./answer"}, pass_env=["SHADE"])
    assert results.contenders == ("lines:mine",)
    assert dict(os.environ) == before
    assert harness("judge", results.journal).code == 0, "it is not locked"


def test_every_setting_is_documented() -> None:
    text = (ROOT / "docs/reference/python.md").read_text()
    every = [*interface.Settings.__annotations__, *ResumeSettings.__annotations__]
    assert [name for name in every if f"`{name}`" not in text] == []


def test_runs_of_a_moment_have_journals_of_their_own(boards: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(boards.parent)
    taken = iter(start.free_paths("a.txt"))
    first = next(taken)
    with Journal.create(first):
        monkeypatch.setattr(start, "free_paths", lambda corpus: iter([first, next(taken)]))
        with start.new_journal(None, "a.txt") as journal:
            assert journal.path != first


def test_a_complete_run_is_not_changed_by_a_resume(boards: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(boards.parent)
    results = interface.run(boards, "native:python")
    before = facts_of(results.journal)
    resumed = interface.resume(results.journal)
    assert facts_of(results.journal) == before
    assert resumed.summary["contenders"] == results.summary["contenders"]
    assert pickle.loads(pickle.dumps(results)).table() == resumed.table()
    values = results.values(library="pandas")
    assert values["A1"].dtype == "Int64"
    assert set(values["verdict"]) == {"correct"}


def facts_of(journal: Path) -> list[object]:
    """Return the metadata of a journal and the number of its reference measurements."""
    with closing(sqlite3.connect(journal)) as db:
        return [*db.execute("select key, value from meta order by key"), *db.execute("select count(*) from reference")]
