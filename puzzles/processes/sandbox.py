"""Sandbox around a process that runs foreign code: a root of its own, in which it finds what it was given (Linux).

Its files are an empty tree in memory. Into it are mounted, at their own paths,

    seen      files and folders, read-only                    written   folders on disk that it may write
    scratch   empty folders in memory that it may write       layered   folders whose changes stay in memory

and /proc with its own processes, and the devices that hold nothing. It has no network but a loopback of its own, and
shares no memory or messages of System V. What belongs to no namespace, such as keyrings, a filter of calls keeps away
(filtering.py). Nothing that it starts outlives its first process.
"""

import json
import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Self

from puzzles.processes.filtering import filter_calls, leave_session_keyring
from puzzles.processes.namespaces import (
    BIND,
    NEW_IPC,
    NEW_MOUNTS,
    NEW_NAMES,
    NEW_NETWORK,
    NEW_PIDS,
    NEW_USERS,
    NO_DEVICES,
    NO_SETUID,
    READ_ONLY,
    RECURSIVE,
    SLAVE,
    call,
    change_root,
    give_up_rights,
    keep_identity,
    mount,
    raise_loopback,
    set_flags,
)

SEEN, WRITTEN, SCRATCH, LAYERED = range(4)
DEVICES = ("null", "zero", "full", "random", "urandom")
LINKS = {"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2"}
MAX_LINKS = 40  # symbolic links in one path
PLAIN = NO_SETUID | NO_DEVICES
HIDDEN = ("keys", "key-users")  # files of /proc that tell of the user's keys


@dataclass(frozen=True)
class Sandbox:
    """Files of a process within a sandbox, by absolute paths; missing ones are left out.

    `root` is an empty folder on which the new root is mounted, `folder` the working folder.
    """

    root: str
    folder: str
    seen: Sequence[str] = ()
    written: Sequence[str] = ()
    scratch: Sequence[str] = ()
    layered: Sequence[str] = ()

    def file(self) -> int:
        """Return the descriptor of an anonymous file that holds the sandbox, for another process."""
        fd = os.memfd_create("sandbox", os.MFD_CLOEXEC)
        with open(fd, "w", closefd=False) as file:
            json.dump(asdict(self), file)
        return fd

    @classmethod
    def load(cls, fd: int) -> Self:
        """Read the sandbox in a file that `file` made, and close the file."""
        with open(fd) as file:
            file.seek(0)
            return cls(**json.load(file))


def begin() -> None:
    """Move this process to namespaces whose first process is its next child. Raises OSError."""
    user, group = os.geteuid(), os.getegid()
    call("unshare", NEW_USERS | NEW_PIDS | NEW_NETWORK | NEW_IPC | NEW_NAMES)
    keep_identity(user, group)
    leave_session_keyring()


def start_within(sandbox: Sandbox) -> None:
    """Fork, and return in a child within a sandbox; this process waits for it and ends with its exit code.

    Raises OSError, in either process.
    """
    begin()
    if child := os.fork():
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        os._exit(code if code >= 0 else 128 - code)
    enter(sandbox)


def enter(sandbox: Sandbox) -> None:
    """Move this process, the first of its namespaces, into a sandbox for good. Raises OSError."""
    call("unshare", NEW_MOUNTS)
    mount("none", "/", flags=SLAVE | RECURSIVE)
    raise_loopback()
    links, mounts = plan(sandbox)
    root = sandbox.root
    mount("none", root, "tmpfs", PLAIN, "mode=0755")
    for path, kind in sorted(mounts.items()):  # a folder before what is in it
        make_point(root + path, kind != SEEN or os.path.isdir(path))
        if kind == SCRATCH:
            mount("none", root + path, "tmpfs", PLAIN, "mode=1777")
        elif kind != LAYERED:
            mount(path, root + path, flags=BIND | RECURSIVE)
    make_tree(root, sandbox.folder, links)
    set_flags(root, READ_ONLY | PLAIN, recursive=True)
    for path, kind in mounts.items():
        if kind == LAYERED:
            mount_layer(path, root + path)
        elif kind != SEEN:
            set_flags(root + path, 0, READ_ONLY)
    for name in DEVICES:
        mount(f"/dev/{name}", f"{root}/dev/{name}", flags=BIND)
    mount("proc", f"{root}/proc", "proc", PLAIN)
    protect_kernel(f"{root}/proc")
    change_root(root, sandbox.folder)
    give_up_rights()
    filter_calls()


