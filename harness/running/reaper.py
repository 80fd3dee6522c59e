"""Reaper: a small process that cleans up after a run, however the run ends.

It reads the process ids of guards from standard input, one '+123' or '-123' per line. At end of input, which the kernel
signals however the parent ends, it lets the remaining guards end their workers, kills what is left of them, and removes
the run's folder of temporary files.
"""

import contextlib
import itertools
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

MARK = "CROSSCHECK_RUN"  # environment variable of every worker, inherited by all processes that it starts
GUARD_WAIT_S = 1.0  # for all guards of a run to end their workers


def kill_group(group: int) -> None:
    """Kill a process group, which may already be gone."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def kill_marked(mark: str) -> None:
    """Kill the processes whose mark begins so, in any group or session (Linux; elsewhere none)."""
    wanted = f"{MARK}={mark}".encode()
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if any(variable.startswith(wanted) for variable in (entry / "environ").read_bytes().split(b"\0")):
                os.kill(int(entry.name), signal.SIGKILL)


def wake(pids: set[int]) -> set[int]:
    """Continue processes that may have been stopped; return those that exist."""
    found = set()
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGCONT)
            found.add(pid)
    return found


class Reaper:
    """Reaper as its parent sees it, and the folder of temporary files that it removes.

    Its process has no mark, and its own session.
    """

    def __init__(self, folder: Path) -> None:
        self.token, self.workers, self.folder = secrets.token_hex(8), itertools.count(1), folder
        command = [sys.executable, "-S", "-E", str(Path(__file__).resolve()), self.token, str(self.folder)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )

    def new_mark(self) -> str:
        """Return the mark of another worker."""
        return f"{self.token}.{next(self.workers)}."

    def send(self, sign: str, pid: int) -> None:
        """Send '+' to watch a guard, '-' once it is gone."""
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(f"{sign}{pid}\n".encode())
            self.process.stdin.flush()

    def close(self) -> None:
        """Make it clean up, and wait for it to end."""
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)  # if the reaper was killed


def main() -> None:
    """Maintain the set of guards; clean up at end of input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    guards: set[int] = set()
    for line in sys.stdin:
        pid = int(line[1:])
        (guards.add if line[0] == "+" else guards.discard)(pid)
    end = time.monotonic() + GUARD_WAIT_S
    while wake(guards) and time.monotonic() < end:
        time.sleep(0.01)
    for pid in guards:
        kill_group(pid)
    kill_marked(sys.argv[1])
    shutil.rmtree(sys.argv[2], ignore_errors=True)


if __name__ == "__main__":
    main()
