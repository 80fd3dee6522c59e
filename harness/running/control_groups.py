"""Control groups of workers: the kernel's own limit of memory, and its exact peak (Linux, versions 1 and 2).

A run makes a folder below its own control group, and in it one for each worker, which its guard joins before anything
is loaded. What a worker holds when it has opened its contender is set aside: the limit and the peaks of asks are of
what the solver takes beyond that, in any process, shared memory and the kernel's own included. Nothing is written
outside the folder of the run, which goes with the run. Without a memory controller that may be written, or without a
peak that can be reset (version 2 before Linux 6.12), there are no groups.

Version 2 lets a group have processes or groups below it, not both. So the folder of a run lies in the nearest group
above this process that hands memory down and that this user may write, as systemd delegates one to each user; but not
beyond a group with a limit, which would not hold there. A worker whose programs are measured has a group beside theirs.
"""

import contextlib
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple, Self

from harness.running.reaper import remove_groups

ROOT = Path("/sys/fs/cgroup")
PAGE = os.sysconf("SC_PAGE_SIZE")
NO_LIMIT = b"max", b"-1"  # by the version that takes it
OWN, PROGRAMS = "own", "programs"  # groups below that of a worker
LIMITS = "memory.max", "cpu.max"


class Names(NamedTuple):
    """Files of a group by their names in one version; `swap` limits memory and swap together.

    lowered  limit that gives charged pages back when it is set below what is charged, and kills nothing
    """

    used: str
    peak: str
    killed: str
    limit: str
    swap: str
    lowered: str


FILES = {
    1: Names(
        "memory.usage_in_bytes",
        "memory.max_usage_in_bytes",
        "memory.oom_control",
        "memory.limit_in_bytes",
        "memory.memsw.limit_in_bytes",
        "memory.limit_in_bytes",
    ),
    2: Names("memory.current", "memory.peak", "memory.events", "memory.max", "memory.swap.max", "memory.high"),
}


def own_group(groups: str = "/proc/self/cgroup", root: Path = ROOT) -> tuple[int, Path] | None:
    """Return the version of the memory controller, and the folder in which groups can be made; None without one."""
    with contextlib.suppress(OSError, ValueError):
        lines = [line.split(":", 2) for line in Path(groups).read_text().splitlines()]
        for _, controllers, group in lines:
            if "memory" in controllers.split(",") and (root / "memory").is_dir():
                return 1, root / "memory" / group.lstrip("/")
        for _, controllers, group in lines:
            if not controllers and (above := delegated(root / group.lstrip("/"), root)):
                return 2, above
    return None


def delegated(own: Path, root: Path) -> Path | None:
    """Return the nearest group, at or above our own, below which this user may make groups with the controller."""
    for group in (own, *own.parents):
        if not group.is_relative_to(root):
            break
        with contextlib.suppress(OSError):
            handed = (group / "cgroup.subtree_control").read_text().split()
            if "memory" in handed and all(os.access(path, os.W_OK) for path in (group, group / "cgroup.procs")):
                return group
        if any(limited(group / name) for name in LIMITS):
            break
    return None


def limited(path: Path) -> bool:
    """Return True if a file states a limit."""
    with contextlib.suppress(OSError):
        return path.read_text().split()[:1] != ["max"]
    return False


def run_group(name: str) -> Path | None:
    """Create the folder for the control groups of a run, and try one; None if the system refuses."""
    found = own_group()
    if found is None:
        return None
    version, above = found
    folder = above / f"crosscheck-{name}"
    try:
        folder.mkdir(0o700)
        if version == 2:
            (folder / "cgroup.subtree_control").write_text("+memory")
        group = WorkerGroup.create(folder / "tried")
        group.reset()
        group.remove()
    except OSError:
        remove_groups(str(folder))
        return None
    return folder


def join(folder: str) -> None:
    """Move this process to the group of a folder. Raises OSError."""
    Path(folder, "cgroup.procs").write_text(str(os.getpid()))


class GroupFiles(NamedTuple):
    """Open files of a group, which a worker reads within a sandbox too."""

    used: int
    peak: int
    killed: int

    def bytes_used(self) -> int:
        """Return the bytes that the group holds."""
        return int(os.pread(self.used, 32, 0))

    def highest(self) -> int:
        """Return the most bytes that it has held since `reset`."""
        return int(os.pread(self.peak, 32, 0))

    def reset(self) -> None:
        """Begin a new peak. Raises OSError."""
        os.pwrite(self.peak, b"0", 0)

    def kills(self) -> int:
        """Return the number of processes that the kernel has killed for lack of memory in the group."""
        lines = os.pread(self.killed, 4096, 0).decode().splitlines()
        return next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), 0)


