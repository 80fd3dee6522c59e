"""Places of a cluster, as workers of Dask.distributed, which carries leases to them and results back.

A lease is a task that may run at its place alone. Dask does not report the loss of such a place, so the scheduler is
asked for its places every LOOK_S. A place that is silent for too long is removed from the scheduler; it may come back
under another name.
"""

import queue
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from backends.programs.backend import program_of
from harness.model.contender import Contender
from harness.model.errors import BadUsage, ClusterLost
from harness.model.lease import Lease, Place
from harness.model.settings import Cluster, RunSettings
from harness.running.blocks import LeaseSize
from harness.running.dealer import Event, Finished, Joined, Left, PlaceRefused
from harness.running.engines.configuration import log_as_notes
from harness.running.engines.joining import reachable
from harness.running.engines.security import require_packages, security
from harness.running.engines.wire import BadResult, NotWanted, RunOrder, SentLease, introduced, open_states, received
from harness.running.fingerprint import difference, fingerprint
from harness.running.place import MakeChecker
from harness.running.workers.worker_pool import Notify, OpenState

if TYPE_CHECKING:
    from distributed import Future

LOOK_S = 1.0  # seconds between questions to the scheduler
SILENT_S = 30.0  # until a place that does not report to the scheduler counts as lost
CONNECT_S = 10.0
TRIES = 5  # attempts of a seat in a row, each by a new process: to join, and to run a lease
PLACE = "place-"  # begins the names of workers of Dask that are places


@dataclass
class Held:
    """A lease at a place, and the task that runs it."""

    ticket: int
    lease: Lease
    task: "Future"


