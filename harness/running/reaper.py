"""Ends what a run has started when the run itself is killed: a small process that outlives it by a moment.

It reads process groups from its standard input, '+123' or '-123' a line, and at the end of the input, which the kernel
brings about however its parent ends, it kills those that are left. `strays` finds what left its group.
"""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

MARK = "CROSSCHECK_RUN"  # in the environment of every worker, and so of all that a worker starts


def kill_group(group: int) -> None:
    """Kill a process group that may be gone already."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def strays(token: str) -> list[int]:
    """Processes that carry the run's mark, whatever group or session they made for themselves (Linux; else none)."""
    wanted = f"{MARK}={token}".encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if wanted in (entry / "environ").read_bytes().split(b"\0"):
                found.append(int(entry.name))
    return [pid for pid in found if pid != os.getpid()]


def kill_strays(token: str, groups: set[int]) -> None:
    """Kill those that are in none of the groups."""
    for pid in strays(token):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if os.getpgid(pid) not in groups:
                os.kill(pid, signal.SIGKILL)


class Reaper:
    """The parent's end. Its process has no mark, and a session of its own."""

    def __init__(self, token: str) -> None:
        self.token = token
        self.groups: set[int] = set()
        command = [sys.executable, "-S", "-E", str(Path(__file__).resolve()), token]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )

    def send(self, sign: str, group: int) -> None:
        """'+' to watch a group, '-' once it is gone."""
        (self.groups.add if sign == "+" else self.groups.discard)(group)
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(f"{sign}{group}\n".encode())
            self.process.stdin.flush()

    def close(self) -> None:
        """Have it kill what is left, and wait for it."""
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait()


def main() -> None:
    """Keep a list, and kill what is on it at the end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    groups: set[int] = set()
    for line in sys.stdin:
        group = int(line[1:])
        (groups.add if line[0] == "+" else groups.discard)(group)
    for group in groups:
        kill_group(group)
    kill_strays(sys.argv[1], set())


if __name__ == "__main__":
    main()
