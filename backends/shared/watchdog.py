"""A thread that interrupts searches at their deadlines, for solvers that take no time limit.

There is one per process, which looks every POLL_S, since to start or wake a thread for each ask would take a hundredth
of the time of a board. It sleeps while nothing is asked.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread
from time import perf_counter_ns as now

POLL_S = 0.05
IDLE_POLLS = 20  # idle looks before the thread sleeps


class Watchdog:
    """Watches one search at a time."""

    def __init__(self) -> None:
        self.lock, self.awake = Lock(), Event()
        self.interrupt: Callable[[], object] | None = None
        self.deadline = 0
        self.thread: Thread | None = None

    @contextmanager
    def watching(self, deadline: int, interrupt: Callable[[], object]) -> Iterator[None]:
        """Call `interrupt` from the deadline on, in ns of the clock `now`, until the block ends, and never after.

        It is called repeatedly, since a search that is yet to begin goes on.
        """
        with self.lock:
            self.deadline, self.interrupt = deadline, interrupt
            if not self.awake.is_set():
                self.awake.set()
        if self.thread is None:
            self.thread = Thread(target=self.watch, daemon=True)
            self.thread.start()
        try:
            yield
        finally:
            with self.lock:
                self.interrupt = None

    def watch(self) -> None:
        """Look for searches that are overdue, as long as the process lives."""
        idle = 0
        while self.awake.wait():
            time.sleep(POLL_S)
            with self.lock:
                idle = 0 if self.interrupt else idle + 1
                if self.interrupt and now() >= self.deadline:
                    self.interrupt()
                elif idle > IDLE_POLLS:
                    self.awake.clear()


WATCHDOG = Watchdog()
