"""One run of a program: its input, its time, what it said, and how it ended."""

import os
import select
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from typing import NamedTuple

LARGEST = 1 << 26  # bytes of output: a million variables take a seventh of it
PART = 1 << 16
ATOMIC = select.PIPE_BUF  # bytes that a pipe which is ready takes without blocking
LONG = 3600.0  # seconds; a selector takes no infinity
KEPT = 2000  # bytes of the newest on standard error


class Failed(RuntimeError):
    """The program ended as no answer does; the text says how."""


class OutOfTime(Exception):
    """The program was killed at its deadline."""


class Ended(NamedTuple):
    """Exit code, standard output, and the last line on standard error as ': LINE', empty if there was none."""

    code: int
    output: bytes
    words: str


def run(argv: Sequence[str], text: bytes = b"", seconds: float | None = None) -> Ended:
    """What came of it. Its standard error is passed on to ours. Raises Failed, OutOfTime.

    The process stays in our process group, so that whoever kills us kills it too.
    """
    end = float("inf") if seconds is None else time.monotonic() + seconds
    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(argv, stdin=pipe, stdout=pipe, stderr=pipe)
    except OSError as e:
        raise Failed(f"{argv[0]} can't be run: {e.strerror}") from None
    with process:
        try:
            output, said = converse(process, text, end)
            process.wait(None if seconds is None else max(0.0, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise OutOfTime from None
        finally:
            process.kill()
    last = said.decode(errors="replace").strip().rpartition("\n")[2]
    words = f": {last.strip()}" if last else ""
    if process.returncode < 0:
        raise Failed(f"{argv[0]} died of {signal.Signals(-process.returncode).name}{words}")
    return Ended(process.returncode, output, words)


def converse(process: "subprocess.Popen[bytes]", text: bytes, end: float) -> tuple[bytes, bytes]:
    """Write its input and read its output until it closes it, and the end of its error. Raises Failed, OutOfTime."""
    assert process.stdin
    assert process.stdout
    assert process.stderr
    output, said, left = bytearray(), b"", memoryview(text)
    with selectors.DefaultSelector() as waiting:
        waiting.register(process.stdout, selectors.EVENT_READ)
        waiting.register(process.stderr, selectors.EVENT_READ)
        waiting.register(process.stdin, selectors.EVENT_WRITE)
        while waiting.get_map():
            seconds = end - time.monotonic()
            if seconds <= 0:
                raise OutOfTime
            for key, _ in waiting.select(min(seconds, LONG)):
                if key.fileobj is process.stdin:
                    left = fed(key.fd, left)
                    if not left:
                        waiting.unregister(process.stdin)
                        process.stdin.close()
                    continue
                part = os.read(key.fd, PART)
                if not part:
                    waiting.unregister(key.fileobj)
                elif key.fileobj is process.stdout:
                    output += part
                    if len(output) > LARGEST:
                        raise Failed(f"the program says more than {LARGEST >> 20} MiB")
                else:
                    os.write(2, part)
                    said = (said + part)[-KEPT:]
    return bytes(output), said


def fed(fd: int, left: memoryview) -> memoryview:
    """Write as much as the pipe takes; what is left to write, nothing where the program reads no more."""
    try:
        return left[os.write(fd, left[:ATOMIC]) :]
    except BrokenPipeError:
        return left[:0]
