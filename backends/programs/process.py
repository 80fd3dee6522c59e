"""One run of a program under a deadline: writes its input, reads its output as it arrives, reports its exit.

The output of a program ends with the program: nothing waits for background processes that hold its pipes open.
A program that only answers is killed at its deadline. One that prints better answers as it finds them is terminated
there (SIGTERM), so that it can print the best, and killed when the grace is over.
"""

import contextlib
import math
import os
import re
import select
import signal
import time
from collections.abc import Sequence
from contextlib import closing
from typing import NamedTuple

from backends.programs.launching import ProgramProcess
from backends.programs.logs import ERR, LOGS, OUT
from backends.programs.telling import telling_line
from puzzles.processes.guarding import LINUX

BESIDE_ANSWER = 1 << 26  # bytes of output beyond those that an answer may take: comments, statistics
READ_BYTES = 1 << 16
WRITE_BYTES = select.PIPE_BUF  # a pipe that is ready accepts this many bytes without blocking
OUT_OF_MEMORY = re.compile(
    rb"bad_alloc|MemoryError|out[ -]of[ -]memory|cannot allocate memory|memory allocation of \d+ bytes failed"
    rb"|java\.lang\.OutOfMemory",
    re.IGNORECASE,
)  # what runtimes of C++, Python, Rust, Go and Java and SAT solvers print
MAX_WAIT_S = 3600.0  # a poll does not accept infinity
LINGER_S = 0.1  # seconds for what others still write when a program has ended, such as `tee`
STDERR_ENDS = 2000  # first and last bytes of standard error that are kept
CUT = b"\n"  # between them


class ProgramFailed(RuntimeError):
    """The program could not be run, or ended without an answer; the text says how."""


class ProgramOutOfMemory(ProgramFailed, MemoryError):
    """The program failed for lack of memory, by its own message."""


class DeadlinePassed(Exception):
    """The program was killed at its deadline."""


class ProgramResult(NamedTuple):
    """Exit code and standard output of a program, and the first and last lines of its standard error.

    holder_note  text on a process that held its outputs open when it had ended, or ''
    """

    code: int
    output: bytes
    stderr: bytes
    holder_note: str = ""

    def failure(self, text: str) -> ProgramFailed:
        """Return an exception for a failed program: `text`, and the line of its output that tells most."""
        line = telling_line(self.stderr, self.output)
        kind = ProgramOutOfMemory if ran_out_of_memory(self.stderr) else ProgramFailed
        return kind(f"{text}: {line}" if line else text)


def shortened(printed: bytes) -> bytes:
    """Shorten a long output of a program to its beginning and its end."""
    if len(printed) <= 2 * STDERR_ENDS + len(CUT):
        return printed
    return printed[:STDERR_ENDS] + CUT + printed[-STDERR_ENDS:]


def ran_out_of_memory(printed: bytes) -> bool:
    """Return True if the output of a process says that memory was lacking."""
    return OUT_OF_MEMORY.search(printed) is not None


def check_size(size: int, answer_bytes: int) -> None:
    """Raise ProgramFailed if an output is larger than an answer of `answer_bytes` and the usual text beside it."""
    if size > answer_bytes + BESIDE_ANSWER:
        limit, beside = (answer_bytes + BESIDE_ANSWER) >> 20, BESIDE_ANSWER >> 20
        raise ProgramFailed(
            f"the program printed more than {limit} MiB: the largest answer, and {beside} MiB beside it"
        )


class Output:
    """Standard output of a program as it arrives, kept whole.

    `late` is set once the deadline has passed. Raises ProgramFailed if the output is larger than that of an answer of
    `answer_bytes` can be.
    """

    def __init__(self, answer_bytes: int) -> None:
        self.kept, self.answer_bytes = bytearray(), answer_bytes
        self.late = False

    def add(self, chunk: bytes) -> None:
        """Take the bytes that have arrived."""
        self.kept += chunk
        check_size(len(self.kept), self.answer_bytes)


