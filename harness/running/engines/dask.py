"""Places on the workers of a Dask cluster, which may join and leave at any time.

A worker is greeted apart (`greeting.py`). Where its packages and source are ours, each of its threads is a place: a
task opens a child process there (`tasks.py`), and a lease is a task bound to that worker. The scheduler is asked for
its workers every LOOK_S: one that is gone, or silent for SILENT_S, is lost with the leases of its places. A place whose
process has ended is opened again, under another name.

All that is asked is a coroutine of the client's thread; what it returns arrives in `arrived`, with the method that
takes it. What arrives of a place or a worker that was lost meanwhile is dropped.
"""

import pickle
import queue
import shutil
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import Future as ConcurrentFuture
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from backends.contract.cores import cores_of
from harness.model.contender import Contender
from harness.model.errors import ClusterLost
from harness.model.host import CLOCK
from harness.model.lease import Lease, LeaseResult, Place
from harness.model.outcome import NANO
from harness.model.settings import Cluster, RunSettings
from harness.running.blocks import LeaseSize
from harness.running.dealer import BatchesDone, Event, Finished, Joined, Left, PlaceRefused
from harness.running.engines import tasks
from harness.running.engines.clocks import Skew, now
from harness.running.engines.connection import LOST, SILENT_S, DaskConnection
from harness.running.engines.contents import Content, deliver, take, want
from harness.running.engines.greeting import Greeting, call
from harness.running.engines.packing import Described, Packer, Returned, RunOrder, received
from harness.running.environment import temporary_folder
from harness.running.fingerprint import difference, fingerprint
from harness.running.workers.run_context import Keep, Notify, OpenState

if TYPE_CHECKING:
    from distributed import Future

LOOK_S = 1.0  # seconds between questions to the scheduler
LONG_S = 10.0  # until batches of a lease are committed while it runs
PART_S = 5.0  # between questions for the complete batches of a long lease
AGAIN_S = 5.0  # until a place whose cores others had is opened again
TRIES = 5  # leases in a row that a place may fail
STARTED_AGAIN = "its worker has started again"
Done = ConcurrentFuture[Any]
Then = Callable[[Done, int], Iterator[Event]]  # takes what is done, and when that became known


@dataclass(eq=False)
class Node:
    """A worker of Dask: its last sign of life by the scheduler's clock, and when that was new by ours.

    worker  its identity, once it is greeted       silent  it was lost for silence, until its next sign of life
    """

    address: str
    name: str
    sign: float
    heard: float
    worker: str = ""
    silent: bool = False
    calls: list[Done] = field(default_factory=list)


@dataclass(eq=False)
class Seat:
    """A thread of a worker, as a place: the task that keeps its process, and the lease that it has."""

    node: Node
    number: int
    name: str
    key: str
    opened: "Future | None" = None
    facts: Place | None = None
    held: "Held | None" = None


@dataclass(eq=False)
class Held:
    """A lease at a place, what travels apart, when it was sent, and the batches of it that are committed."""

    ticket: int
    lease: Lease
    message: bytes
    contents: list[Content]
    sent: int = 0
    call: Done | None = None
    asked: Done | None = None
    last_asked: int = 0
    taken: tuple[int, ...] = ()

    @property
    def to_ask(self) -> bool:
        """True if the place is to be asked for complete batches: the lease runs for long, with more than one left."""
        idle = self.asked is None and len(self.lease.contenders) - len(self.taken) > 1
        return (
            bool(self.sent)
            and idle
            and now() - max(self.sent + (LONG_S - PART_S) * NANO, self.last_asked) > (PART_S * NANO)
        )


