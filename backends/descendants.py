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


def adopt_orphans() -> None:
    """Make this process the subreaper of everything that it starts."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when its parent's thread ends; end now if that has happened already."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
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


def has_children() -> bool:
    """Return True if this process has any child, in a single system call (Linux)."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT | ALL_KINDS)
    except ChildProcessError:
        return False
    return True


def end_children(kept: Set[int] = frozenset()) -> bool:
    """Kill and reap the children of this subreaper but `kept`, then what these leave behind, until none is left.

    Return True if there were any.
    """
    spared, found = set(kept), False
    while LINUX and has_children() and (left := children() - spared):
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
