"""Start and end of a program, and the peak memory of the program alone, where that is measured (Linux).

A process begins with the high-water mark of the process that starts it, by `fork` and `vfork` alike, and keeps it when
it executes a program. A worker holds tens of MiB, so the mark of a program that it starts itself is never lower. Where
memory is measured a shell starts the program: it holds 1 MiB, forks, and is killed by its child before that becomes the
program. The program is then an orphan, which the worker adopts (`puzzles/processes/guarding.py`) and reaps with
`wait4`. Its process group is that of the shell.
"""

import contextlib
import os
import select
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from puzzles.processes.guarding import LINUX

SHELL = "/bin/sh"
# The child waits until its parent is gone: while it is killed it could still reap a program that ends at once.
GONE = 'while kill -0 "$$" 2> /dev/null; do :; done'
ORPHAN = f'(read -r pid rest < /proc/self/stat && echo "$pid" && kill -KILL "$$" && {GONE} && exec "$@"); exit 126'
PIPE = subprocess.PIPE
OWN_GROUP = 0 if LINUX else None  # elsewhere a program stays in the worker's group
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


class ProgramProcess:
    """Program in a process group of its own (Linux), with its pipes. Raises OSError."""

    def __init__(self, argv: Sequence[str]) -> None:
        self.orphan = 0  # the program, if a shell has started it, until it is reaped
        if not MEMORY.measured:
            self.process = subprocess.Popen(argv, stdin=PIPE, stdout=PIPE, stderr=PIPE, process_group=OWN_GROUP)
            return
        shell = (SHELL, "-c", ORPHAN, SHELL, *argv)
        self.process = subprocess.Popen(shell, stdin=PIPE, stdout=PIPE, stderr=PIPE, process_group=OWN_GROUP)
        self.orphan = self.first_number()
        self.process.wait()

    def first_number(self) -> int:
        """Read the first line of the shell's output, the process id of the program."""
        assert self.process.stdout
        line, fd = b"", self.process.stdout.fileno()
        while (byte := os.read(fd, 1)) not in (b"\n", b""):
            line += byte
        return int(line or b"0")

    def wait(self, seconds: float | None) -> int:
        """Reap the program and return its exit code, negative for a signal. Raises TimeoutExpired."""
        if not self.orphan:
            return self.process.wait(seconds)
        try:
            ended, poll = os.pidfd_open(self.orphan), select.poll()
        except ProcessLookupError:  # it has ended, and waits to be reaped
            return self.reap()
        poll.register(ended, select.POLLIN)
        try:
            if not poll.poll(None if seconds is None else seconds * 1000):
                raise subprocess.TimeoutExpired(self.process.args, seconds or 0.0)
        finally:
            os.close(ended)
        return self.reap()

    def reap(self) -> int:
        """Wait for a program that a shell has started, note its memory, return its exit code."""
        _, status, usage = os.wait4(self.orphan, 0)
        self.orphan, MEMORY.highest = 0, max(MEMORY.highest, usage.ru_maxrss * KIB)
        return os.waitstatus_to_exitcode(status)

    def terminate(self) -> None:
        """Ask the program and its group to end: SIGTERM."""
        if OWN_GROUP is None:
            self.process.terminate()
        else:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGTERM)

    def end(self) -> None:
        """Kill the program and the rest of its group, close its pipes, and reap it."""
        if OWN_GROUP is None:
            self.process.kill()
        else:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        if self.orphan:
            os.kill(self.orphan, signal.SIGKILL)
            self.reap()
        with self.process:
            pass
