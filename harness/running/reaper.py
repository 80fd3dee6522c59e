"""Reaper: a small process that cleans up after a run, however the run ends.

It reads the process ids of guards from standard input, one '+123' or '-123' per line. At end of input, which the kernel
signals however the parent ends, it lets the remaining guards end their workers, kills the rest, and removes the run's
folder of temporary files, and its control groups.

Each run starts such a process, so at its top this file imports only what Python itself has loaded or built in.
"""

import itertools
import os
import signal
import sys
import time

TYPE_CHECKING = False  # constant of `typing`, which takes longer to load than everything else
if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MARK = "CROSSCHECK_RUN"  # environment variable of every worker, inherited by all processes that it starts
GUARD_WAIT_S = 1.0  # seconds for all guards of a run to end their workers
END_WAIT_S = 10.0  # seconds for a guard to end everything during a run, before it is killed itself


def reached(send: "Callable[[int, int], None]", pid: int, number: int) -> bool:
    """Send a signal by `os.kill` or `os.killpg`; return False if the process or group is gone, or is another user's."""
    try:
        send(pid, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def kill_group(group: int) -> None:
    """Kill a process group, if it still exists."""
    reached(os.killpg, group, signal.SIGKILL)


def kill_marked(mark: str) -> None:
    """Kill the processes whose mark begins with `mark`, in any group or session (Linux; elsewhere none).

    A guard that is left after a contender killed the other one has the mark too: it first gets time to end the rest.
    """
    end = time.monotonic() + GUARD_WAIT_S
    while (left := marked(mark)) and time.monotonic() < end:
        time.sleep(0.01)
    for pid in left:
        reached(os.kill, pid, signal.SIGKILL)


def marked(mark: str) -> "list[int]":
    """Return the processes whose mark begins with `mark`."""
    found = []
    wanted = f"{MARK}={mark}".encode()
    for name in filter(str.isdecimal, os.listdir("/proc") if os.path.isdir("/proc") else ()):
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                environment = file.read()
        except OSError:
            continue
        if any(variable.startswith(wanted) for variable in environment.split(b"\0")):
            found.append(int(name))
    return found


def wake(pids: set[int]) -> set[int]:
    """Continue processes that may have been stopped; return the ones that exist."""
    return {pid for pid in pids if reached(os.kill, pid, signal.SIGCONT)}


class Reaper:
    """Reaper as its parent sees it, and the folder of temporary files that it removes.

    Its process has no mark, and its own session. `make_group` creates the control group of the
    run of a name, if it can be had.
    """

    def __init__(self, folder: "Path", make_group: "Callable[[str], Path | None] | None" = None) -> None:
        import secrets
        import subprocess

        self.token, self.workers, self.folder = secrets.token_hex(8), itertools.count(1), folder
        self.group = make_group(self.token) if make_group else None
        command = [sys.executable, "-S", "-E", os.path.realpath(__file__), self.token, str(self.folder)]
        command += [str(self.group)] if self.group else []
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )

    def new_mark(self) -> str:
        """Return the mark of a new worker."""
        return f"{self.token}.{next(self.workers)}."

    def send(self, sign: str, pid: int) -> None:
        """Send '+' to watch a guard, '-' once it is gone."""
        import contextlib

        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(f"{sign}{pid}\n".encode())
            self.process.stdin.flush()

    def close(self) -> None:
        """Let the reaper clean up, and wait for its end."""
        import contextlib
        import shutil

        assert self.process.stdin is not None
        shutil.rmtree(self.folder, ignore_errors=True)  # if no worker is left, the reaper then need not load `shutil`
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)  # if the reaper was killed


def remove_groups(folder: str) -> None:
    """Remove the control groups of the run, once their processes have ended."""
    end = time.monotonic() + GUARD_WAIT_S
    while os.path.isdir(folder) and time.monotonic() < end:
        for path, _, _ in os.walk(folder, topdown=False):
            try:
                os.rmdir(path)
            except OSError:
                time.sleep(0.01)


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
    for group in sys.argv[3:]:
        remove_groups(group)
    if os.path.lexists(sys.argv[2]):
        import shutil

        shutil.rmtree(sys.argv[2], ignore_errors=True)


if __name__ == "__main__":
    main()
