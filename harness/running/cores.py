"""Cores of the places of this machine, by the topology that Linux reports.

A place has cores of one memory node, so that no solver waits longer for memory than another. Threads of one core share
its units: while there are enough cores, a place has one thread of each of its cores, and the others stay idle; else all
threads of its cores, so that it shares none with another place.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

Cpus = tuple[int, ...]  # processors of a place, as the system numbers them; () for any
SYSTEM = Path("/sys/devices/system")


@dataclass(frozen=True)
class PhysicalCore:
    """A core: its memory node, and those of its threads that this process may use, by their numbers."""

    node: int
    threads: tuple[int, ...]


def topology(usable: Sequence[int], system: Path = SYSTEM) -> list[PhysicalCore]:
    """Return the cores with usable threads, by their lowest thread; each thread is a core where nothing is reported."""
    nodes = {cpu: node for node, cpus in nodes_of(system).items() for cpu in cpus}
    found: dict[frozenset[int], None] = {}
    for cpu in sorted(usable):
        siblings = listed(system / f"cpu/cpu{cpu}/topology/thread_siblings_list") or [cpu]
        found[frozenset(siblings) & frozenset(usable)] = None
    return [PhysicalCore(nodes.get(min(threads), 0), tuple(sorted(threads))) for threads in found]


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


def take(free: list[PhysicalCore], width: int, across: bool) -> Cpus:
    """Remove the cores of a place from the free ones, of the node that has most, and return their threads; () if none
    has enough."""
    nodes = {core.node: [c for c in free if c.node == core.node] for core in free}
    groups = [free] if across else sorted(nodes.values(), key=len, reverse=True)
    for cores in groups:
        taken: list[int] = []
        for core in list(cores):
            if len(taken) < width:
                taken += core.threads
        if len(taken) >= width:
            free[:] = [core for core in free if not set(core.threads) & set(taken)]
            return tuple(taken[:width])
    return ()
