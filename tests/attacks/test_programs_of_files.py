"""Journals and findings of somebody else name programs: none is run without the user's consent."""

import json
import shlex
import shutil
import sqlite3
import sys
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest

from harness.model.consent import commands_of, require_consent
from harness.model.errors import BadUsage
from tests.attacks.planting import wait_for
from tests.boards import EASY
from tests.conftest import Harness, left_running
from tests.journals import interrupt
from tests.programs import SUDOKU

pytestmark = pytest.mark.usefixtures("forked")

CORPUS = "#: sudoku 3x3\n" + "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9\n"


@pytest.fixture
def program(tmp_path: Path) -> str:
    """The command of a program that leaves a trace when it runs."""
    script = f"open({str(tmp_path / 'trace')!r}, 'a').write('x')\nprint('unknown')\n"
    (tmp_path / "mine.py").write_text(script)
    (tmp_path / "small.txt").write_text(CORPUS)
    return f"{sys.executable} mine.py"


def start(harness: Harness, *options: str) -> None:
    done = harness("run", "small.txt", "-b", "lines:mine", *options, "-o", "j.sqlite")
    assert done.code == 4, done.err
    Path("trace").unlink()
    interrupt("j.sqlite")


@pytest.mark.slow
def test_a_resume_runs_only_commands_that_are_named_again_or_agreed_to(harness: Harness, program: str) -> None:
    start(harness, "--program", f"mine={program}")
    done = harness("run", "--resume", "j.sqlite")
    assert done.code == 2
    (line,) = done.err.splitlines()
    again = shlex.quote(f"mine={program}")
    assert line == (f"harness: j.sqlite runs commands: name them again (--program {again}), or agree to all with --yes")
    done = harness("run", "--resume", "j.sqlite", "--program", "mine=cat")
    assert done.code == 2
    assert f"--program mine is {program!r} there, and 'cat' here" in done.err
    assert not Path("trace").exists()
    assert harness("run", "--resume", "j.sqlite", "--program", f"mine={program}").code == 4
    assert Path("trace").exists()


@pytest.mark.slow
def test_yes_shows_the_commands_and_runs_them(harness: Harness, program: str) -> None:
    start(harness, "--program", f"mine={program}")
    done = harness("run", "--resume", "j.sqlite", "--yes")
    assert done.code == 4
    assert f"j.sqlite runs:\n  --program {shlex.quote(f'mine={program}')}\n" in done.err
    assert Path("trace").exists()


@pytest.mark.slow
def test_a_program_on_the_path_and_an_interpreter_need_consent_too(
    harness: Harness, program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine").write_text(f"#!/bin/sh\nexec {program}\n")
    (tmp_path / "mine").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    start(harness)
    done = harness("run", "--resume", "j.sqlite")
    assert (done.code, "name them again (--program mine=mine)" in done.err) == (2, True)
    assert harness("run", "--resume", "j.sqlite", "--program", "mine=mine").code == 4
    text = json.dumps({"old": str(tmp_path / "python")})
    with closing(sqlite3.connect("j.sqlite")) as db:
        db.execute("update meta set value = json_set(value, '$.pythons', json(?)) where key = 'settings'", (text,))
        db.commit()
    interrupt("j.sqlite")
    done = harness("run", "--resume", "j.sqlite", "--program", "mine=mine")
    assert done.code == 2
    assert f"name them again (--env old={tmp_path}/python)" in done.err


@pytest.mark.parametrize("answer", ["y", "yes", "", "no"])
def test_a_terminal_shows_the_commands_and_asks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], answer: str
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(f"{answer}\n"))
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    commands = commands_of(["lines:mine", "dimacs:cadical", "native"], {"b": "rm -r \x1b[2J"}, {"old": "python"})
    try:
        require_consent("j.sqlite", commands, {}, False)
        assert answer in ("y", "yes")
    except BadUsage:
        assert answer in ("", "no")
    shown = capsys.readouterr().err
    assert shown.splitlines() == [
        "j.sqlite runs:",
        "  --program mine=mine",
        r"  --program 'b=rm -r \x1b[2J'",
        "  --env old=python",
    ]


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.slow
def test_a_finding_runs_no_program_that_the_command_line_does_not_name(
    harness: Harness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = tmp_path / "trace"  # of a shell, since shrinking starts the program a hundred times
    (tmp_path / "mine").write_text(f"#!/bin/sh\nprintf x >> {trace}\necho unsatisfiable\n")
    (tmp_path / "mine").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert harness("fuzz", "--as", "sudoku 2x2", "-b", "lines:mine", "--cases", 4).code == 1
    (path, *_) = (tmp_path / "findings").iterdir()
    assert "--program mine=mine" in path.read_text()
    trace.unlink()
    for verb in ("replay", "shrink"):
        done = harness(verb, path)
        assert done.code == 2
        assert "name them again (--program mine=mine), or agree to all with --yes" in done.err
    assert not trace.exists()
    assert harness("replay", path, "--program", "mine=mine").code == 1


VERSIONED = (
    f"import sys\nif '--version' in sys.argv: sys.exit(print('mine 2.{{}}', 'second line', sep='\\n'))\n{SUDOKU}"
)


@pytest.mark.slow
def test_a_replaced_program_is_named_by_resume_and_compare(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(VERSIONED.format(7))
    (tmp_path / "small.txt").write_text(f"{EASY}\n")
    program = f"mine={sys.executable} mine.py"
    run = ("run", "small.txt", "-b", "lines:mine", "--program", program, "-o")
    assert harness(*run, "a.sqlite").code == 0
    (tmp_path / "mine.py").write_text(VERSIONED.format(8))
    shutil.copy("a.sqlite", "interrupted.sqlite")
    interrupt("interrupted.sqlite")
    done = harness("run", "--resume", "interrupted.sqlite", "--program", program)
    assert done.code == 2
    assert len(done.err.splitlines()) == 1
    assert f"{tmp_path}/mine.py has changed" in done.err
    assert harness(*run, "b.sqlite").code == 0
    out = harness("compare", "a.sqlite", "b.sqlite").out
    assert "versions: before lines:mine: mine 2.7 (sha256 " in out
    assert "; after lines:mine: mine 2.8 (sha256 " in out


@pytest.mark.slow
@pytest.mark.parametrize(
    "answer",
    [
        "import time; time.sleep(60)",
        "print('unknown')",
        "print('x1' * 200)",
        "print('1\\x1b[2J')",
        "print(1); raise SystemExit(3)",
        "while True: print('1' * 10**6)",
        "import os; os.kill(os.getppid(), 19); print(1)",
        "import os, time; os.kill(os.getppid(), 9); time.sleep(60)",
        "import sys; print('1', sys.stdin.read()); raise OSError",
    ],
)
def test_an_answer_that_is_no_version_is_not_recorded(
    harness: Harness, tmp_path: Path, answer: str, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]
) -> None:
    monkeypatch.setattr("harness.running.programs.SECONDS", 0.5)
    monkeypatch.setattr("harness.running.programs.SLACK", 1)
    (tmp_path / "mine.py").write_text(f"import sys\nif '--version' in sys.argv:\n  {answer}\nelse: print('unknown')\n")
    (tmp_path / "small.txt").write_text(CORPUS)
    done = harness("run", "small.txt", "-b", "lines:mine", "--program", f"mine={sys.executable} mine.py", "--json", "-")
    assert done.code == 4, done.err
    assert done.contender("lines:mine")["version"].startswith("program (sha256 ")
    assert wait_for(lambda: not any("mine.py" in command for command in left_running(environment)))
