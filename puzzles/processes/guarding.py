"""Guards of a process that runs foreign code: two processes above it, which end all that it has started.

A subreaper becomes the parent of all orphans below it. So a process that leaves its group, session, environment or
parent (`setsid`, `env -i`, a double fork) becomes a child of the subreaper, which can kill it by an id that no other
process can have, and counts its CPU time when it reaps it (Linux; elsewhere there are no guards).

If one guard is killed, the other ends all: the outer guard adopts what the inner guard leaves; the inner guard sees the
end of the outer one, and has its own process group, since the parent kills the group of the outer guard.
"""

import contextlib
import ctypes
import os
import select
import signal
import sys
from collections.abc import Sequence, Set

TYPE_CHECKING = False  # constant of `typing`, which takes longer to load than everything else
if TYPE_CHECKING:
    from puzzles.processes.sandbox import Sandbox

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
ALL_KINDS = 0x40000000  # __WALL: also children that do not signal their end
LINUX = sys.platform == "linux"
LOOK = os.WEXITED | os.WNOHANG | os.WNOWAIT | ALL_KINDS if LINUX else 0  # at an ended child, if there is one
C = ctypes.CDLL(None)
PROC_BYTES = 1 << 14  # of a file in /proc at a time
SHORT_BYTES = 1 << 11  # a shorter content is whole: the kernel fills a page as long as another line may fit


def adopt_orphans() -> None:
    """Make this process the subreaper of everything that it starts."""
    C.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when its parent's thread ends; end now if the parent has ended already."""
    C.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def children(pid: int | str = "self") -> set[int]:
    """Return the children of a process, zombies included."""
    found: set[int] = set()
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            found |= children_of_thread(pid, thread)
    return found


def children_of_thread(pid: int | str, thread: int | str) -> set[int]:
    """Return the children that a thread of a process has started, or that were left to it."""
    with contextlib.suppress(OSError):
        return set(map(int, read_proc(f"/proc/{pid}/task/{thread}/children").split()))
    return set()


def read_proc(path: str) -> bytes:
    """Return the content of a file in /proc, in a third of the time of a file object. Raises OSError."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        content = os.read(fd, PROC_BYTES)
        if len(content) < SHORT_BYTES:
            return content
        while part := os.read(fd, PROC_BYTES):  # the kernel gives a page at a time
            content += part
        return content
    finally:
        os.close(fd)


def has_children() -> bool:
    """Return True if this process has any child, in a single system call (Linux).

    After an ask it mostly has none. `os.waitid` then raises, which takes long where a solver has filled the caches.
    """
    return bool(C.waitid(0, 0, None, LOOK) == 0)


def end_children(kept: Set[int] = frozenset()) -> bool:
    """Kill and reap the children of this subreaper but `kept`, and then the orphans that they leave, until none is
    left.

    Return True if there were children to kill.
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


def watch(child: int, fds: Sequence[int]) -> int:
    """Wait for the end of a child, of a pipe or of another process (its pidfd); kill the rest; return its status."""
    pidfd = os.pidfd_open(child)
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    for fd in fds:
        poll.register(fd, select.POLLIN if fd in fds[1:] else 0)  # of a pipe its end alone
    poll.poll()
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    end_children()
    return status


def end_like(status: int) -> None:
    """End this process as the wait status says: with the exit code, or by the signal."""
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        with contextlib.suppress(OSError):  # SIGKILL has no handler
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


def fork_guarded(commands: int, others: Sequence[int], sandbox: "Sandbox | None" = None) -> None:
    """Fork twice, and return in the grandchild, which both processes above guard from now on (Linux; else do nothing).

    The grandchild ends with the pipe `commands`; `others` are further descriptors of it. The inner guard is the first
    process within a sandbox. Raises OSError if that can't be entered.
    """
    if not hasattr(os, "pidfd_open"):
        return
    adopt_orphans()
    above = os.pidfd_open(os.getpid())
    told, tell = os.pipe()
    if sandbox:
        from puzzles.processes.sandbox import begin, enter

        begin()
    if inner := os.fork():
        close_pipes([*others, tell])
        status = watch(inner, [commands])
        end_like(int(os.read(told, 8) or status))
    if sandbox:
        enter(sandbox)
    adopt_orphans()
    guard = os.getpid()
    if child := os.fork():
        os.setpgid(0, 0)
        close_pipes(others)
        status = watch(child, [commands, above])
        os.write(tell, b"%d" % status)  # no signal ends the first process of a sandbox as its own
        end_like(status)
    for fd in (above, told, tell):
        os.close(fd)
    die_with_parent(guard)
    adopt_orphans()


def close_pipes(others: Sequence[int]) -> None:
    """Close the descriptors of a guarded process in a guard, so that a pipe ends when the guarded process closes it."""
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2, *others):
        os.dup2(null, fd)
