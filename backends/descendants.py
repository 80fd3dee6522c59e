"""Processes that a process has started, directly or not (Linux; elsewhere none are seen).

Those that became orphans are below a subreaper too (puzzles/guarding.py).
"""

import os
from collections.abc import Iterator

from puzzles.guarding import children


def descendants(pid: int) -> Iterator[int]:
    """Yield all processes below a process."""
    for child in children(pid):
        yield child
        yield from descendants(child)


def descendant_cpu_seconds(pid: int) -> float:
    """Return the seconds of CPU time of all descendants of a process, ended or running (Linux)."""
    try:
        ended = sum(cpu_seconds(pid)[2:])
        return ended + sum(map(group_cpu_seconds, children(pid)))
    except OSError:
        return 0.0  # it has just ended: its parent's total includes its time


def group_cpu_seconds(pid: int) -> float:
    """Return the seconds of CPU time of a process and all its descendants (Linux)."""
    try:
        return sum(cpu_seconds(pid)) + sum(map(group_cpu_seconds, children(pid)))
    except OSError:
        return 0.0


def cpu_seconds(pid: int) -> list[float]:
    """Return user and system seconds of a process, then those of its children that have ended."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return [int(ticks) / os.sysconf("SC_CLK_TCK") for ticks in fields[11:15]]


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
