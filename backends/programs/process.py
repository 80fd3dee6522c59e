"""One run of a program under a deadline: writes its input, reads its output, reports its exit."""

import os
import re
import select
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from typing import NamedTuple

from backends.programs.launching import ProgramProcess

BESIDE_ANSWER = 1 << 26  # bytes of output beyond those that an answer may take: comments, statistics
READ_BYTES = 1 << 16
WRITE_BYTES = select.PIPE_BUF  # a pipe that is ready accepts this many bytes without blocking
OUT_OF_MEMORY = re.compile(
    rb"bad_alloc|MemoryError|out[ -]of[ -]memory|cannot allocate memory|memory allocation of \d+ bytes failed"
    rb"|java\.lang\.OutOfMemory",
    re.IGNORECASE,
)  # what runtimes of C++, Python, Rust, Go and Java and SAT solvers print
MAX_WAIT_S = 3600.0  # selectors do not accept infinity
STDERR_TAIL = 2000  # last bytes of standard error that are kept


class ProgramFailed(RuntimeError):
    """The program could not be run, or ended without an answer; the text says how."""


class ProgramOutOfMemory(ProgramFailed, MemoryError):
    """The program failed for lack of memory, by its own message."""


class DeadlinePassed(Exception):
    """The program was killed at its deadline."""


class ProgramResult(NamedTuple):
    """Exit code and standard output of a program, and the end of its standard error."""

    code: int
    output: bytes
    stderr: bytes

    def failure(self, text: str) -> ProgramFailed:
        """Return an exception for a failed program: `text`, and its last line of standard error."""
        last = self.stderr.decode(errors="replace").strip().rpartition("\n")[2].strip()
        kind = ProgramOutOfMemory if ran_out_of_memory(self.stderr) else ProgramFailed
        return kind(f"{text}: {last}" if last else text)


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


def run(
    argv: Sequence[str], input_bytes: bytes = b"", seconds: float | None = None, answer_bytes: int = 0
) -> ProgramResult:
    """Run a program to its end, copying its standard error to ours. Raises ProgramFailed, DeadlinePassed.

    The largest answer takes `answer_bytes`; with BESIDE_ANSWER they limit the output. The program leads a process group
    (Linux), which ends with it. A process that leaves the group ends with the worker's ask.
    """
    end = float("inf") if seconds is None else time.monotonic() + seconds
    try:
        program = ProgramProcess(argv)
    except OSError as e:
        raise ProgramFailed(f"{argv[0]} could not be run: {e.strerror}") from None
    try:
        output, stderr = communicate(program.process, input_bytes, end, answer_bytes)
        code = program.wait(None if seconds is None else max(0.0, end - time.monotonic()))
    except subprocess.TimeoutExpired:
        raise DeadlinePassed from None
    finally:
        program.end()
    result = ProgramResult(code, output, stderr)
    if result.code < 0:
        raise result.failure(f"{argv[0]} died of {signal.Signals(-result.code).name}")
    return result


def communicate(
    process: "subprocess.Popen[bytes]", input_bytes: bytes, end: float, answer_bytes: int
) -> tuple[bytes, bytes]:
    """Write the input, and read until the outputs close. Returns stdout and the tail of stderr.

    Raises ProgramFailed, DeadlinePassed.
    """
    assert process.stdin
    assert process.stdout
    assert process.stderr
    output, stderr, left = bytearray(), b"", memoryview(input_bytes)
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        selector.register(process.stderr, selectors.EVENT_READ)
        selector.register(process.stdin, selectors.EVENT_WRITE)
        while selector.get_map():
            seconds = end - time.monotonic()
            if seconds <= 0:
                raise DeadlinePassed
            for key, _ in selector.select(min(seconds, MAX_WAIT_S)):
                if key.fileobj is process.stdin:
                    left = write_some(key.fd, left)
                    if not left:
                        selector.unregister(process.stdin)
                        process.stdin.close()
                    continue
                chunk = os.read(key.fd, READ_BYTES)
                if not chunk:
                    selector.unregister(key.fileobj)
                elif key.fileobj is process.stdout:
                    output += chunk
                    check_size(len(output), answer_bytes)
                else:
                    os.write(2, chunk)
                    stderr = (stderr + chunk)[-STDERR_TAIL:]
    return bytes(output), stderr


def write_some(fd: int, left: memoryview) -> memoryview:
    """Write as much as the pipe accepts. Returns the rest, empty if the program has closed its input."""
    try:
        return left[os.write(fd, left[:WRITE_BYTES]) :]
    except BrokenPipeError:
        return left[:0]
