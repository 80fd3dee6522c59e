"""Processes that a process has started, directly or not (Linux; elsewhere none are seen).

A subreaper becomes the parent of all orphans below it. So a process that leaves its group, session, environment or
parent (`setsid`, `env -i`, a double fork) becomes a child of the subreaper, which can kill it by an id that no other
process can have, and counts its CPU time when it reaps it.
"""

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Iterator, Set
from functools import reduce
from typing import NamedTuple

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
ALL_KINDS = 0x40000000  # __WALL: also children that do not signal their end
LINUX = sys.platform == "linux"
STOPPED = "T"  # state of a process in /proc/PID/stat
PROCESS_CLOCK = 2  # CPUCLOCK_SCHED, in the id of a process's CPU clock
LOOK = os.WEXITED | os.WNOHANG | os.WNOWAIT | ALL_KINDS if LINUX else 0  # at an ended child, if there is one
C = ctypes.CDLL(None)


def adopt_orphans() -> None:
    """Make this process the subreaper of everything that it starts."""
    C.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when its parent's thread ends; end now if that has happened already."""
    C.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def children(pid: int | str = "self") -> set[int]:
    """Return the children of a process, zombies included."""
    found: set[int] = set()
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/children") as file:
                found.update(map(int, file.read().split()))
    return found


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


def has_children() -> bool:
    """Return True if this process has any child, in a single system call (Linux).

    It mostly has none after an ask. `os.waitid` then raises, which takes long where a solver has filled the caches.
    """
    return bool(C.waitid(0, 0, None, LOOK) == 0)


def end_children(kept: Set[int] = frozenset()) -> bool:
    """Kill and reap the children of this subreaper but `kept`, then what these leave behind, until none is left.

    Return True if there were any.
    """
    if not LINUX or not has_children():
        return False
    spared, found = set(kept), False
    while has_children() and (left := children() - spared):
        found = True
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except PermissionError:  # it runs as another user
                spared.add(pid)
        for pid in left - spared:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, ALL_KINDS)
    return found
