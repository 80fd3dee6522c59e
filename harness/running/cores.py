"""Cores of the places of this machine, by the topology that Linux reports.

A place has cores of one memory node, so that no solver waits longer for memory than another. Threads of one core share
its units: while there are enough cores, a place has one thread of each of its cores, and the others stay idle; else all
threads of its cores, so that it shares none with another place.

Of a hybrid processor only the cores of one kind are used: the fastest of which this process may use enough for a place;
`taskset` states others. Places of a cluster have whole cores, each under a lock for all processes of the machine.
"""

import fcntl
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from harness.model.host import cores

Cpus = tuple[int, ...]  # processors of a place, as the system numbers them; () for any
Lock = Callable[[int], bool]  # take the lock on a core, by its lowest thread; False if another holds it
SYSTEM = Path("/sys/devices/system")
SPEEDS = {"cpu_capacity": (1, "cores of capacity {:g}"), "cpufreq/cpuinfo_max_freq": (1e6, "cores of up to {:g} GHz")}
ALIKE = 0.85  # share of the speed of the fastest of its kind that a core has at least: favoured ones have a few % more
HYBRID = {"cpu_core": "performance cores", "cpu_atom": "efficiency cores", "cpu_lowpower": "low-power cores"}
LOCKS = Path(os.environ.get("CROSSCHECK_LOCKS") or ("/dev/shm" if os.path.isdir("/dev/shm") else "/tmp"))
HELD: dict[int, int] = {}  # locks of this process: open files by core


@dataclass(frozen=True)
class PhysicalCore:
    """A core: its memory node, those of its threads that this process may use, and its kind in a hybrid processor."""

    node: int
    threads: tuple[int, ...]
    kind: str = ""
    number: int = field(default=-1, compare=False)  # lowest thread of the core, usable or not


def topology(usable: Sequence[int], system: Path = SYSTEM) -> list[PhysicalCore]:
    """Return the cores with usable threads, by their lowest thread; each thread is a core where nothing is reported."""
    nodes = {cpu: node for node, cpus in nodes_of(system).items() for cpu in cpus}
    kinds = kinds_of(system)
    found: dict[tuple[int, ...], int] = {}
    for cpu in sorted(usable):
        siblings = listed(system / f"cpu/cpu{cpu}/topology/thread_siblings_list") or [cpu]
        found[tuple(sorted({*siblings} & {*usable}))] = min(siblings)
    return [
        PhysicalCore(nodes.get(threads[0], 0), threads, kinds.get(threads[0], ""), number)
        for threads, number in found.items()
    ]


def kinds_of(system: Path = SYSTEM) -> dict[int, str]:
    """Return the kind of each processor of a hybrid machine, fastest kind first; {} if all are of one kind.

    Where the kernel names no kinds, its capacities tell them, or else the highest frequencies.
    """
    found = {cpu: kind for folder, kind in HYBRID.items() for cpu in listed(system.parent / folder / "cpus")}
    for name, (unit, words) in SPEEDS.items():
        if not found:
            paths = {int(path.relative_to(system).parts[1][3:]): path for path in system.glob(f"cpu/cpu[0-9]*/{name}")}
            speeds = {cpu: speed / unit for cpu, path in paths.items() for speed in listed(path)}
            top = float("inf")
            for cpu in sorted(speeds, key=lambda cpu: (-speeds[cpu], cpu)):
                top = top if speeds[cpu] > ALIKE * top else speeds[cpu]
                found[cpu] = words.format(top)
    return found if len(set(found.values())) > 1 else {}


def fastest(cores: Sequence[PhysicalCore], kinds: Mapping[int, str], width: int = 1) -> list[PhysicalCore]:
    """Return the cores of the fastest kind that has at least `width`; of the fastest kind of all if none has."""
    every = [[core for core in cores if core.kind == kind] for kind in dict.fromkeys(kinds.values())]
    some = list(filter(None, every)) or [list(cores)]
    return next((each for each in some if len(each) >= width), some[0])


def usable_cores(width: int = 1, system: Path = SYSTEM) -> list[PhysicalCore]:
    """Return the cores that this process may use, of one kind, of which there are `width` if that can be."""
    return fastest(topology(cores(), system), kinds_of(system), width)


