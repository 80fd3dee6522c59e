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
from collections.abc import Iterator, Set

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
ALL_KINDS = 0x40000000  # __WALL: also children that do not signal their end
LINUX = sys.platform == "linux"
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
