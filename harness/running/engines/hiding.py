"""Hide the folder of certificates from what a place starts: solvers, which run as the user who started the place.

A place receives its certificates through a pipe and keeps them in memory. It moves to a user and mount namespace in
which an empty folder covers theirs, and makes its own memory unreadable. Processes in that namespace can't look into
others outside by /proc, whoever owns them. A second namespace within the first one locks the cover.

At its top this file imports nothing that starts threads: a process with threads can't move.
"""

import json
import os
import sys

from puzzles.processes.namespaces import NEW_MOUNTS, NEW_USERS, RECURSIVE, SLAVE, call

TYPE_CHECKING = False  # constant of `typing`, which takes longer to load than everything else
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

PLAIN = 0xE  # MS_NOSUID | MS_NODEV | MS_NOEXEC
SET_DUMPABLE = 4


def begin() -> "dict[str, Any]":
    """Read data of a place, a line of standard input, and hide its certificates; `visible` is why not, or ''."""
    line = bytearray()
    while not line.endswith(b"\n"):
        byte = os.read(0, 1)  # no more, since the rest is read elsewhere
        if not byte:
            os._exit(1)
        line += byte
    data: dict[str, Any] = json.loads(line)
    return data | {"visible": hide(data["hide"]) if data["hide"] else ""}


def hide(folder: str) -> str:
    """Hide a folder from this process and all that it starts; return the reason if that is not possible, else ''."""
    if sys.platform != "linux":
        return "only Linux can do that"
    try:
        enter_namespace()
        call("mount", b"none", b"/", None, SLAVE | RECURSIVE, None)
        call("mount", b"none", os.fsencode(os.path.realpath(folder)), b"tmpfs", PLAIN, b"size=4k,mode=0500")
        enter_namespace()
        call("prctl", SET_DUMPABLE, 0, 0, 0, 0)
    except OSError as e:
        return e.strerror or str(e)
    return ""


def enter_namespace() -> None:
    """Move this process to a new user and mount namespace, in which it is the same user. Raises OSError."""
    told, tell = os.pipe()
    helper = os.fork()
    if helper == 0:  # it stays outside, from where the identities can be mapped
        os._exit(map_identities(told, os.getppid()))
    os.close(told)
    try:
        call("unshare", NEW_USERS | NEW_MOUNTS)
        os.write(tell, b"1")
    finally:
        os.close(tell)
        _, status = os.waitpid(helper, 0)
    if status:
        raise OSError(0, "identities can't be mapped")


def map_identities(told: int, parent: int) -> int:
    """Let the parent keep its identities once it has moved, all that a superuser has; return an exit code."""
    try:
        os.set_inheritable(told, False)
        if os.read(told, 1) != b"1":
            return 1
        if os.geteuid() != 0:
            write(f"/proc/{parent}/setgroups", "deny")
        for kind, own in (("uid", os.geteuid()), ("gid", os.getegid())):
            write(f"/proc/{parent}/{kind}_map", "\n".join(identities(kind, own)))
    except OSError:
        return 1
    return 0


def identities(kind: str, own: int) -> "Iterator[str]":
    """Yield the lines of a map that keeps its own identity, or all of a superuser."""
    if os.geteuid() != 0:
        yield f"{own} {own} 1"
        return
    with open(f"/proc/self/{kind}_map") as file:
        for line in file:
            first, _, number = line.split()
            yield f"{first} {first} {number}"


def write(path: str, text: str) -> None:
    """Write a file of /proc in one step. Raises OSError."""
    number = os.open(path, os.O_WRONLY)
    try:
        os.write(number, text.encode())
    finally:
        os.close(number)