class DaskPlaces:
    """Engine whose places join a scheduler at any time; `progress` receives numbers of outcomes. Raises BadUsage."""

    lease_size = LeaseSize(seconds=10.0, instances=20_000)

    def __init__(
        self,
        cluster: Cluster,
        contenders: Sequence[Contender],
        settings: RunSettings,
        notify: Notify,
        progress: Callable[[int], object] = int,
        checker: MakeChecker | None = None,
    ) -> None:
        require_packages()
        address, secure = reachable(cluster.target, cluster.certificates), security(cluster.certificates)
        log_as_notes(notify)
        from distributed import Client

        self.contenders, self.settings, self.notify, self.progress = contenders, settings, notify, progress
        self.names = [c.name for c in contenders]
        self.here = fingerprint(self.names, settings)
        with warnings.catch_warnings(action="ignore"):  # of other versions: a place that has them is refused below
            try:
                self.client = Client(address, security=secure, timeout=CONNECT_S, set_as_default=False)
            except OSError as e:
                raise BadUsage(f"{address}: {e}".partition("\n")[0]) from e
        self.scheduler: str = self.client.run_on_scheduler(identity_of)
        self.order = RunOrder(tuple(contenders), settings, checker)
        self.run, self.tasks = token_hex(4), count(1)
        self.arrived: queue.SimpleQueue[tuple[str, int, Future]] = queue.SimpleQueue()
        self.addresses: dict[str, str] = {}  # addresses of all places that the scheduler knows
        self.described: dict[str, Place] = {}  # places that have joined
        self.runs: dict[str, Future] = {}  # the run at each place
        self.held: dict[str, Held] = {}
        self.failed: Counter[str] = Counter()  # leases by seat, since its last result
        self.ended: Counter[str] = Counter()  # processes by seat that ended before they joined, since one did
        self.states: dict[str, list[OpenState]] = {}
        self.asking: dict[str, Future] = {}
        self.looked = float("-inf")
        self.waiting = False  # True while waiting for a place, since the last one joined

    def facts(self, place: str) -> Place:
        """Return a place as the journal stores it."""
        return self.described[place]

    def ask(self, function: Callable[..., Any], **parameters: Any) -> Any:
        """Call a function at the scheduler. Raises ClusterLost, also if another scheduler has its address."""
        try:
            scheduler, answer = self.client.run_on_scheduler(function, **parameters)
        except Exception as e:  # of many kinds, by the state in which it finds the client
            raise ClusterLost("the scheduler does not answer") from e
        if scheduler != self.scheduler:
            raise ClusterLost("another scheduler has taken the place of this run's")
        self.check_connected()
        return answer

    def check_connected(self) -> None:
        """Raise ClusterLost if the connection to the scheduler was lost."""
        if self.client.status != "running":
            raise ClusterLost("the connection to the scheduler was lost")

    def submit(self, place: str, function: Callable[..., Any], *args: Any) -> "Future":
        """Call a function at a place, through Dask. Raises ClusterLost."""
        self.check_connected()
        with warnings.catch_warnings(action="ignore"):  # of large arguments: a lease may be one
            return self.client.submit(
                function,
                *args,
                workers=[self.addresses[place]],
                allow_other_workers=False,
                pure=False,
                retries=0,
                key=f"{function.__name__}-{self.run}-{next(self.tasks)}",
            )

    def assign(self, place: str, ticket: int, lease: Lease) -> None:
        """Send a lease to a place."""
        from harness.running.engines import dask_place

        if place not in self.runs:
            self.runs[place] = self.submit(place, dask_place.open_run, self.order)
        task = self.submit(place, dask_place.run_lease, self.runs[place], SentLease.of(lease))
        self.held[place] = Held(ticket, lease, task)
        task.add_done_callback(lambda done: self.arrived.put((place, ticket, done)))

    def events(self) -> Iterator[Event]:
        """Wait until something happens. Raises ClusterLost."""
        while True:
            found = list(self.look()) if time.monotonic() - self.looked >= LOOK_S else []
            with suppress(queue.Empty):
                found += self.receive(*self.arrived.get(timeout=0.0 if found else LOOK_S))
            if found:
                yield from found
                return

    def look(self) -> Iterator[Event]:
        """Ask the scheduler for its places. New places are asked to describe themselves; lost places have left."""
        from harness.running.engines import dask_place

        known = self.ask(places_of)
        self.looked = time.monotonic()
        for place in [p for p in self.addresses if p not in known]:
            yield from self.left(place, "the scheduler has lost it")
        for place, (address, silent) in known.items():
            if place in self.addresses:
                if silent > SILENT_S:
                    yield from self.drop(place, f"silent for {silent:.0f} s")
            elif silent <= SILENT_S:
                self.addresses[place] = address
                if self.ended[seat_of(place)] == TRIES:
                    continue
                self.asking[place] = self.submit(place, dask_place.describe, self.names, self.settings.as_dict())
                self.asking[place].add_done_callback(lambda done, place=place: self.arrived.put((place, 0, done)))
        if not (self.described or self.asking or self.waiting):
            self.waiting = True
            which = "no place of the scheduler takes part" if self.addresses else "the scheduler has no place"
            self.notify(f"{which}: waiting until one joins")

    def receive(self, place: str, ticket: int, task: "Future") -> Iterator[Event]:
        """Take an arrived description (ticket 0) or result of a lease. Raises ClusterLost."""
        held = self.held.get(place)
        if ticket == 0 and place in self.asking:
            yield from self.welcome(place, task)
        elif held is not None and held.ticket == ticket:
            yield from self.take(place, held, task)

    def welcome(self, place: str, task: "Future") -> Iterator[Event]:
        """Let a place join if its fingerprint is ours, else report the differences."""
        from distributed.scheduler import KilledWorker

        try:
            found = introduced(result_of(task))
        except ClusterLost:
            raise
        except (KilledWorker, TimeoutError):
            yield from self.drop(place, "it ended before it joined")
            return
        except Exception as e:  # whatever a place with another version may do
            found = line_of(e)
        del self.asking[place], self.ended[seat_of(place)]
        if isinstance(found, str):
            yield PlaceRefused(place, found)
        elif why := difference(self.here, found[1]):
            yield PlaceRefused(place, why)
        else:
            self.described[place] = found[0]
            self.waiting = False
            yield Joined(place)

    def take(self, place: str, held: Held, task: "Future") -> Iterator[Event]:
        """Take the result of the lease of a place; a place that fails every time gets no further lease."""
        from distributed.scheduler import KilledWorker

        try:
            returned = result_of(task)
            result = received(held.lease, returned, self.settings)
            states = open_states(returned, len(self.contenders))
        except ClusterLost:
            raise
        except (KilledWorker, TimeoutError):
            yield from self.drop(place, "its process or its connection has ended")
        except NotWanted:
            yield from self.expel(place, "it was stopped", fault=False)
        except Exception as e:  # of the place, and of decoding what it sent
            self.failed[seat_of(place)] += 1
            last = self.failed[seat_of(place)] == TRIES
            yield from (self.expel if last else self.drop)(place, line_of(e))
        else:
            del self.held[place], self.failed[seat_of(place)]
            self.states[place] = states
            self.progress(sum(len(some.rows) for some in result.outcomes))
            yield Finished(place, held.ticket, result)

    def expel(self, place: str, why: str, fault: bool = True) -> Iterator[Event]:
        """Give a place no further lease; it stays with the scheduler, for other runs."""
        self.dismiss(place)
        del self.failed[seat_of(place)]
        yield Left(place, why, fault)

    def drop(self, place: str, why: str) -> Iterator[Event]:
        """Remove a place that failed, is silent or is gone from the scheduler; it may come back under another name."""
        self.ask(remove_place, address=self.addresses[place])
        yield from self.left(place, why)

    def left(self, place: str, why: str) -> Iterator[Event]:
        """Forget a place. Raises BadUsage if places only end before they join."""
        del self.addresses[place]
        if place in self.asking:
            yield from self.ended_early(place)
        self.release(place)
        if self.described.pop(place, None) is not None:
            yield Left(place, why)

    def ended_early(self, place: str) -> Iterator[Event]:
        """Record a process that ended before it joined; refuse its seat after several. Raises BadUsage."""
        self.ended[seat_of(place)] += 1
        if self.ended[seat_of(place)] < TRIES:
            return
        programs = ", ".join(c.name for c in self.contenders if program_of(c.backend))
        why = f"it ended {TRIES} times before it joined" + f": --version of {programs} may end it" * bool(programs)
        if not (self.described or self.states):
            raise BadUsage(f"{place}: {why}")
        yield PlaceRefused(place, why)

    def release(self, place: str) -> None:
        """Release all tasks at a place; its workers then end."""
        held = self.held.pop(place, None)
        tasks = [held.task if held else None, self.runs.pop(place, None), self.asking.pop(place, None)]
        self.check_connected()
        self.client.cancel([task for task in tasks if task is not None], force=True)

    def dismiss(self, place: str) -> None:
        """Give a place no lease; it stays with the scheduler, for other runs."""
        del self.described[place]
        self.release(place)

    def opened(self) -> list[OpenState]:
        """Return the reports of the workers of each contender, over all places."""
        total = [OpenState() for _ in self.contenders]
        for states in self.states.values():
            for mine, theirs in zip(total, states, strict=True):
                mine.version = theirs.version or mine.version
                mine.setup = max(mine.setup, theirs.setup)
                mine.clocks = mine.clocks.plus(theirs.clocks)
                mine.observed = mine.observed.plus(theirs.observed)
        return total

    def close(self) -> list[Finished]:
        """Release all places; the leases that they run are lost."""
        with suppress(ClusterLost):
            for place in list(self.addresses):
                self.release(place)
        with suppress(OSError, TimeoutError):
            self.client.close(timeout=CONNECT_S)
        return []


