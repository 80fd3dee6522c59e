"""A solver finds the same surroundings however a run was started: variables, limits, signals, descriptors."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.running.programs import SEES, program

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
RUN = (sys.executable, "-m", "harness", "run", "hardest", "-n", "1", "-b", "lines:sees", "-o")


def seen(file: Path) -> dict[str, Any]:
    """Return what the program found, without our own marks and folders for temporary files.

    The limit of data sets the pages of the opened worker aside, a few more or less in each run: it counts in 16 MiB.
    """
    found: dict[str, Any] = json.loads(file.read_text())
    limits = found["limits"]
    limits["RLIMIT_DATA"] = [round(limit / (16 << 20)) for limit in limits["RLIMIT_DATA"]]
    for name in ("CROSSCHECK_RUN", "CROSSCHECK_TEST_FILE", "TMPDIR"):
        del found["variables"][name]
    return found


def ignore_signals() -> None:
    """Do what nohup and a shell in the background do, and block a signal."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1, signal.SIGTERM})


@pytest.mark.slow
def test_ignored_and_blocked_signals_are_not_inherited(tmp_path: Path, environment: dict[str, str]) -> None:
    options = program(tmp_path, "sees", SEES)

    def local(name: str, before: Callable[[], None] | None) -> dict[str, Any]:
        env = environment | {"CROSSCHECK_TEST_FILE": str(tmp_path / name)}
        command = [*RUN, f"{name}.sqlite", *options]
        subprocess.run(command, cwd=tmp_path, env=env, preexec_fn=before, capture_output=True, timeout=60, check=False)
        return seen(tmp_path / name)

    plain = local("plain", None)
    assert plain == local("ignoring", ignore_signals)
    assert plain["signals"][0].strip() == "0" * 16
    assert plain["descriptors"].keys() == {"0", "1", "2"}
    assert plain["oom"] == "500\n"
