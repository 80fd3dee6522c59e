"""A child: a process that runs foreign code. `finished` runs one to its end, a `ServingChild` answers line by line.

Limits of a child that runs to its end, with which the group of processes that it began ends too:

cpu      seconds of CPU time, and `wall` of wall time: more, since a busy machine makes wall time long
memory   bytes of data memory, in which each further thread has a stack as large as `stack` may be
file     bytes of each file that it writes
printed  bytes of standard output and standard error together
"""

import os
import resource
import select
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from puzzles.processes.guarding import LINUX, die_with_parent

CHUNK = 1 << 16
LEAVING_S = 0.05  # seconds from a child's closing of its pipes to its end, where the system does not tell of that end
KIB = 1 if sys.platform == "darwin" else 1024  # unit of ru_maxrss
MOST_SHARE = 0.75  # of the limit of memory: a child that failed beyond it has met the limit


class ChildLimits(NamedTuple):
    """Limits of a child."""

    cpu: int
    wall: float
    memory: int
    stack: int
    file: int
    printed: int


class ChildEnd(NamedTuple):
    """End of a child: exit code (negative: a signal), what it printed, and the limit that it met, '' if none."""

    code: int
    printed: bytes
    errors: bytes
    beyond: str


class ServingChild:
    """Child that answers lines with lines. It ends itself, and all that it starts, when its standard input is closed.

    Its guards do that (`guarding.fork_guarded`), and its limits are its own. `longest` is the size of a reply in bytes.
    """

    def __init__(self, words: Sequence[str], environment: Mapping[str, str], longest: int = 1 << 26) -> None:
        self.process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env=environment,
        )
        assert self.process.stdin and self.process.stdout  # noqa: PT018
        self.requests, self.replies = self.process.stdin.fileno(), self.process.stdout.fileno()
        for fd in (self.requests, self.replies):
            os.set_blocking(fd, False)
        self.buffer, self.longest = b"", longest

    def send(self, data: bytes, end: float) -> None:
        """Write a request until a monotonic time; what the child does not read, as it hangs or has ended, is left."""
        poll, left = select.poll(), memoryview(data)
        poll.register(self.requests, select.POLLOUT)
        with suppress(BrokenPipeError):
            while left and poll.poll(max(0.0, 1000 * (end - time.monotonic()))):
                left = left[os.write(self.requests, left) :]

    def line(self) -> bytes | None:
        """Return the next line, None if it has not arrived. Raises EOFError at the end, OverflowError if it is long."""
        while b"\n" not in self.buffer:
            try:
                part = os.read(self.replies, CHUNK)
            except BlockingIOError:
                return None
            if not part:
                raise EOFError
            self.buffer += part
            if len(self.buffer) > self.longest:
                raise OverflowError
        line, _, self.buffer = self.buffer.partition(b"\n")
        return line

    def awaited(self, end: float) -> bytes | None:
        """Return the next line, None if it has not arrived at a monotonic time. Raises as `line`."""
        poll = select.poll()
        poll.register(self.replies, select.POLLIN)
        while (line := self.line()) is None and (left := end - time.monotonic()) > 0:
            poll.poll(1000 * left)
        return line

    def end(self, seconds: float) -> bool:
        """End the child; return False if it had to be killed, since it did not end within some seconds."""
        assert self.process.stdin and self.process.stdout  # noqa: PT018
        self.process.stdin.close()
        if self.process.poll() is None:
            os.kill(self.process.pid, signal.SIGCONT)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
        in_time = self.process.returncode is not None
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()
        return in_time


def finished(
    command: Sequence[str],
    given: bytes,
    limits: ChildLimits,
    environment: Mapping[str, str],
    pass_fds: Sequence[int] = (),
) -> ChildEnd:
    """Run a command with bytes as its standard input to its end, or to a limit. Raises OSError if it can't start."""
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=partial(begin, limits, os.getpid()),
        env=environment,
        pass_fds=pass_fds,
    )
    try:
        printed, errors, beyond = exchanged(process, given, limits)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = code = os.waitstatus_to_exitcode(status)
        for pipe in filter(None, (process.stdin, process.stdout, process.stderr)):
            with suppress(BrokenPipeError):
                pipe.close()
    peak = usage.ru_maxrss * KIB if usage.ru_maxrss > own else 0  # before it executes the command, it is as large as we
    return ChildEnd(code, printed, errors, beyond or limit_met(code, peak, errors, limits))


