"""The output of a program ends with the program, also where a background process of it holds a pipe open."""

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from backends.contract import registry
from backends.contract.answer import Ask, Status
from backends.contract.cases import FOUR
from backends.programs.process import Output, run, run_with_grace
from encoders.cnf import extended
from encoders.direct import text
from encoders.formula import Formula
from harness.judging.checkers.external import Checker, external_check
from harness.model.outcome import CERTIFIED

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a held pipe is named on Linux")
SECONDS = 60.0  # far more than the program takes, which is a failure if it is waited for
SLEEPER = "sleep 600 & echo $! > {pid}; "


@pytest.fixture
def pid(tmp_path: Path) -> Iterator[Path]:
    """Yield the file with the id of a background process, which is ended."""
    yield tmp_path / "pid"
    if (tmp_path / "pid").exists():
        with contextlib.suppress(ProcessLookupError):
            os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)


def shell(pid: Path, script: str, background: str = SLEEPER) -> tuple[str, ...]:
    """Return the command of a script that leaves a background process in a session of its own."""
    return "/bin/sh", "-c", f"setsid {background.format(pid=pid)}{script}", "sh"


@pytest.mark.parametrize("redirected", ["", ">/dev/null ", "2>/dev/null "])
def test_a_program_that_has_ended_is_not_waited_for(pid: Path, redirected: str) -> None:
    background = SLEEPER.replace("&", f"{redirected}&")
    result = run(shell(pid, "echo answer; exit 10", background), seconds=SECONDS)
    assert (result.code, result.output) == (10, b"answer\n")
    held = {"": "output and standard error", ">/dev/null ": "error", "2>/dev/null ": "output"}[redirected]
    assert (
        result.holder_note == f"the program has ended, and its background process sleep held its standard {held} open"
    )


def test_a_program_with_a_grace_is_not_waited_for_either(pid: Path) -> None:
    output = Output(0)
    result = run_with_grace(shell(pid, "echo answer"), SECONDS, 1.0, output)
    assert (result.code, bytes(output.kept), output.late) == (0, b"answer\n", False)
    assert "sleep" in result.holder_note


def test_what_a_pipe_holds_when_its_program_ends_is_read_whole() -> None:
    result = run(("/bin/sh", "-c", "head -c 60000 /dev/zero; exit 3"), seconds=SECONDS)
    assert (len(result.output), result.code, result.holder_note) == (60000, 3, "")


def test_the_output_that_a_filter_writes_after_the_program_has_ended_counts() -> None:
    script = "(while read -r line; do echo got $line; done) <&0 & exec 0</dev/null; exit 10"
    result = run(("/bin/sh", "-c", script), b"v 1\n", SECONDS)
    assert (result.code, result.output) in ((10, b"got v 1\n"), (10, b""))  # as far as it writes at once


def test_a_background_process_that_prints_for_ever_does_not_keep_the_program(pid: Path) -> None:
    result = run(
        shell(pid, "echo answer", "sh -c 'while :; do echo more; done' & echo $! > {pid}; "),
        seconds=SECONDS,
        answer_bytes=1 << 40,
    )
    assert b"answer\n" in result.output
    assert "its background process sh held" in result.holder_note


@pytest.mark.parametrize(
    ("name", "said", "formula"),
    [("lines", "unsatisfiable", text(FOUR)), ("dimacs", "s UNSATISFIABLE", extended(FOUR))],
)
def test_the_note_of_an_answer_says_who_held_the_pipe(pid: Path, name: str, said: str, formula: Formula) -> None:
    words = " ".join(f"'{word}'" for word in shell(pid, f"echo {said}"))
    opened = registry.find(f"{name}:held", {"held": words}).open(formula)
    answer = opened.ask(Ask(FOUR.open, seconds=SECONDS))
    opened.close()
    assert answer.status == Status.UNSATISFIABLE
    assert "its background process sleep held its standard output" in answer.note


def test_a_checker_of_proofs_that_has_ended_is_not_waited_for(pid: Path, tmp_path: Path) -> None:
    checker = Checker("held", shell(pid, "echo s VERIFIED"))
    assert external_check(checker, tmp_path / "f", tmp_path / "p", SECONDS) == (CERTIFIED, "")
