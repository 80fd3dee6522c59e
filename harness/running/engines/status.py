"""Status of a run on a cluster, which it tells the scheduler, and the look of others at it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from harness.model.errors import BadUsage, ClusterLost
from harness.model.settings import Cluster
from harness.running.engines.configuration import log_as_notes
from harness.running.engines.joining import reachable
from harness.running.engines.layout import TEXT, WHOLE, Malformed, Many, Maybe, Record, decode
from harness.running.engines.scheduler_calls import runs_of
from harness.running.engines.security import require_packages, security
from harness.running.engines.unpickling import CLIENT, restrict
from harness.running.workers.run_context import Notify

if TYPE_CHECKING:
    from distributed import Client

CONNECT_S = 10.0
MOST_REFUSALS = 20  # that a status has


@dataclass(frozen=True)
class PlaceStatus:
    """A place in a run: its machine and core, its lease ('' for none) and since when (s), and its work so far."""

    name: str
    machine: str
    core: int | None
    lease: str
    since: int
    leases: int
    outcomes: int


@dataclass(frozen=True)
class RunStatus:
    """A run: its journal, outcomes that it lacked when it began and has since, seconds since then, and its places."""

    journal: str
    total: int
    done: int
    elapsed: int
    places: tuple[PlaceStatus, ...]
    refused: tuple[str, ...]

    @property
    def left(self) -> float | None:
        """Seconds until the expected end, at the pace so far; None if unknown."""
        return self.elapsed * (self.total - self.done) / self.done if self.done else None


@dataclass
class RunTally:
    """Counts of the client of its run: outcomes that it lacked when it began, and leases and outcomes by place."""

    journal: str
    total: int
    done: int = 0
    began: float = field(default_factory=time.monotonic)
    work: dict[str, tuple[int, int]] = field(default_factory=dict)
    refusals: list[str] = field(default_factory=list)

    def work_of(self, place: str) -> tuple[int, int]:
        """Return the numbers of leases and outcomes of a place."""
        return self.work.get(place, (0, 0))

    def add(self, place: str, leases: int, outcomes: int) -> None:
        """Count leases and outcomes of a place."""
        before = self.work_of(place)
        self.work[place] = before[0] + leases, before[1] + outcomes
        self.done += outcomes

    def status(self, places: tuple[PlaceStatus, ...]) -> RunStatus:
        """Return the status of the run with its places."""
        refused = tuple(self.refusals[-MOST_REFUSALS:])
        return RunStatus(self.journal, self.total, self.done, seconds_since(self.began), places, refused)


@dataclass(frozen=True)
class ClusterStatus:
    """A scheduler: its address, the seconds of silence of each place by name, and its runs."""

    address: str
    places: dict[str, float]
    runs: tuple[RunStatus, ...]


PLACE_STATUS = Record(
    PlaceStatus, name=TEXT, machine=TEXT, core=Maybe(WHOLE), lease=TEXT, since=WHOLE, leases=WHOLE, outcomes=WHOLE
)
STATUS = Record(
    RunStatus, journal=TEXT, total=WHOLE, done=WHOLE, elapsed=WHOLE, places=Many(PLACE_STATUS), refused=Many(TEXT)
)


def seconds_since(moment: float) -> int:
    """Return whole seconds since a monotonic time."""
    return max(0, int(time.monotonic() - moment))


@contextmanager
def connected(cluster: Cluster, notify: Notify) -> Iterator[tuple[str, "Client"]]:
    """Yield the address of a scheduler and a client of it that gives no orders. Raises BadUsage."""
    require_packages()
    address, secure = reachable(cluster.target, cluster.certificates), security(cluster.certificates)
    log_as_notes(notify)
    from distributed import Client

    undo = restrict(CLIENT)
    try:
        client = Client(address, security=secure, timeout=CONNECT_S, set_as_default=False)
    except OSError as e:
        undo()
        raise BadUsage(f"{address}: {e}".partition("\n")[0]) from e
    try:
        yield address, client
    finally:
        with suppress(OSError, TimeoutError):
            client.close(timeout=CONNECT_S)
        undo()


def look(address: str, client: Any) -> ClusterStatus:
    """Return the status of a cluster; runs of other versions are left out. Raises ClusterLost."""
    try:
        _, (places, told) = client.run_on_scheduler(runs_of)
    except Exception as e:  # of many kinds, by the state in which it finds the client
        raise ClusterLost("the scheduler does not answer") from e
    runs = []
    for status in told:
        with suppress(Malformed):
            runs.append(decode(STATUS, status))
    return ClusterStatus(address, {name: silent for name, (_, silent) in sorted(places.items())}, tuple(runs))