class ProgramGroup(NamedTuple):
    """Open files of the group that a worker's programs have to themselves, below that of the worker.

    The limit of the worker's group holds for both; this one has no limit of its own.
    """

    files: GroupFiles
    limit: int
    members: int

    def join(self) -> None:
        """Move this process to the group. Raises OSError."""
        os.write(self.members, b"0")

    def begin(self) -> int:
        """Begin a new peak, and return the bytes that the group holds. Raises OSError.

        Pages that the kernel has charged to the group, but nobody has taken, are given back first: it does that for a
        limit below what is charged, which is lifted at once. The process that starts programs sleeps meanwhile.
        """
        with contextlib.suppress(OSError):
            os.pwrite(self.limit, str(self.files.bytes_used() - PAGE).encode(), 0)
        for word in NO_LIMIT:
            with contextlib.suppress(OSError):
                os.pwrite(self.limit, word, 0)
                break
        self.files.reset()
        return self.files.bytes_used()

    @property
    def every(self) -> tuple[int, ...]:
        """All descriptors."""
        return (*self.files, self.limit, self.members)


def opened(folder: Path, modes: Mapping[str, int]) -> list[int]:
    """Open the files of a new group by their names; remove the group if one can't be opened. Raises OSError."""
    found = list[int]()
    try:
        for name, mode in modes.items():
            found.append(os.open(folder / name, mode | os.O_CLOEXEC))
    except OSError:
        for fd in found:
            os.close(fd)
        os.rmdir(folder)
        raise
    return found


def program_group(folder: Path, names: Names) -> ProgramGroup | None:
    """Create the group of a worker's programs below that of the worker; None where the kernel keeps them apart."""
    try:
        if names is FILES[2]:
            (folder / OWN).mkdir(0o700)
            (folder / "cgroup.subtree_control").write_text("+memory")
        elif (folder / "memory.use_hierarchy").read_text().strip() != "1":
            return None
        inner = folder / PROGRAMS
        inner.mkdir(0o700)
        found = opened(inner, modes_of(names) | {names.lowered: os.O_RDWR, "cgroup.procs": os.O_WRONLY})
    except OSError:
        with contextlib.suppress(OSError):
            (folder / "cgroup.subtree_control").write_text("-memory")
            (folder / OWN).rmdir()
        return None
    return ProgramGroup(GroupFiles(*found[:3]), *found[3:])


def modes_of(names: Names) -> dict[str, int]:
    """Return the files that a worker reads of its group, by name, and how they are opened."""
    return {names.used: os.O_RDONLY, names.peak: os.O_RDWR, names.killed: os.O_RDONLY}


class WorkerGroup:
    """Group of a worker, as its parent sees it. `share` is what the worker held when its contender was open.

    `programs` is the group of its programs, if they have one of their own.
    """

    def __init__(self, folder: Path, names: Names, files: GroupFiles, programs: ProgramGroup | None = None) -> None:
        self.folder, self.names, self.files, self.programs = folder, names, files, programs
        self.share = 0

    @classmethod
    def create(cls, folder: Path, programs: bool = False) -> Self:
        """Create a group, with one for programs if it is wanted and to be had. Raises OSError."""
        folder.mkdir(0o700)
        names = FILES[1] if (folder / FILES[1].limit).exists() else FILES[2]
        files = GroupFiles(*opened(folder, modes_of(names)))
        return cls(folder, names, files, program_group(folder, names) if programs else None)

    @property
    def joined(self) -> Path:
        """Folder of the group that the worker itself joins."""
        return self.folder / OWN if self.programs and self.names is FILES[2] else self.folder

    @property
    def descriptors(self) -> tuple[int, ...]:
        """All descriptors, as a worker inherits them."""
        return (*self.files, *(self.programs.every if self.programs else ()))

    def kills(self) -> int:
        """Return the number of processes that the kernel has killed for lack of memory in both groups."""
        return self.files.kills() + (self.programs.files.kills() if self.programs else 0)

    def reset(self) -> None:
        """Begin a new peak. Raises OSError."""
        self.files.reset()

    def limit(self, solver: int) -> None:
        """Record what the worker holds as its share, and limit memory to `solver` bytes beyond it; 0 is no limit."""
        self.share = self.files.bytes_used()
        if not solver:
            return
        for name in (
            self.names.limit,
            self.names.swap,
            self.names.limit,
        ):  # each must not be above the other on the way
            text = "0" if name == "memory.swap.max" else str(self.share + solver)
            with contextlib.suppress(OSError):
                (self.folder / name).write_text(text)

    def peak(self) -> int:
        """Return the most bytes that the solver has held beyond the worker's share, since the last reset."""
        return max(0, self.files.highest() - self.share)

    def remove(self) -> None:
        """Close the files and remove the group, whose processes have ended; what can't be removed goes with the run."""
        for fd in self.descriptors:
            os.close(fd)
        with contextlib.suppress(OSError):
            if self.programs:
                (self.folder / PROGRAMS).rmdir()
            if self.joined != self.folder:
                self.joined.rmdir()
            self.folder.rmdir()


def maker(memory: int, peak: bool) -> Callable[[str], Path | None] | None:
    """Return the function that makes the groups of a run that limits or measures memory."""
    return run_group if memory > 0 or peak else None


def kept_by(memory: int, peak: bool) -> str:
    """Return the word for how limits and peaks of memory are kept here; '' if the run has none."""
    make = maker(memory, peak)
    if make is None:
        return ""
    folder = make(f"try-{os.getpid()}-{time.monotonic_ns()}")
    if folder is None:
        return "sampled"
    remove_groups(str(folder))
    return "cgroup"
