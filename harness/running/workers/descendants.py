"""Processes below a process: their CPU time, state and memory (Linux; elsewhere none are seen).

Orphans among them are below a subreaper too (puzzles/processes/guarding.py).

A limit on the data of single processes (RLIMIT_DATA) sees neither shared memory nor the sum over children. The memory
counted here: anonymous pages, swapped ones, and shared memory (anonymous mappings, memfd, mapped files of /dev/shm),
each page once. An unmapped memfd is counted by its descriptor. Files on a tmpfs that no process maps are not counted.
"""

import contextlib
import os
import time
from collections.abc import Collection, Iterator
from functools import reduce
from typing import NamedTuple

from puzzles.processes.guarding import children, children_of_thread, read_proc

CLOCK_TICKS = os.sysconf("SC_CLK_TCK")
STOPPED = "T"  # state of a process in /proc/PID/stat
PROCESS_CLOCK = 2  # CPUCLOCK_SCHED, in the id of a process's CPU clock
QUICK = ("RssAnon", "VmSwap", "RssShmem")  # fields of status: shared pages count in each process
EXACT = ("Pss_Anon", "SwapPss", "Pss_Shmem")  # fields of smaps_rollup: proportional, at 2 ms per 100 MB


def descendants(pid: int) -> Iterator[int]:
    """Yield all processes below a process."""
    for child in children(pid):
        yield child
        yield from descendants(child)


class Usage(NamedTuple):
    """Seconds of CPU time of processes, and those among them that a signal has stopped."""

    cpu: float = 0.0
    stopped: tuple[int, ...] = ()

    def plus(self, other: "Usage") -> "Usage":
        """Add two usages field by field."""
        return Usage(self.cpu + other.cpu, self.stopped + other.stopped)


def descendant_usage(pid: int) -> Usage:
    """Return the CPU time of all descendants of a process, ended or running, and the stopped ones (Linux)."""
    try:
        _, ended, threads = state_of(pid)
        return reduce(Usage.plus, map(group_usage, children_of(pid, threads)), Usage(ended))
    except OSError:
        return Usage()  # it has just ended: its parent's total includes its time


def group_usage(pid: int) -> Usage:
    """Return the CPU time of a process and all its descendants, and the stopped ones (Linux)."""
    try:
        state, ended, threads = state_of(pid)
        own = Usage(ended + cpu_ns(pid) / 1e9, (pid,) if state == STOPPED else ())
        return reduce(Usage.plus, map(group_usage, children_of(pid, threads)), own)
    except OSError:
        return Usage()


def children_of(pid: int, threads: int) -> set[int]:
    """Return the children of a process with `threads` threads; a single thread needs one look."""
    return children_of_thread(pid, pid) if threads == 1 else children(pid)


def state_of(pid: int) -> tuple[str, float, int]:
    """Return the letter of a process's state, the seconds of CPU time of its ended children, and its threads.

    The kernel reports these seconds in ticks of 10 ms.
    """
    fields = read_proc(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    return fields[0].decode(), (int(fields[13]) + int(fields[14])) / CLOCK_TICKS, int(fields[17])


def cpu_ns(pid: int) -> int:
    """Return the nanoseconds of CPU time of a process, with threads that have ended (Linux). Raises OSError.

    It is the clock that `clock_getcpuclockid` names: /proc/PID/stat has ticks of 10 ms, and /proc/PID/schedstat the
    main thread alone.
    """
    return time.clock_gettime_ns(~pid << 3 | PROCESS_CLOCK)


def read_fields(path: str, names: tuple[str, ...]) -> list[int]:
    """Return fields of a file in /proc in bytes; zeros if the process has ended or can't be read."""
    try:
        with open(path) as file:
            lines = (line.partition(":") for line in file)
            found = {name: 1024 * int(value.split()[0]) for name, _, value in lines if name in names}
    except OSError:
        found = {}
    return [found.get(name, 0) for name in names]


def memfds(pid: int) -> Iterator[tuple[int, int]]:
    """Yield inode and bytes of each memfd that a process has open."""
    folder = f"/proc/{pid}/fd"
    with contextlib.suppress(OSError):
        for fd in os.listdir(folder):
            with contextlib.suppress(OSError):
                if os.readlink(f"{folder}/{fd}").startswith("/memfd:"):
                    stat = os.stat(f"{folder}/{fd}")
                    yield stat.st_ino, 512 * stat.st_blocks


def summed(pids: Collection[int], file: str, names: tuple[str, ...], files: int) -> int:
    """Return private memory and swap of all processes, plus the larger of mapped shared memory and memfds."""
    anonymous, swap, shared = map(sum, zip(*(read_fields(f"/proc/{p}/{file}", names) for p in pids), strict=True))
    return int(anonymous + swap + max(shared, files))


def group_memory(pids: Collection[int], enough: int) -> int:
    """Return the bytes that processes hold. Below `enough` the result is quick, and possibly too large."""
    if not pids:
        return 0
    files = sum(dict(pair for pid in pids for pair in memfds(pid)).values())
    quick = summed(pids, "status", QUICK, files)
    return quick if quick < enough else summed(pids, "smaps_rollup", EXACT, files) or quick
