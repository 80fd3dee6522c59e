"""Start and end of a program, and the peak memory of the program alone, where that is measured (Linux).

Programs are started by `posix_spawn`, which takes a third of the time of `subprocess`; it closes nothing, but whatever
Python opens is closed on execution.

A process begins with the high-water mark of the process that starts it, by `fork` and `vfork` alike, and keeps it when
it executes a program. A worker holds tens of MiB, so the mark of a program that it starts itself is never lower. Where
memory is measured a shell starts the program: it holds 1 MiB, forks, and is killed by its child before that becomes the
program. The program is then an orphan, which the worker adopts (`puzzles/processes/guarding.py`) and reaps with
`wait4`. Its process group is that of the shell. With a control group for programs there is no need for a shell
(`spawner.py`).
"""

import contextlib
import math
import os
import select
import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from backends.programs.spawner import Spawner, Start
from puzzles.processes.guarding import LINUX

SHELL = "/bin/sh"
# The child waits until its parent is gone: while it is killed it could still reap a program that ends at once.
GONE = 'while kill -0 "$$" 2> /dev/null; do :; done'
ORPHAN = f'(read -r pid rest < /proc/self/stat && echo "$pid" && kill -KILL "$$" && {GONE} && exec "$@"); exit 126'
IGNORED = (signal.SIGPIPE, signal.SIGXFSZ)  # by Python, and so by what it starts, unless they are reset
OWN_GROUP: dict[str, Any] = {"setpgroup": 0} if LINUX else {}  # elsewhere a program stays in the worker's group
# What `os.environ` holds, as bytes: converting every variable for each program takes longer than starting it.
ENVIRONMENT: Mapping[Any, Any] = getattr(os.environ, "_data", os.environ)
LOOK_S = 0.002  # seconds between looks whether a program has ended, where the system can't tell
KIB = 1024  # unit of ru_maxrss


@dataclass
class ProgramMemory:
    """Highest resident memory of the programs since `begin`, in bytes; -1 if no program has ended."""

    measured: bool = False
    highest: int = -1

    def begin(self) -> None:
        """Measure the programs that are started from now on."""
        self.measured, self.highest = LINUX, -1


MEMORY = ProgramMemory()  # memory of this process's programs


@dataclass
class Starter:
    """Process that starts programs in a control group; None if the worker itself starts them."""

    spawner: Spawner | None = None


STARTER = Starter()  # of this process's programs


class ProgramProcess:
    """Program in a process group of its own (Linux), with pipes for its outputs. Raises OSError.

    stdin           descriptor of its input, -1 if the input is empty
    stdout, stderr  descriptors of its outputs
    code            its exit code once it is reaped, negative for a signal
    """

    def __init__(self, argv: Sequence[str], has_input: bool = False) -> None:
        self.code: int | None = None
        argv = shell_of(argv) if MEMORY.measured else argv
        self.spawner = STARTER.spawner
        start = self.spawner.start if self.spawner else started
        self.stdin, self.stdout, self.stderr, self.pid = spawned(argv, has_input, start)
        self.group = self.pid  # that of the shell, where there is one
        orphan = self.first_number() if MEMORY.measured else 0
        self.measured = orphan > 0
        if orphan:
            os.waitpid(self.pid, 0)
            self.pid = orphan

    def first_number(self) -> int:
        """Read the first line of the shell's output, the process id of the program."""
        line = b""
        while (byte := os.read(self.stdout, 1)) not in (b"\n", b""):
            line += byte
        return int(line or b"0")

    def wait(self, seconds: float) -> int | None:
        """Return the exit code of the program; None if it runs on after `seconds`, which may be infinite."""
        if self.code is not None or self.reap(os.WNOHANG):
            return self.code
        if math.isinf(seconds) or ended_within(self.pid, seconds):
            self.reap()
        return self.code

    def reap(self, how: int = 0) -> bool:
        """Take the exit code of the program, and note its memory; return False if it has not ended (WNOHANG)."""
        if self.spawner:
            if how and not ended_within(self.pid, 0):
                return False
            self.code = os.waitstatus_to_exitcode(self.spawner.reap(self.pid).status)
            return True
        pid, status, usage = os.wait4(self.pid, how)
        if not pid:
            return False
        self.code = os.waitstatus_to_exitcode(status)
        if self.measured:
            MEMORY.highest = max(MEMORY.highest, usage.ru_maxrss * KIB)
        return True

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the program and its group."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if OWN_GROUP:
                os.killpg(self.group, number)
            elif self.code is None:
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask the program and its group to end: SIGTERM."""
        self.signal(signal.SIGTERM)

    def close_input(self) -> None:
        """End the input of the program."""
        os.close(self.stdin)
        self.stdin = -1

    def end(self) -> None:
        """Kill the program and the rest of its group, close its pipes, and reap it."""
        self.signal(signal.SIGKILL)
        if self.code is None:
            if self.measured:
                os.kill(self.pid, signal.SIGKILL)
            self.reap()
        for fd in (self.stdin, self.stdout, self.stderr):
            if fd >= 0:
                os.close(fd)


def shell_of(argv: Sequence[str]) -> Sequence[str]:
    """Return the command of a shell that starts a program as an orphan."""
    return SHELL, "-c", ORPHAN, SHELL, *argv


def started(argv: Sequence[str], fds: Sequence[int]) -> int:
    """Start a program with these descriptors as its standard ones; return its process id. Raises OSError."""
    into = [(os.POSIX_SPAWN_DUP2, fd, number) for number, fd in enumerate(fds)]
    return os.posix_spawnp(argv[0], list(argv), ENVIRONMENT, file_actions=into, setsigdef=IGNORED, **OWN_GROUP)


def spawned(argv: Sequence[str], has_input: bool, start: Start = started) -> tuple[int, int, int, int]:
    """Start a program; return descriptors of its input (-1: none) and outputs, and its process id. Raises OSError."""
    read, given = os.pipe() if has_input else (os.open(os.devnull, os.O_RDONLY), -1)
    (out, out_end), (err, err_end) = os.pipe(), os.pipe()
    try:
        pid = start(argv, (read, out_end, err_end))
    except BaseException:
        for fd in (given, out, err):
            if fd >= 0:
                os.close(fd)
        raise
    finally:
        for fd in (read, out_end, err_end):
            os.close(fd)
    return given, out, err, pid


def ended_within(pid: int, seconds: float) -> bool:
    """Wait for the end of a child, at most `seconds`; return True if it has ended, and waits to be reaped."""
    if not hasattr(os, "pidfd_open"):
        end = time.monotonic() + seconds
        while os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            if time.monotonic() >= end:
                return False
            time.sleep(LOOK_S)
        return True
    poll = select.poll()
    poll.register(fd := os.pidfd_open(pid), select.POLLIN)
    try:
        return bool(poll.poll(math.ceil(1000 * seconds)))
    finally:
        os.close(fd)
