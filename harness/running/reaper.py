"""Reaper: a small process that kills all workers of a run when the run itself is killed.

It reads process groups from standard input, one '+123' or '-123' per line. At end of input, which the kernel signals
however the parent ends, it kills the remaining groups. `strays` finds processes that left their group.
"""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

MARK = "CROSSCHECK_RUN"  # environment variable of every worker, inherited by all processes that it starts


def kill_group(group: int) -> None:
    """Kill a process group, which may already be gone."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def strays(token: str) -> list[int]:
    """Return processes with the run's mark, in any group or session (Linux; elsewhere none)."""
    wanted = f"{MARK}={token}".encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if wanted in (entry / "environ").read_bytes().split(b"\0"):
                found.append(int(entry.name))
    return [pid for pid in found if pid != os.getpid()]


def kill_strays(token: str, groups: set[int]) -> None:
    """Kill the marked processes that are in none of the groups."""
    for pid in strays(token):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if os.getpgid(pid) not in groups:
                os.kill(pid, signal.SIGKILL)


class Reaper:
    """Reaper as its parent sees it. Its process has no mark, and its own session."""

    def __init__(self, token: str) -> None:
        self.token = token
        self.groups: set[int] = set()
        command = [sys.executable, "-S", "-E", str(Path(__file__).resolve()), token]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )

    def send(self, sign: str, group: int) -> None:
        """Send '+' to watch a group, '-' once it is gone."""
        (self.groups.add if sign == "+" else self.groups.discard)(group)
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(f"{sign}{group}\n".encode())
            self.process.stdin.flush()

    def close(self) -> None:
        """Make it kill the remaining processes, and wait for it to end."""
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait()


def main() -> None:
    """Maintain the set of groups; kill them at end of input."""
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