def identity_of(dask_scheduler: Any) -> str:
    """Return the identity of a scheduler. Runs in the scheduler."""
    return str(dask_scheduler.id)


def places_of(dask_scheduler: Any) -> tuple[str, dict[str, tuple[str, float]]]:
    """Return the scheduler's identity, and address and seconds of silence of each place. Runs there."""
    now = time.time()
    workers = dask_scheduler.workers.values()
    found = {w.name: (w.address, now - w.last_seen) for w in workers if str(w.name).startswith(PLACE)}
    return identity_of(dask_scheduler), found


async def remove_place(dask_scheduler: Any, address: str) -> tuple[str, None]:
    """Remove a place; return the scheduler's identity. Runs in the scheduler."""
    await dask_scheduler.remove_worker(address, stimulus_id="lost-place", expected=True)
    return identity_of(dask_scheduler), None


def seat_of(place: str) -> str:
    """Return the machine and core of a place: the same for all processes that follow each other there."""
    return place.rpartition("-")[0]


def result_of(task: "Future") -> Any:
    """Return the result of a finished task. Raises ClusterLost, KilledWorker, TimeoutError, or as the task."""
    if task.status == "cancelled":  # by the end of the connection: what we cancel, nobody takes
        raise ClusterLost("the connection to the scheduler was lost")
    return task.result(timeout=SILENT_S)


def line_of(error: Exception) -> str:
    """Return an error of a place in one line."""
    text = str(error).partition("\n")[0]
    return text if isinstance(error, BadResult | BadUsage) else f"{type(error).__name__}: {text}"
