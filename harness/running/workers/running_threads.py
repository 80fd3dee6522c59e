"""Threads of a contender that run at once while it solves, as looks at their states show (Linux).

A solver that starts threads without an option that says so is noticed here. Two things are no evidence, however often a
look finds them on a busy machine: a worker that is awake beside its program, to start it or to read what it prints, and
a process that has hardly begun, such as the commands of a shell script.
"""

import contextlib
import os
from collections.abc import Iterable

from harness.model.observing.presence import scheduled_ns

MIN_RUN_NS = 5_000_000  # CPU time that a thread has had, if it counts as one that solves


def several_running(worker: int, group: Iterable[int], cores: int) -> bool:
    """Return True if more threads than cores are running or waiting for one, of the worker or the processes below."""
    return running([worker]) > cores or running(pid for pid in group if pid != worker) > cores


def running(pids: Iterable[int]) -> int:
    """Return the number of threads of these processes that are running or waiting for a core, and have run before."""
    found = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/stat") as file:
                    ready = file.read().rpartition(")")[2].split()[0] == "R"
                    found += ready and scheduled_ns(thread)[0] >= MIN_RUN_NS
    return found