def kind_of(cpus: Cpus, system: Path = SYSTEM) -> str:
    """Return the kind of the cores of a place on a hybrid machine, '' on any other."""
    return kinds_of(system).get(cpus[0], "") if cpus else ""


def nodes_of(system: Path) -> dict[int, list[int]]:
    """Return the processors of each memory node."""
    folders = [path for path in system.glob("node/node*") if path.name[4:].isdecimal()]
    return {int(path.name[4:]): listed(path / "cpulist") for path in sorted(folders)}


def listed(path: Path) -> list[int]:
    """Return the numbers of a list such as 0-3,8; none if it can't be read."""
    try:
        parts = [part.split("-") for part in path.read_text().strip().split(",") if part]
        return [number for part in parts for number in range(int(part[0]), int(part[-1]) + 1)]
    except (OSError, ValueError):
        return []


def allot(cores: Sequence[PhysicalCore], jobs: int, width: int) -> list[Cpus]:
    """Return the processors of each place, `width` each; () for places that find none.

    Tried in turn, within one node and then across nodes: the first thread of each core, whole cores, single threads.
    The highest cores come first, since the system's own work mostly runs on the lowest.
    """
    most = max((len(core.threads) for core in cores), default=0)
    first = [PhysicalCore(core.node, core.threads[:1]) for core in cores]
    single = [PhysicalCore(c.node, (c.threads[i],)) for i in reversed(range(most)) for c in cores if i < len(c.threads)]
    found: list[Cpus] = []
    for across in (False, True):
        for units in (first, cores, single):
            free = list(reversed(units))
            found = [take(free, width, across) for _ in range(jobs)]
            if all(found):
                return found
    return found


def most_places(width: int) -> int:
    """Return the number of places of `width` whole cores that this process may use; 1 where it can't pin."""
    return len(usable_cores(width)) // width if cores() else 1


def claim(width: int, every: Sequence[PhysicalCore] | None = None, lock: Lock | None = None) -> Cpus:
    """Take the locks on `width` whole cores, and return the first thread of each; () if others hold too many.

    Of one memory node if that can be. Locks are held until this process ends.
    """
    lock, every = lock or locked, usable_cores(width) if every is None else every
    with one_at_a_time():
        free = [core for core in every if lock(core.number)]
        units = [replace(core, threads=core.threads[:1]) for core in reversed(free)]
        cpus = take(units, width, across=False) or take(units, width, across=True)
        release([core.number for core in free if core.threads[0] not in cpus])
    return cpus


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Let other processes of this machine wait, if they want cores too."""
    fd = opened_lock("crosscheck-cores")
    if fd is not None:
        fcntl.flock(fd, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if fd is not None:
            os.close(fd)


def opened_lock(name: str) -> int | None:
    """Open the file of a lock, which all users of this machine share; None if it can't be made."""
    path = LOCKS / name
    with suppress(OSError):
        if not path.exists():
            with suppress(FileExistsError):
                os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666))
                path.chmod(0o666)
        return os.open(path, os.O_RDWR | os.O_CLOEXEC)
    return None


def locked(core: int) -> bool:
    """Take the lock on a core of this machine; False if another process holds it."""
    fd = opened_lock(f"crosscheck-core-{core}")
    if fd is None:
        return True
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(fd)
        return False
    HELD[core] = fd
    return True


def release(cores: Sequence[int]) -> None:
    """Give back the locks on cores."""
    for core in cores:
        with suppress(KeyError):
            os.close(HELD.pop(core))


def take(free: list[PhysicalCore], width: int, across: bool) -> Cpus:
    """Remove the cores of a place from the free ones, of the node that has most, and return their threads; () if none
    has enough."""
    nodes = {core.node: [c for c in free if c.node == core.node] for core in free}
    groups = [free] if across else sorted(nodes.values(), key=len, reverse=True)
    for group in groups:
        taken: list[int] = []
        for core in group:
            if len(taken) < width:
                taken += core.threads
        if len(taken) >= width:
            free[:] = [core for core in free if not set(core.threads) & set(taken)]
            return tuple(taken[:width])
    return ()
