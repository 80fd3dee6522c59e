"""Workers end with the run even if its reaper is killed too, and a run survives the loss of reaper, guard or worker."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.running.workers.descendants import descendants
from tests.attacks.planting import wait_for
from tests.conftest import left_running

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

OPEN = f"#: sudoku 3x3\n{'.' * 81}\n"


def command_of(pid: int) -> str:
    """Return the command line of a process, '' if it has ended."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    return ""


@pytest.fixture
def looping(tmp_path: Path, environment: dict[str, str]) -> "Iterator[subprocess.Popen[bytes]]":
    """A run whose worker loops in C, holding the GIL."""
    (tmp_path / "open.txt").write_text(OPEN)
    command = [sys.executable, "-m", "harness", "run", "open.txt", "-b", "bad:hang", "-t", "1000"]
    null = subprocess.DEVNULL
    run = subprocess.Popen(command, cwd=tmp_path, env=environment, stdin=null, stdout=null, stderr=null)
    try:
        assert wait_for((tmp_path / "hanging").exists)
        yield run
    finally:
        run.kill()
        run.wait()


@pytest.mark.slow
def test_a_worker_in_a_loop_ends_although_reaper_and_parent_are_killed(looping: "subprocess.Popen[bytes]") -> None:
    below = list(descendants(looping.pid))
    (reaper,) = (pid for pid in below if "reaper.py" in command_of(pid))
    for pid in (reaper, looping.pid):
        os.kill(pid, signal.SIGKILL)
    looping.wait()
    assert wait_for(lambda: not any(map(command_of, below)))


@pytest.mark.slow
@pytest.mark.parametrize("victim", ["reaper.py", "guard", "worker"])
def test_a_run_survives_the_loss_of_one_of_its_processes(
    looping: "subprocess.Popen[bytes]", victim: str, environment: dict[str, str]
) -> None:
    below = list(descendants(looping.pid))
    matching = [pid for pid in below if (victim if victim == "reaper.py" else "guard") in command_of(pid)]
    os.kill(matching[-1 if victim == "worker" else 0], signal.SIGKILL)
    if victim == "reaper.py":
        looping.send_signal(signal.SIGINT)
    assert looping.wait(200) == (130 if victim == "reaper.py" else 4)
    assert left_running(environment) == []
    assert not any(map(command_of, below))
