"""Processes that a process has started, directly or not (Linux; elsewhere none are seen).

Those that became orphans are below a subreaper too (puzzles/processes/guarding.py).
"""

import os
import time
from collections.abc import Iterator
from functools import reduce
from typing import NamedTuple

from puzzles.processes.guarding import children

STOPPED = "T"  # state of a process in /proc/PID/stat
PROCESS_CLOCK = 2  # CPUCLOCK_SCHED, in the id of a process's CPU clock


def descendants(pid: int) -> Iterator[int]:
    """Yield all processes below a process."""
    for child in children(pid):
        yield child
        yield from descendants(child)


class Usage(NamedTuple):
    """Seconds of CPU time of processes, and which of them a signal has stopped."""

    cpu: float = 0.0
    stopped: tuple[int, ...] = ()

    def plus(self, other: "Usage") -> "Usage":
        """Return both together."""
        return Usage(self.cpu + other.cpu, self.stopped + other.stopped)


def descendant_usage(pid: int) -> Usage:
    """Return the CPU time of all descendants of a process, ended or running, and those that are stopped (Linux)."""
    try:
        _, ended = state_of(pid)
        return reduce(Usage.plus, map(group_usage, children(pid)), Usage(ended))
    except OSError:
        return Usage()  # it has just ended: its parent's total includes its time


def group_usage(pid: int) -> Usage:
    """Return the CPU time of a process and all its descendants, and those of them that are stopped (Linux)."""
    try:
        state, ended = state_of(pid)
        own = Usage(ended + cpu_ns(pid) / 1e9, (pid,) if state == STOPPED else ())
        return reduce(Usage.plus, map(group_usage, children(pid)), own)
    except OSError:
        return Usage()


def state_of(pid: int) -> tuple[str, float]:
    """Return the letter of a process's state, and the seconds of CPU time of its children that have ended.

    The kernel shows these in ticks of 10 ms.
    """
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return fields[0], (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")


def cpu_ns(pid: int) -> int:
    """Return the nanoseconds of CPU time of a process, with threads that have ended (Linux). Raises OSError.

    It is the clock that `clock_getcpuclockid` names: /proc/PID/stat has ticks of 10 ms, and /proc/PID/schedstat the
    main thread alone.
    """
    return time.clock_gettime_ns(~pid << 3 | PROCESS_CLOCK)


def scheduled_ns(thread: int | str) -> tuple[int, int]:
    """Return nanoseconds for which a thread has run, and has waited for a core (Linux; zeros where none are counted).

    The main thread stands for a process, `thread-self` for the calling thread.
    """
    try:
        with open(f"/proc/{thread}/schedstat", "rb", 0) as file:
            ran, queued, *_ = map(int, file.read().split())
    except (OSError, ValueError):
        return 0, 0
    return ran, queued
