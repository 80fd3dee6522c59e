"""Nothing that a contender starts outlives the run: in another session, without a parent, without our environment."""

import os
import sys
from pathlib import Path

import pytest

from harness.model.outcome import Verdict
from tests.attacks.planting import BOARDS, SOLUTION, outcomes, plant, running, wait_for
from tests.conftest import Harness

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@pytest.mark.slow
def test_a_daemon_without_environment_ends_with_its_ask(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "two.txt").write_text(BOARDS)
    word = os.environ["CROSSCHECK_TEST"]
    script = f"read board; env -i setsid sh -c 'sleep 60; :' {word} > /dev/null 2>&1 &\nsleep 0.1; echo {SOLUTION}"
    harness("run", "two.txt", *plant(tmp_path, "mine", script), "-o", "j.sqlite")
    assert [row[1] for row in outcomes(tmp_path / "j.sqlite", "verdict")] == [Verdict.CORRECT] * 2
    assert running(word) == []


@pytest.mark.slow
def test_a_daemon_without_environment_ends_with_a_worker_that_crashes(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "open.txt").write_text("#: sudoku 2x2\n................\n")
    done = harness("run", "open.txt", "-b", "bad:daemon", "--json", "-")
    assert "died of SIGABRT" in done.contender("bad:daemon")["trouble"][0]["why"]
    assert running(os.environ["CROSSCHECK_TEST"]) == []


@pytest.mark.slow
@pytest.mark.parametrize("guard", ["outer", "inner"])
def test_a_daemon_ends_with_its_guards_if_one_of_them_is_killed(guard: str, harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "two.txt").write_text(BOARDS)
    word = os.environ["CROSSCHECK_TEST"]
    climb = "p=$(sed 's/.*) . //; s/ .*//' /proc/$p/stat)"
    way = f"p=$PPID; {'; '.join([climb] * (2 if guard == 'outer' else 1))}"  # from the worker
    daemon = f"env -i setsid sh -c 'sleep 60; :' {word} > /dev/null 2>&1 &"
    kill = f"sleep 0.3; {way}; cat /proc/$p/cmdline > killed; kill -9 $p; sleep 60"
    script = f"read board || exit\nif mkdir started 2> /dev/null; then\n{daemon}\n{kill}\nfi\necho {SOLUTION}"
    harness("run", "two.txt", *plant(tmp_path, "mine", script), "-o", "j.sqlite", "-w", "0")
    assert "harness.running.workers.guard" in (tmp_path / "killed").read_text()
    assert wait_for(lambda: running(word) == [], 10)
