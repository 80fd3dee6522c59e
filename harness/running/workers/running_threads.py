"""Threads of a contender that run at once while it solves, as looks at their states show (Linux).

A solver that starts threads without an option that says so is noticed here. Three things are no evidence, however often
a look finds them on a busy machine: a worker that is awake beside its program, to start it or to read what it prints; a
process that has hardly begun, such as the commands of a shell script; a thread that only wakes now and then, such as
one of Python that waits for the interpreter's lock while another solves.
"""

import contextlib
import os
from collections.abc import Iterable

from harness.model.observing.presence import scheduled_ns

MIN_RUN_NS = 5_000_000  # CPU time that a thread has had, if it counts as one that solves
SHARE = 0.02  # and of the CPU time of the busiest of them; a thread that waits for Python's lock has 0.004


def several_running(worker: int, group: Iterable[int], cores: int) -> bool:
    """Return True if more threads than cores are running or waiting for one, of the worker or the processes below."""
    return running([worker]) > cores or running(pid for pid in group if pid != worker) > cores


def running(pids: Iterable[int]) -> int:
    """Return the number of threads of these processes that are running or waiting for a core, and have run before."""
    ran = list[int]()
    for pid in pids:
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/stat") as file:
                    if file.read().rpartition(")")[2].split()[0] == "R":
                        ran.append(scheduled_ns(thread)[0])
    least = max(MIN_RUN_NS, SHARE * max(ran, default=0))
    return sum(ns >= least for ns in ran)
