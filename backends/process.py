"""One run of a program under a deadline: writes its input, reads its output, reports its exit."""

import os
import select
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from typing import NamedTuple

MAX_OUTPUT = 1 << 26  # bytes on standard output: a model of a million variables takes a seventh
READ_BYTES = 1 << 16
WRITE_BYTES = select.PIPE_BUF  # a pipe that is ready accepts this many bytes without blocking
MAX_WAIT_S = 3600.0  # selectors do not accept infinity
STDERR_TAIL = 2000  # last bytes of standard error that are kept


class ProgramFailed(RuntimeError):
    """The program could not be run, or ended without an answer; the text says how."""


class DeadlinePassed(Exception):
    """The program was killed at its deadline."""


class ProgramResult(NamedTuple):
    """Exit code, standard output, and the last line of standard error as ': LINE', or empty."""

    code: int
    output: bytes
    error_note: str


def run(argv: Sequence[str], input_bytes: bytes = b"", seconds: float | None = None) -> ProgramResult:
    """Run a program to its end, copying its standard error to ours. Raises ProgramFailed, DeadlinePassed.

    The process stays in our process group, so that a kill of the group reaches it too.
    """
    end = float("inf") if seconds is None else time.monotonic() + seconds
    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(argv, stdin=pipe, stdout=pipe, stderr=pipe)
    except OSError as e:
        raise ProgramFailed(f"{argv[0]} could not be run: {e.strerror}") from None
    with process:
        try:
            output, stderr = communicate(process, input_bytes, end)
            process.wait(None if seconds is None else max(0.0, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise DeadlinePassed from None
        finally:
            process.kill()
    last = stderr.decode(errors="replace").strip().rpartition("\n")[2]
    error_note = f": {last.strip()}" if last else ""
    if process.returncode < 0:
        raise ProgramFailed(f"{argv[0]} died of {signal.Signals(-process.returncode).name}{error_note}")
    return ProgramResult(process.returncode, output, error_note)


def communicate(process: "subprocess.Popen[bytes]", input_bytes: bytes, end: float) -> tuple[bytes, bytes]:
    """Write the input, read until the outputs close. Returns stdout and the tail of stderr.

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
                    if len(output) > MAX_OUTPUT:
                        raise ProgramFailed(f"the program printed more than {MAX_OUTPUT >> 20} MiB")
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