def plan(sandbox: Sandbox) -> tuple[Mapping[str, str], Mapping[str, int]]:
    """Return the symbolic links on the way to the files of a sandbox, and the kind of each real path."""
    links: dict[str, str] = {}
    kinds = {SCRATCH: sandbox.scratch, SEEN: sandbox.seen, LAYERED: sandbox.layered, WRITTEN: sandbox.written}
    mounts: dict[str, int] = {}
    for kind, paths in kinds.items():
        found = [resolved(path, links) for path in paths]
        mounts |= {path: kind for path in found if kind == SCRATCH or os.path.lexists(path)}
    mounts.pop("/", None)
    seen = [path for path, kind in mounts.items() if kind == SEEN]
    inner = [path for path in seen if mounts.get(innermost(os.path.dirname(path), mounts)) == SEEN]
    for path in inner:
        del mounts[path]
    return links, mounts


def resolved(path: str, links: dict[str, str]) -> str:
    """Resolve the symbolic links of a path, and add each link that was followed to `links`."""
    parts, found, followed = [part for part in path.split("/") if part][::-1], "", 0
    while parts:
        part = parts.pop()
        if part == "..":
            found = os.path.dirname(found).rstrip("/")
        elif part != ".":
            here = f"{found}/{part}"
            if os.path.islink(here) and followed < MAX_LINKS:
                followed += 1
                links[here] = target = os.readlink(here)
                parts += [part for part in target.split("/") if part][::-1]
                found = "" if target.startswith("/") else found
            else:
                found = here
    return found or "/"


def innermost(path: str, mounts: Mapping[str, int]) -> str:
    """Return the innermost mount that is, or holds, a real path; '' without one."""
    while path not in mounts and path not in ("/", ""):
        path = os.path.dirname(path)
    return path if path in mounts else ""


def make_point(path: str, folder: bool) -> None:
    """Create an empty folder or file, unless something is there."""
    if os.path.lexists(path):
        return
    os.makedirs(path if folder else os.path.dirname(path), exist_ok=True)
    if not folder:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY))


def make_tree(root: str, folder: str, links: Mapping[str, str]) -> None:
    """Create the rest of a new root: the working folder, symbolic links, the points of devices and of /proc."""
    for path in (os.path.realpath(folder), "/proc", "/dev"):
        os.makedirs(root + path, exist_ok=True)
    for name in DEVICES:
        make_point(f"{root}/dev/{name}", folder=False)
    for path, target in ({f"/dev/{name}": target for name, target in LINKS.items()} | dict(links)).items():
        if not os.path.lexists(root + path):
            os.makedirs(os.path.dirname(root + path), exist_ok=True)
            os.symlink(target, root + path)


def mount_layer(source: str, target: str) -> None:
    """Mount a folder whose changes stay in memory; an empty one where the system has no overlays. Raises OSError."""
    mount("none", target, "tmpfs", PLAIN, "mode=0700")
    upper, work = f"{target}/upper", f"{target}/work"
    os.mkdir(upper)
    os.mkdir(work)
    try:
        mount("overlay", target, "overlay", PLAIN, f"lowerdir={source},upperdir={upper},workdir={work},userxattr")
    except OSError:
        os.rmdir(upper)
        os.rmdir(work)


def protect_kernel(proc: str) -> None:
    """Make read-only, or empty, what belongs to no process in /proc: a superuser could set the kernel there.

    Raises OSError.
    """
    for name in HIDDEN:
        if os.path.exists(f"{proc}/{name}"):
            mount("/dev/null", f"{proc}/{name}", flags=BIND)
    for entry in os.scandir(proc):
        if not entry.name.isdecimal() and not entry.is_symlink():
            mode = entry.stat(follow_symlinks=False).st_mode
            if stat.S_ISDIR(mode) or mode & 0o222:
                mount(entry.path, entry.path, flags=BIND)
                set_flags(entry.path, READ_ONLY)