class Running:
    """A program that runs, its input being written, its outputs being read. Raises ProgramFailed if it can't be run.

    The program leads a process group (Linux), which ends with it. What leaves the group ends with the worker's ask.
    """

    def __init__(self, argv: Sequence[str], input_bytes: bytes, output: Output) -> None:
        self.name, self.output, self.stderr, self.left = argv[0], output, b"", memoryview(input_bytes)
        try:
            self.program = ProgramProcess(argv, bool(input_bytes))
        except OSError as e:
            raise ProgramFailed(f"{self.name} could not be run: {e.strerror}") from None
        LOGS.started()
        self.poll, self.pipes = select.poll(), {self.program.stdout, self.program.stderr}  # pipes that are open
        for fd in self.pipes:
            self.poll.register(fd, select.POLLIN)
        if input_bytes:
            self.pipes.add(self.program.stdin)
            self.poll.register(self.program.stdin, select.POLLOUT)
        self.holder_note = ""
        self.pidfd = os.pidfd_open(self.program.pid) if hasattr(os, "pidfd_open") else -1
        if self.pidfd >= 0:
            self.poll.register(self.pidfd, select.POLLIN)

    def finish(self, end: float) -> int | None:
        """Exchange data until the program ends; return its exit code, None if the program still runs at `end`."""
        longest = MAX_WAIT_S if self.pidfd >= 0 else LINGER_S
        while self.pipes and not self.exchange(min(end - time.monotonic(), longest)):
            if time.monotonic() >= end:
                return None
        code = self.program.wait(max(0.0, end - time.monotonic()))
        if code is not None and self.pipes:
            self.take_rest(end)
        return code

    def take_rest(self, end: float) -> None:
        """Read what a program that has ended left in its pipes; note who holds them open."""
        outputs, now = {self.program.stdout, self.program.stderr}, time.monotonic()
        until = now + max(0.0, min(LINGER_S, (end - now) / 2))
        while self.pipes & outputs and (left := until - time.monotonic()) >= 0:
            self.exchange(left)
        names = {"standard output": self.program.stdout, "standard error": self.program.stderr}
        open_ones = [name for name, fd in names.items() if fd in self.pipes]
        if open_ones:
            holder = holder_of(names[open_ones[0]])
            self.holder_note = f"the program has ended, and {holder} held its {' and '.join(open_ones)} open"

    def exchange(self, seconds: float = 0.0) -> bool:
        """Write and read once, as far as the pipes are ready within `seconds`; return True if the program has ended."""
        ready = [fd for fd, _ in self.poll.poll(math.ceil(1000 * max(0.0, seconds)))]
        for fd in ready:
            if fd == self.pidfd:
                continue
            if fd == self.program.stdin:
                self.write(fd)
            elif not (chunk := os.read(fd, READ_BYTES)):
                self.leave(fd)
            elif fd == self.program.stdout:
                LOGS.add(OUT, chunk)
                self.output.add(chunk)
            else:
                LOGS.add(ERR, chunk)
                os.write(2, chunk)
                self.stderr = shortened(self.stderr + chunk)
        return self.pidfd in ready if self.pidfd >= 0 else self.program.wait(0.0) is not None

    def write(self, fd: int) -> None:
        """Write as much as the pipe accepts; close it after the last byte, or if the program has closed its input."""
        try:
            self.left = self.left[os.write(fd, self.left[:WRITE_BYTES]) :]
        except BrokenPipeError:
            self.left = self.left[:0]
        if not self.left:
            self.leave(fd)
            self.program.close_input()

    def leave(self, fd: int) -> None:
        """Stop waiting for a pipe."""
        self.poll.unregister(fd)
        self.pipes.remove(fd)

    def close(self) -> None:
        """End the rest of the program."""
        if self.pidfd >= 0:
            os.close(self.pidfd)
        self.program.end()


def holder_of(fd: int) -> str:
    """Return the name of another process that has a pipe open (Linux)."""
    pipe, own = os.fstat(fd).st_ino, str(os.getpid())
    for entry in filter(str.isdigit, os.listdir("/proc") if LINUX else ()):
        with contextlib.suppress(OSError):
            holder_note = (os.stat(f"/proc/{entry}/fd/{number}").st_ino for number in os.listdir(f"/proc/{entry}/fd"))
            if entry != own and pipe in holder_note:
                with open(f"/proc/{entry}/comm", encoding="utf-8", errors="replace") as file:
                    return f"its background process {file.read().strip()}"
    return "a background process of it"


def run(
    argv: Sequence[str], input_bytes: bytes = b"", seconds: float | None = None, answer_bytes: int = 0
) -> ProgramResult:
    """Run a program to its end, copying its standard error to ours. Raises ProgramFailed, DeadlinePassed.

    The largest answer takes `answer_bytes`; with BESIDE_ANSWER they limit the output.
    """
    end = float("inf") if seconds is None else time.monotonic() + seconds
    output = Output(answer_bytes)
    with closing(Running(argv, input_bytes, output)) as running:
        code = running.finish(end)
    if code is None:
        raise DeadlinePassed
    result = ProgramResult(code, bytes(output.kept), running.stderr, running.holder_note)
    if code < 0:
        raise result.failure(died(argv[0], code))
    return result


def run_with_grace(argv: Sequence[str], seconds: float, grace: float, output: Output) -> ProgramResult:
    """Run a program that prints its best solution at its deadline: it is terminated, and killed after `grace` seconds.

    Its standard output goes to `output` alone, and `output.late` tells that the deadline has passed. Raises
    ProgramFailed if it can't be run.
    """
    with closing(Running(argv, b"", output)) as running:
        code = running.finish(time.monotonic() + seconds)
        if code is None:
            running.exchange()  # what has arrived in time
            output.late = True
            running.program.terminate()
            code = running.finish(time.monotonic() + grace)
        if code is None:
            running.exchange()
    return ProgramResult(
        -signal.SIGKILL if code is None else code, bytes(output.kept), running.stderr, running.holder_note
    )


def died(program: str, code: int) -> str:
    """Return the message for a program that a signal has ended, from its negative exit code."""
    return f"{program} died of {signal.Signals(-code).name}"