class DaskPlaces:
    """Engine of the places of a cluster. It has to be closed. Raises BadUsage.

    `progress` receives numbers of outcomes, `keep` takes what programs have printed.
    """

    lease_size = LeaseSize(seconds=10.0, instances=20_000)

    def __init__(
        self,
        cluster: Cluster,
        contenders: Sequence[Contender],
        settings: RunSettings,
        notify: Notify,
        progress: Callable[[int], object] = int,
        keep: Keep | None = None,
    ) -> None:
        self.contenders, self.notify, self.progress, self.keep = contenders, notify, progress, keep
        self.width = max(cores_of(c.backend) for c in contenders)
        self.here = fingerprint([c.name for c in contenders], settings)
        self.connection = DaskConnection(cluster.target)
        self.packer = Packer(temporary_folder())
        self.order = pickle.dumps(RunOrder(tuple(contenders), settings.as_dict(), keep is not None))
        self.arrived: queue.SimpleQueue[tuple[Then, Done, int]] = queue.SimpleQueue()
        self.nodes: dict[str, Node] = {}  # by address
        self.seats: dict[str, Seat] = {}  # places that have joined or open, by name
        self.names: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()  # leases in a row, by worker and thread
        self.late: list[tuple[float, Node, int]] = []  # places to be opened at a time, as others had their cores
        self.states: dict[str, list[OpenState]] = {}
        self.joined = 0  # places since the last look
        self.looked = float("-inf")
        self.waiting = False  # True while waiting for a place, since the last one joined

    def facts(self, place: str) -> Place:
        """Return a place as the journal stores it."""
        facts = self.seats[place].facts
        assert facts is not None
        return facts

    def begin(self, node: Node, call: Coroutine[Any, Any, Any], then: Then) -> Done:
        """Begin a call about a worker; `then` takes it when it is done."""
        begun = self.connection.start(call)
        node.calls = [*(each for each in node.calls if not each.done()), begun]
        begun.add_done_callback(lambda done: self.arrived.put((then, done, now())))
        return begun

    def events(self) -> Iterator[Event]:
        """Wait until something happens, at most until the next look. Raises ClusterLost."""
        found: list[Event] = list(self.look()) if time.monotonic() - self.looked >= LOOK_S else []
        with suppress(queue.Empty):
            then, done, at = self.arrived.get(timeout=0.0 if found else LOOK_S)
            found += then(done, at)
        yield from found

    def look(self) -> Iterator[Event]:
        """Ask the scheduler for its workers: greet new ones, and lose those that are gone or silent."""
        self.note_joined()
        known, self.looked = self.connection.workers(), time.monotonic()
        for address, node in list(self.nodes.items()):
            found = known.get(address)
            if found is None or str(found["name"]) != node.name:
                yield from self.lose(node, "its worker has ended, or its connection")
            elif found["last_seen"] != node.sign:
                node.sign, node.heard = found["last_seen"], self.looked
                if node.silent:
                    del self.nodes[address]
            elif self.looked - node.heard > SILENT_S and not node.silent:
                yield from self.lose(node, f"its worker is silent for {self.looked - node.heard:.0f} s")
                node.silent, self.nodes[address] = True, node
        for address, found in known.items():
            if address not in self.nodes and found["status"] == "running":
                node = self.nodes[address] = Node(address, str(found["name"]), found["last_seen"], self.looked)
                self.begin(node, self.greet(node), partial(self.welcome, node))
        due, self.late = [e for e in self.late if e[0] <= self.looked], [e for e in self.late if e[0] > self.looked]
        for _, node, number in due:
            self.open(node, number)
        for seat in self.seats.values():
            if seat.held and seat.held.to_ask:
                self.ask_batches(seat, seat.held)
        greeted = all(each.done() for node in self.nodes.values() for each in node.calls)
        if not (self.seats or self.waiting) and greeted:
            self.waiting = True
            which = "no worker of the cluster takes part" if self.nodes else "the cluster has no worker"
            self.notify(f"{which}: waiting until one does")

    def note_joined(self) -> None:
        """Note places that have joined since the last look."""
        if self.joined:
            total = sum(seat.facts is not None for seat in self.seats.values())
            self.notify(f"{self.joined} place{'s' * (self.joined > 1)} joined: {total} now")
        self.joined = 0

    async def greet(self, node: Node) -> Greeting:
        """Return the answer of a worker to the greeting. Raises what Dask raises."""
        task = self.connection.submit(node.address, eval, call(self.width))
        return Greeting(**await self.connection.result(task))

    def welcome(self, node: Node, done: Done, at: int) -> Iterator[Event]:
        """Open the places of a worker that has our packages and source."""
        if self.nodes.get(node.address) is not node:
            return
        if (why := failure(done)) is not None:
            yield PlaceRefused(node.name, f"it does not answer: {why}")
            return
        greeting: Greeting = done.result()
        node.worker = greeting.worker
        if why := greeting.difference():
            yield PlaceRefused(node.name, why)
        elif greeting.places == 0:
            yield PlaceRefused(node.name, f"it has no {self.width} whole cores of one kind, as a contender wants")
        for number in range(0 if why else greeting.places):
            self.open(node, number)

    def open(self, node: Node, number: int) -> None:
        """Begin to open a place at a worker, unless that was lost."""
        if self.nodes.get(node.address) is not node or node.silent:
            return
        base = f"{node.name}/{number + 1}"
        self.names[base] += 1
        name = base if self.names[base] == 1 else f"{base}~{self.names[base]}"
        seat = self.seats[name] = Seat(node, number, name, f"{self.connection.run}/{name}")
        self.begin(node, self.opening(seat), partial(self.opened_at, seat, now()))

    async def opening(self, seat: Seat) -> tuple[str, bytes]:
        """Return the answer of a place that opens; its task is held from then on."""
        node = seat.node
        seat.opened = self.connection.submit(node.address, tasks.open_place, seat.key, node.worker, self.order)
        answer: tuple[str, bytes] = await self.connection.result(seat.opened)
        return answer

    def opened_at(self, seat: Seat, sent: int, done: Done, at: int) -> Iterator[Event]:
        """Let a place join if its fingerprint is ours, else name the differences."""
        if self.seats.get(seat.name) is not seat:
            return
        if (why := failure(done)) is not None:
            self.drop(seat)
            yield PlaceRefused(seat.name, why)
            return
        word, data = done.result()
        if word == tasks.GONE:
            yield from self.lose(seat.node, STARTED_AGAIN)
            return
        if word != tasks.DONE:
            yield from self.fail(seat, data.decode())
            return
        described: Described = pickle.loads(data)
        if described.busy:
            self.postpone(seat)
            return
        why = described.why or difference(self.here, described.fingerprint)
        if why or described.place is None:
            self.drop(seat)
            yield PlaceRefused(seat.name, why)
            return
        skew = Skew.of(sent, at, described.began, described.ended)
        seat.facts = replace(described.place, host={**described.place.host, CLOCK: str(skew)})
        self.waiting, self.joined = False, self.joined + 1
        if skew.large:
            self.notify(f"{seat.name}: its clock is {skew}")
        yield Joined(seat.name)

    def assign(self, place: str, ticket: int, lease: Lease) -> None:
        """Send a lease to a place, after what travels apart."""
        seat = self.seats[place]
        held = seat.held = Held(ticket, lease, *self.packer.packed(lease))
        held.call = self.begin(seat.node, self.lease(seat, held), partial(self.take, seat, held))

    async def lease(self, seat: Seat, held: Held) -> tuple[str, bytes]:
        """Run a lease at a place, and return the answer."""
        ask, node = partial(self.connection.ask, seat.node.address), seat.node
        while True:
            if held.contents:
                await deliver(partial(ask, want), partial(ask, take), held.contents)
            held.sent = now()
            task = self.connection.submit(node.address, tasks.run_lease, seat.key, node.worker, held.message)
            word, data = await self.connection.result(task)
            if word != tasks.LACKING:
                return word, data

    def take(self, seat: Seat, held: Held, done: Done, at: int) -> Iterator[Event]:
        """Take the answer to a lease. Raises ClusterLost."""
        if self.seats.get(seat.name) is not seat or seat.held is not held:
            return
        if (why := failure(done)) is not None:
            yield from self.lose(seat.node, why)
            return
        word, data = done.result()
        if word == tasks.DONE:
            yield self.finish(seat, held, pickle.loads(data))
        elif word == tasks.GONE:
            yield from self.lose(seat.node, STARTED_AGAIN)
        else:
            yield from self.fail(seat, data.decode())

    def finish(self, seat: Seat, held: Held, returned: Returned) -> Finished:
        """Take the result of a lease."""
        self.forget(seat)
        del self.failed[seat.node.address + str(seat.number)]
        self.states[seat.name] = returned.opened
        result = rest_of(received(held.lease, returned), held.taken)
        return Finished(seat.name, held.ticket, self.counted(result))

    def counted(self, result: LeaseResult) -> LeaseResult:
        """Count the outcomes of a result, and keep what its programs have printed."""
        self.progress(sum(len(some.rows) for some in result.outcomes))
        return replace(result, outcomes=tuple(map(self.keep, result.outcomes))) if self.keep else result

    def ask_batches(self, seat: Seat, held: Held) -> None:
        """Ask a place for the complete batches of its lease."""
        held.last_asked = now()
        call = self.connection.ask(seat.node.address, tasks.finished_batches, seat.key, list(held.taken))
        held.asked = self.begin(seat.node, call, partial(self.hear, seat, held))

    def hear(self, seat: Seat, held: Held, done: Done, at: int) -> Iterator[Event]:
        """Take complete batches of a lease that runs; without an answer the place is asked again."""
        held.asked = None
        if self.seats.get(seat.name) is not seat or seat.held is not held or failure(done, lost=False) is not None:
            return
        if not (data := done.result()):
            return
        returned: Returned = pickle.loads(data)
        new = tuple(t for t in dict.fromkeys(part.contender for part in returned.parts) if t not in held.taken)
        result = received(replace(held.lease, contenders=new), returned)
        held.taken += new
        yield BatchesDone(seat.name, held.ticket, self.counted(result))

    def fail(self, seat: Seat, why: str) -> Iterator[Event]:
        """Lose a place that failed; open it again, or refuse one that fails every time."""
        thread = seat.node.address + str(seat.number)
        self.failed[thread] += 1
        again = self.failed[thread] < TRIES
        self.drop(seat)
        if seat.facts is not None:
            yield Left(seat.name, why)
        elif not again:
            yield PlaceRefused(seat.name, f"{why}, {TRIES} times before it joined")
        if again:
            self.open(seat.node, seat.number)

    def postpone(self, seat: Seat) -> None:
        """Open a place later, as others have its cores."""
        self.drop(seat)
        if self.names[f"{seat.node.name}/{seat.number + 1}"] == 1:
            self.notify(f"{seat.name}: other runs or workers have its cores: it joins when they are free")
        self.late.append((time.monotonic() + AGAIN_S, seat.node, seat.number))

    def lose(self, node: Node, why: str) -> Iterator[Event]:
        """Forget a worker, and lose its places."""
        self.nodes.pop(node.address, None)
        for each in node.calls:
            each.cancel()
        for seat in [seat for seat in self.seats.values() if seat.node is node]:
            self.drop(seat)
            if seat.facts is not None:
                yield Left(seat.name, why)

    def drop(self, seat: Seat) -> None:
        """Forget a place; its process ends, as nobody holds its task."""
        self.forget(seat)
        del self.seats[seat.name]
        if seat.opened is not None:
            self.connection.start(self.connection.release(seat.opened))
            seat.opened = None

    def forget(self, seat: Seat) -> None:
        """Forget the lease of a place."""
        held, seat.held = seat.held, None
        if held is not None:
            for each in (held.call, held.asked):
                if each is not None:
                    each.cancel()
            for content in held.contents:
                content.discard()

    def dismiss(self, place: str) -> None:
        """Give a place no lease."""
        self.drop(self.seats[place])

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
        self.note_joined()
        for node in self.nodes.values():
            for each in node.calls:
                each.cancel()
        self.connection.close()
        shutil.rmtree(self.packer.outbox.folder, ignore_errors=True)
        return []


def failure(done: Done, lost: bool = True) -> str | None:
    """Return why a call has failed, None if it has not. Raises ClusterLost, if the scheduler was lost."""
    if done.cancelled():
        raise ClusterLost(LOST)
    error = done.exception()
    if isinstance(error, ClusterLost) and lost:
        raise error
    return None if error is None else f"{type(error).__name__}: {error}".partition("\n")[0]


def rest_of(result: LeaseResult, taken: Sequence[int]) -> LeaseResult:
    """Return a result without the batches that are committed already."""
    outcomes = tuple(some for some in result.outcomes if some.batch.contender not in taken)
    return replace(result, lease=result.lease.without(taken), outcomes=outcomes)