def begin(limits: ChildLimits, parent: int) -> None:
    """Set the limits of this process, the child, before it executes the command; a killed parent leaves no child."""
    for kind, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, limits.cpu),
        (resource.RLIMIT_DATA, limits.memory),
        (resource.RLIMIT_STACK, limits.stack),
        (resource.RLIMIT_FSIZE, limits.file),
    ):
        _, hard = resource.getrlimit(kind)
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with suppress(OSError, ValueError):  # a system without this limit
            resource.setrlimit(kind, (allowed, allowed + 5 if kind == resource.RLIMIT_CPU else allowed))
    if LINUX:
        die_with_parent(parent)


def exchanged(process: "subprocess.Popen[bytes]", given: bytes, limits: ChildLimits) -> tuple[bytes, bytes, str]:
    """Pass what is given, and read what the child prints until it ends; also return the limit that it met.

    What it leaves running may hold its pipes open (Linux; elsewhere they are read to their end). A child closes its
    pipes a moment before it has ended, and its exit code counts, so its end is awaited (elsewhere LEAVING_S).
    """
    assert process.stdin and process.stdout and process.stderr  # noqa: PT018
    found = {process.stdout: bytearray(), process.stderr: bytearray()}
    end, left, beyond, going = time.monotonic() + limits.wall, memoryview(given), "", set(found)
    pidfd, running = os.pidfd_open(process.pid) if LINUX else -1, LINUX
    with selectors.DefaultSelector() as ready:
        for pipe in (process.stdin, *found):
            os.set_blocking(pipe.fileno(), False)
            ready.register(pipe, selectors.EVENT_WRITE if pipe is process.stdin else selectors.EVENT_READ)
        if LINUX:
            ready.register(pidfd, selectors.EVENT_READ)
        while (going or running) and not beyond:
            events = [key.fileobj for key, _ in ready.select(max(0.0, end - time.monotonic()))]
            if process.stdin in events:
                left = passed(process.stdin.fileno(), left)
                if not left:
                    ready.unregister(process.stdin)
                    process.stdin.close()
            running = running and pidfd not in events
            for pipe in tuple(going) if pidfd in events else going.intersection(events):
                if not read_into(found[pipe], pipe.fileno(), limits.printed) or pidfd in events:
                    ready.unregister(pipe)
                    going.remove(pipe)
            if sum(map(len, found.values())) > limits.printed:
                beyond = "printed"
            elif not events:
                beyond = "wall"
    if LINUX:
        os.close(pidfd)
    elif not beyond:
        time.sleep(LEAVING_S)
    return bytes(found[process.stdout]), bytes(found[process.stderr]), beyond


def read_into(found: bytearray, fd: int, most: int) -> bool:
    """Add what a pipe holds, up to somewhat more than `most` bytes; return False at its end."""
    with suppress(BlockingIOError):
        while len(found) <= most:
            if not (part := os.read(fd, CHUNK)):
                return False
            found += part
    return True


def passed(fd: int, left: memoryview) -> memoryview:
    """Write a part of what is given, and return the rest; none if the child does not read it."""
    try:
        return left[os.write(fd, left[:CHUNK]) :]
    except BrokenPipeError:
        return left[:0]


def limit_met(code: int, peak: int, errors: bytes, limits: ChildLimits) -> str:
    """Return the limit that explains the end of a child, '' if none does."""
    by_signal = {-signal.SIGXCPU: "cpu", -signal.SIGXFSZ: "file"}
    if code in by_signal or not code:
        return by_signal.get(code, "")
    said = b"bad_alloc" in errors or b"out of memory" in errors.lower()
    return "memory" if said or peak > MOST_SHARE * limits.memory else ""
