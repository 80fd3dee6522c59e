"""Presence of the parent: the use of its time while workers solve, and the time for which it was stopped.

Time passes in a wait, in computing, or in the queue for a core. A wait that returns late, and time between two waits
that is none of these, mean that a signal stopped the process, or that the machine paused it: the monotonic clock runs
on, and what workers did meanwhile was not observed. A solver can do that on purpose, to lie about its time.
"""

import os
import select
import threading
import time
from collections.abc import Callable

from puzzles.processes.guarding import read_proc

MAX_LATE_NS = 50_000_000  # delay of a wait: longer only if the kernel keeps the thread in the queue for a core
LINE_BYTES = 256  # more than the kernel's line has
MAX_GAP_NS = 500_000_000  # gap between waits: a disk may take as long


def scheduled_ns(thread: int | str) -> tuple[int, int]:
    """Return nanoseconds for which a thread has run, and has waited for a core (Linux; zeros where none are counted).

    The main thread stands for a process, `thread-self` for the calling thread.
    """
    try:
        ran, queued, *_ = map(int, read_proc(f"/proc/{thread}/schedstat").split())
    except (OSError, ValueError):
        return 0, 0
    return ran, queued


class OwnQueue:
    """Time for which the calling thread has waited for a core, read from a file that stays open."""

    def __init__(self) -> None:
        self.owner, self.fd = 0, -1  # of the file: a process that was forked has another one

    def ns(self) -> int:
        """Return the nanoseconds so far (Linux; 0 where none are counted)."""
        try:
            if self.owner != os.getpid():
                self.owner, self.fd = os.getpid(), os.open("/proc/thread-self/schedstat", os.O_RDONLY | os.O_CLOEXEC)
            return int(os.pread(self.fd, LINE_BYTES, 0).split()[1])
        except (OSError, ValueError, IndexError):
            return 0

    def __del__(self, close: Callable[[int], None] = os.close) -> None:
        if self.fd >= 0:
            close(self.fd)


class Presence(threading.local):
    """Account of a thread; `stopped` is the total of nanoseconds for which the process was stopped."""

    def __init__(self) -> None:
        self.stopped = self.queued = 0
        self.queue = OwnQueue()
        self.mark()

    def mark(self) -> None:
        """Begin a stretch of work."""
        self.at, self.computed = time.monotonic_ns(), time.thread_time_ns()

    def look(self) -> None:
        """End a stretch of work and begin the next: time that was neither computing nor queueing counts as stopped."""
        lost = time.monotonic_ns() - self.at - (time.thread_time_ns() - self.computed)
        if lost > MAX_GAP_NS:
            queued, before = self.queue.ns(), self.queued
            self.queued = queued
            lost -= queued - before
            self.stopped += lost if lost > MAX_GAP_NS else 0
        self.mark()

    def wait(self, poll: select.poll, seconds: float) -> int:
        """Wait for a poll, at most `seconds`; return the nanoseconds of waiting, 0 if stopped meanwhile."""
        self.look()
        queued, began = self.queue.ns(), time.monotonic_ns()
        poll.poll(seconds * 1000)
        waited = time.monotonic_ns() - began
        self.queued = self.queue.ns()
        self.mark()
        waited -= self.queued - queued
        late = waited - int(1e9 * seconds)
        if late > MAX_LATE_NS:
            self.stopped += late
            return 0
        return max(0, waited)


PRESENCE = Presence()  # account of this process, by thread
