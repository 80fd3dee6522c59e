"""A process that waits in a control group of its own and starts programs there, for peaks that are exact (Linux).

The kernel charges a group for 64 pages at a time, and what is left of them serves the next pages of that group on that
processor. In the group of a worker up to 63 pages of a program are taken from what the worker has left. In a group that
programs have to themselves, what is left can be given back before each of them (`ProgramGroup.begin` of
`harness/running/control_groups.py`).

A program is born into the group of its parent, and a process that moves to another group waits there for 10 to 40 ms.
So a copy of the worker moves once. It starts programs by `posix_spawn`, and reaps one when the worker says so: until
then no other process can have its id. Orphans of a program come to the worker, and so does a program whose spawner has
been killed.
"""

import json
import os
import socket
from collections.abc import Callable, Sequence
from typing import NamedTuple

from puzzles.processes.guarding import LINUX, die_with_parent

MESSAGE_BYTES = 1 << 21  # of a command; a longer one is an error
REPLY_BYTES = 100
READY = b"ready"
Start = Callable[[Sequence[str], Sequence[int]], int]  # argv and standard descriptors -> process id; raises OSError


class Reaped(NamedTuple):
    """Wait status of a program, nanoseconds of CPU time, and its `ru_maxrss`."""

    status: int
    cpu: int
    maxrss: int

    @classmethod
    def wait(cls, pid: int) -> "Reaped":
        """Wait for the end of a child, and reap it."""
        _, status, usage = os.wait4(pid, 0)
        return cls(status, int(1e9 * (usage.ru_utime + usage.ru_stime)), usage.ru_maxrss)


class Spawner:
    """Child of the worker that has joined a control group and starts programs in that group.

    running  programs that are not reaped yet           cpu  nanoseconds of CPU time of the programs it has reaped
    """

    def __init__(self, pid: int, link: socket.socket) -> None:
        self.pid, self.link = pid, link
        self.running: set[int] = set()
        self.cpu = 0

    def asked(self, words: Sequence[str], fds: Sequence[int] = ()) -> list[int]:
        """Send a command with descriptors; return the numbers of the reply. Raises OSError."""
        socket.send_fds(self.link, [json.dumps(words).encode()], fds)
        if not (reply := self.link.recv(REPLY_BYTES)):
            raise BrokenPipeError
        return list(map(int, reply.split()))

    def start(self, argv: Sequence[str], fds: Sequence[int]) -> int:
        """Start a program with these descriptors as its standard ones; return its process id. Raises OSError."""
        pid, error = self.asked(["start", *argv], fds)
        if error:
            raise OSError(error, os.strerror(error))
        self.running.add(pid)
        return pid

    def reap(self, pid: int) -> Reaped:
        """Wait for the end of a started program, and reap it."""
        self.running.discard(pid)
        try:
            found = Reaped(*self.asked(["reap", str(pid)]))
        except OSError:
            return Reaped.wait(pid)  # it has become a child of the worker
        self.cpu += found.cpu
        return found

    def alive(self) -> bool:
        """Return False if the process has ended: the kernel may kill it for lack of memory."""
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None

    def close(self) -> None:
        """End the process."""
        self.link.close()
        os.waitpid(self.pid, 0)


def spawner(join: Callable[[], object], start: Start) -> Spawner | None:
    """Fork a process that calls `join`, and then starts programs by `start`; None where this can't be had."""
    if not LINUX:
        return None
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    worker = os.getpid()
    if pid := os.fork():
        there.close()
        if here.recv(REPLY_BYTES) == READY:
            return Spawner(pid, here)
        here.close()
        os.waitpid(pid, 0)
        return None
    try:
        die_with_parent(worker)
        join()
        os.closerange(3, there.fileno())
        os.closerange(there.fileno() + 1, os.sysconf("SC_OPEN_MAX"))
        there.send(READY)
        serve(there, start)
    finally:
        os._exit(0)


def serve(link: socket.socket, start: Start) -> None:
    """Start and reap what the worker asks for, until it ends."""
    while True:
        command, fds, _, _ = socket.recv_fds(link, MESSAGE_BYTES, 3)
        if not command:
            return
        word, *rest = json.loads(command)
        answer: Sequence[int]
        if word == "reap":
            answer = Reaped.wait(int(rest[0]))
        else:
            try:
                answer = start(rest, fds), 0
            except OSError as e:
                answer = 0, e.errno or 1
        for fd in fds:
            os.close(fd)
        link.send(" ".join(map(str, answer)).encode())
