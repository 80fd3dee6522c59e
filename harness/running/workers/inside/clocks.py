"""Clocks of an ask: CPU time of the worker, of its children and of what its session keeps, pressure on the cores."""

from collections.abc import Set
from resource import RUSAGE_CHILDREN, getrusage
from time import process_time_ns  # bound before a plug-in is imported, which may replace it

import numpy as np

from backends.programs.launching import STARTER
from harness.running.workers.descendants import group_usage
from puzzles.problem.arrays import Int64Array

CALL_OVERHEAD_NS = 200_000  # cost of a call that times its puzzles inside; measured: 20,000 to 120,000


def inside_times(reported: Int64Array, size: int, wall: int) -> Int64Array | None:
    """Return times per puzzle as the backend reports them. None if they are impossible in a call of `wall` ns.

    If their sum is far below the time of the call, that time is divided among the puzzles in their proportions.
    """
    if reported.shape != (size,) or reported.dtype.kind not in "iu":
        return None
    total = int(reported.sum())
    if reported.min() <= 0 or reported.max() > wall or not 0 < total <= wall:
        return None
    if total >= wall // 2 - CALL_OVERHEAD_NS:
        return reported.astype(np.int64)
    charged: Int64Array = np.maximum(reported * (wall / total), 1).astype(np.int64)
    return charged


def cpu_before(kept: Set[int]) -> int:
    """Return the nanoseconds of CPU time as an ask begins, which does not pay for reading those of kept processes."""
    running = cpu_of_kept(kept)
    return cpu_of_own() + running


def cpu_after(kept: Set[int]) -> int:
    """Return the nanoseconds of CPU time as an ask ends, which does not pay for reading those of kept processes."""
    own = cpu_of_own()
    return own + cpu_of_kept(kept)


def cpu_of_own() -> int:
    """Return the nanoseconds of CPU time of this process and of its ended children."""
    return process_time_ns() + cpu_of_children()


def cpu_of_children() -> int:
    """Return the nanoseconds of CPU time of the ended children of this process, and of programs in their own group."""
    ended = getrusage(RUSAGE_CHILDREN)
    apart = STARTER.spawner.cpu if STARTER.spawner else 0
    return int(1e9 * (ended.ru_utime + ended.ru_stime)) + apart


def cpu_of_kept(kept: Set[int]) -> int:
    """Return the nanoseconds of CPU time of processes that a session keeps, and of what these have started."""
    return int(1e9 * sum(group_usage(pid).cpu for pid in kept)) if kept else 0


def cpu_pressure() -> int | None:
    """Return the nanoseconds for which some process of the machine has waited for a core, None if nobody counts."""
    try:
        with open("/proc/pressure/cpu", "rb") as file:
            return 1000 * int(file.readline().rpartition(b"total=")[2])
    except (OSError, ValueError):
        return None
