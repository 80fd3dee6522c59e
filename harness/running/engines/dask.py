"""Places of a cluster, as workers of Dask.distributed, which carries leases to them and results back.

A lease is a task that may run at its place alone. Dask does not report the loss of such a place, so the scheduler is
asked for its places every LOOK_S. A place that is silent for too long is removed from the scheduler; it may come back
under another name.

Long because it is one state machine: what a place is asked, what it answers, and how it comes and goes. How it is
reached stands in connection.py, what is held of it in held.py, what the scheduler is told of the run in status.py.
"""

import queue
import shutil
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import Future as ConcurrentFuture
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from backends.programs.backend import program_of
from harness.model.contender import Contender
from harness.model.errors import BadUsage
from harness.model.host import CLOCK
from harness.model.lease import Lease, LeaseResult, Place
from harness.model.outcome import NANO
from harness.model.settings import Cluster, RunSettings
from harness.running.blocks import LeaseSize
from harness.running.dealer import BatchesDone, Event, Finished, GivenUp, Joined, Left, PlaceRefused
from harness.running.engines.clocks import Exchange, Skew, now
from harness.running.engines.configuration import log_as_notes
from harness.running.engines.connection import ClusterClient
from harness.running.engines.contents import deliver
from harness.running.engines.held import SILENT_S, Arrival, Held, Question, place_status, rest_of, result_of
from harness.running.engines.joining import reachable
from harness.running.engines.layout import encode
from harness.running.engines.messages import ASKED, ORDER, TOLD, Asked, Packer, RunOrder, Told
from harness.running.engines.scheduler_calls import places_of, remove_place, seat_of
from harness.running.engines.security import require_packages, security
from harness.running.engines.status import STATUS, RunStatus, RunTally
from harness.running.engines.unpickling import Ended
from harness.running.engines.wire import (
    BadResult,
    Lacking,
    NotWanted,
    PlaceFailed,
    given_turns,
    introduced,
    most_bytes,
    open_states,
    received,
    returned,
    unexplained,
    within,
)
from harness.running.environment import temporary_folder
from harness.running.fingerprint import difference, fingerprint
from harness.running.workers.run_context import Keep, Notify, OpenState

if TYPE_CHECKING:
    from distributed import Future

T = TypeVar("T")
LOOK_S = 1.0  # seconds between questions to the scheduler
MOST_DESCRIBED = 1 << 22  # bytes of the description of a place
PART_S = 5.0  # between questions for the complete turns of a long lease
TRIES = 5  # attempts of a seat in a row, each by a new process: to join, and to run a lease


class DaskPlaces:
    """Engine whose places join a scheduler at any time. Raises BadUsage.

    `progress` receives numbers of outcomes, `keep` takes what programs have printed. The scheduler is told of the run:
    its journal, and how many it lacks.
    """

    lease_size = LeaseSize(seconds=10.0, instances=20_000)

    def __init__(
        self,
        cluster: Cluster,
        contenders: Sequence[Contender],
        settings: RunSettings,
        notify: Notify,
        progress: Callable[[int], object] = int,
        journal: str = "",
        total: int = 0,
        keep: Keep | None = None,
    ) -> None:
        require_packages()
        address, secure = reachable(cluster.target, cluster.certificates), security(cluster.certificates)
        log_as_notes(notify)
        self.contenders, self.settings, self.notify, self.progress = contenders, settings, notify, progress
        self.names, self.keep = [c.name for c in contenders], keep
        self.here = fingerprint(self.names, settings)
        self.connection = ClusterClient(address, secure, MOST_DESCRIBED)
        self.packer = Packer(temporary_folder())
        self.order = encode(ORDER, RunOrder(tuple(contenders), settings.as_dict(), keep is not None))
        self.asked = encode(ASKED, Asked(tuple(self.names), settings.as_dict()))
        self.arrived: queue.SimpleQueue[Arrival] = queue.SimpleQueue()
        self.addresses: dict[str, str] = {}  # addresses of all places that the scheduler knows
        self.described: dict[str, Place] = {}  # places that have joined
        self.skews: dict[str, Skew] = {}
        self.last: dict[str, Lease] = {}  # last lease of each place that has returned one
        self.suspected: set[str] = set()  # places whose outcomes took much less time than their leases
        self.runs: dict[str, Future] = {}  # the run at each place
        self.held: dict[str, Held] = {}
        self.failed: Counter[str] = Counter()  # leases by seat, since its last result
        self.ended: Counter[str] = Counter()  # processes by seat that ended before they joined, since one did
        self.states: dict[str, list[OpenState]] = {}
        self.asking: dict[str, Question] = {}
        self.told: dict[str, Future] = {}  # messages to places that were refused
        self.tally = RunTally(journal, total)
        self.new: list[str] = []  # places that have joined since the last look
        self.looked = float("-inf")
        self.waiting = False  # True while waiting for a place, since the last one joined

    def facts(self, place: str) -> Place:
        """Return a place as the journal stores it."""
        return self.described[place]

    def submit(self, place: str, function: Callable[..., Any], *args: "bytes | Future") -> "Future":
        """Call a function of `dask_place` at a place. Raises ClusterLost."""
        return self.connection.submit(self.addresses[place], function, *args)

    def assign(self, place: str, ticket: int, lease: Lease) -> None:
        """Send a lease to a place, after what travels apart."""
        message, contents = self.packer.packed(lease)
        held = self.held[place] = Held(
            ticket, lease, message, contents, most_bytes(lease, self.settings, self.keep is not None)
        )
        if contents:
            self.deliver(place, held)
        else:
            self.begin(place, held)

    def deliver(self, place: str, held: Held) -> None:
        """Begin to send the contents of a lease straight to the machine of its place. Raises ClusterLost."""
        ask = self.connection.handlers(self.addresses[place])
        held.delivery = self.begin_call(place, held, deliver(ask, held.contents))

    def begin_call(self, place: str, held: Held, call: Coroutine[Any, Any, T]) -> "ConcurrentFuture[T]":
        """Begin a call that arrives when it is done. Raises ClusterLost."""
        begun = self.connection.start(call)
        begun.add_done_callback(partial(self.arrive, place, held.ticket))
        return begun

    def ask_running(self, place: str, held: Held, name: str, **parameters: object) -> None:
        """Ask the place of a lease that runs long. Raises ClusterLost."""
        assert held.task is not None
        held.call_of, held.called = name, now()
        ask = self.connection.handlers(self.addresses[place])
        held.call = self.begin_call(place, held, ask(name, key=held.task.key, **parameters))

    def give_up(self, place: str, others: int) -> None:
        """Ask a place for turns of its lease, if that has run for long. Raises ClusterLost."""
        held = self.held[place]
        if held.long() and (held.call_of != "give_up" or now() - held.called > PART_S * NANO):
            self.ask_running(place, held, "give_up", most=held.rest * others // (others + 1))

    def begin(self, place: str, held: Held) -> None:
        """Submit the lease of a place, whose machine has what it needs."""
        from harness.running.engines import dask_place

        if place not in self.runs:
            self.runs[place] = self.submit(place, dask_place.open_run, self.order)
        held.task, held.delivery = self.submit(place, dask_place.run_lease, self.runs[place], held.message), None
        held.sent, self.connection.largest = now(), max(self.connection.largest, held.most)
        held.task.add_done_callback(partial(self.fetch, place, held.ticket))

    def arrive(self, place: str, ticket: int, done: Any) -> None:
        """Put a call that is done into `arrived`, with the time."""
        self.arrived.put(Arrival(place, ticket, done, now()))

    def fetch(self, place: str, ticket: int, task: "Future") -> None:
        """Put a task that is done into `arrived`, with the time, once its place has sent what it holds of it."""
        address = self.addresses.get(place)
        arrival = Arrival(place, ticket, task, now())
        if task.status == "finished" and address is not None:
            sent = self.connection.fetch(address, task)
            sent.add_done_callback(lambda sent: self.arrived.put(arrival._replace(sent=sent)))
        else:
            self.arrived.put(arrival)

    def events(self) -> Iterator[Event]:
        """Wait until something happens, at most until the next look. Raises ClusterLost."""
        found: list[Event] = list(self.look()) if time.monotonic() - self.looked >= LOOK_S else []
        with suppress(queue.Empty):
            found += self.receive(self.arrived.get(timeout=0.0 if found else LOOK_S))
        self.new += [event.place for event in found if isinstance(event, Joined)]
        yield from found

    def note_joined(self) -> None:
        """Note places that have joined since the last look."""
        new, self.new = [place for place in self.new if place in self.described], []
        if new:
            names = new[0] if len(new) == 1 else f"{len(new)} places"
            self.notify(f"{names} joined: {len(self.described)} now")

    def status(self) -> RunStatus:
        """Return the status of the run."""
        places = (
            place_status(place, facts, self.held.get(place), self.tally.work_of(place))
            for place, facts in self.described.items()
        )
        return self.tally.status(tuple(places))

    def count(self, place: str, leases: int, result: LeaseResult) -> None:
        """Count outcomes of a place that are taken, and its leases."""
        outcomes = sum(len(some.rows) for some in result.outcomes)
        self.tally.add(place, leases, outcomes)
        self.progress(outcomes)

    def look(self) -> Iterator[Event]:
        """Ask the scheduler for its places. New places are asked to describe themselves; lost places have left."""
        from harness.running.engines import dask_place

        self.note_joined()
        known, stopped = self.connection.ask(places_of, run=self.connection.run, status=encode(STATUS, self.status()))
        self.looked = time.monotonic()
        for place in [p for p in self.addresses if p not in known]:
            yield from self.left(place, "the scheduler has lost it", place in stopped)
        for place, (address, silent) in known.items():
            if place in self.addresses:
                if silent > SILENT_S:
                    yield from self.drop(place, f"silent for {silent:.0f} s")
            elif silent <= SILENT_S:
                self.addresses[place] = address
                if self.ended[seat_of(place)] == TRIES:
                    continue
                question = Question(now(), self.submit(place, dask_place.describe, self.asked))
                self.asking[place] = question
                question.task.add_done_callback(partial(self.fetch, place, 0))
        for place, held in self.held.items():
            if held.long() and now() - held.called > PART_S * NANO:
                self.ask_running(place, held, "finished_turns", known=list(held.taken))
        if not (self.described or self.asking or self.waiting):
            self.waiting = True
            which = "no place of the scheduler takes part" if self.addresses else "the scheduler has no place"
            self.notify(f"{which}: waiting until one joins")

    def receive(self, arrival: "Arrival") -> Iterator[Event]:
        """Take an arrived description (ticket 0) or result of a lease. Raises ClusterLost."""
        held = self.held.get(arrival.place)
        if arrival.ticket == 0 and arrival.place in self.asking:
            yield from self.welcome(arrival.place, arrival)
        elif held is not None and held.ticket == arrival.ticket:
            if arrival.task is held.delivery:
                yield from self.delivered(arrival.place, held)
            elif arrival.task is held.call:
                yield from self.hear(arrival.place, held, arrival.at)
            elif arrival.task is held.task:
                yield from self.take(arrival.place, held, arrival)

    def hear(self, place: str, held: Held, at: int) -> Iterator[Event]:
        """Take what a place has answered while its lease runs; without an answer it is asked again."""
        call, held.call = held.call, None
        if call is None or call.cancelled() or call.exception() is not None or not (sent := call.result()):
            return
        try:
            if held.call_of == "give_up":
                turns = given_turns(sent, held.lease.without(held.taken))
                held.lease = held.lease.without(turns)
                yield GivenUp(place, held.ticket, turns)
                return
            found = returned(sent)
            self.check_times(place, Exchange(held.sent, at, found.began, found.ended))
            new = tuple({part.contender: None for part in found.parts})
            result = received(within(held.lease, new, held.taken), found, self.settings)
        except (BadResult, PlaceFailed, NotWanted, Lacking) as e:
            yield from self.fail(place, str(e))
        else:
            held.taken += new
            self.count(place, 0, result)
            yield BatchesDone(place, held.ticket, self.with_logs(result))

    def delivered(self, place: str, held: Held) -> Iterator[Event]:
        """Begin a lease whose contents have arrived; drop a place that did not take them."""
        error = held.delivery.exception() if held.delivery and not held.delivery.cancelled() else None
        if error is None:
            self.begin(place, held)
        elif isinstance(error, OSError):
            yield from self.drop(place, f"what its lease needs could not be sent: {error}".partition("\n")[0])
        else:
            raise error

    def welcome(self, place: str, arrival: "Arrival") -> Iterator[Event]:
        """Let a place join if its fingerprint is ours, else report the differences."""
        try:
            found = introduced(result_of(arrival, MOST_DESCRIBED))
        except Ended:
            yield from self.drop(place, "it ended before it joined")
            return
        except BadResult as e:  # of a place with another version
            found = str(e)
        question = self.asking.pop(place)
        del self.ended[seat_of(place)]
        if isinstance(found, str):
            yield self.refused(place, found)
            return
        exchange = Exchange(question.sent, arrival.at, found.began, found.ended)
        if why := exchange.faulty or difference(self.here, found.fingerprint):
            yield self.refused(place, why)
        elif found.place is not None:
            self.join(place, found.place, Skew.of(exchange))
            yield Joined(place)

    def refused(self, place: str, why: str) -> PlaceRefused:
        """Tell a place why it can't take part."""
        from harness.running.engines import dask_place

        self.tally.refusals.append(f"{place}: {why}")
        self.told[place] = self.submit(place, dask_place.hear_refusal, encode(TOLD, Told(why)))
        return PlaceRefused(place, why)

    def join(self, place: str, facts: Place, skew: Skew) -> None:
        """Take note of a place that takes part, and of its clock."""
        self.described[place] = replace(facts, host={**facts.host, CLOCK: str(skew)})
        self.skews[place] = skew
        self.waiting = False
        if skew.large:
            self.notify(f"{place}: its clock is {skew}")

    def take(self, place: str, held: Held, arrival: "Arrival") -> Iterator[Event]:
        """Take the result of the lease of a place; a place that fails every time gets no further lease."""
        try:
            sent = returned(result_of(arrival, held.most))
            self.check_times(place, Exchange(held.sent, arrival.at, sent.began, sent.ended))
            result = received(held.lease, sent, self.settings)
            states = open_states(sent, len(self.contenders))
        except Ended:
            yield from self.drop(place, "its process or its connection has ended")
        except Lacking:
            self.deliver(place, held)
        except NotWanted:
            yield from self.expel(place, "it was stopped", fault=False)
        except (PlaceFailed, BadResult) as e:
            yield from self.fail(place, str(e))
        else:
            self.forget(place)
            del self.failed[seat_of(place)]
            self.states[place] = states
            self.doubt(place, result)
            result = rest_of(result, held.taken)
            self.count(place, 1, result)
            yield Finished(place, held.ticket, self.with_logs(result))

    def with_logs(self, result: LeaseResult) -> LeaseResult:
        """Keep what the programs of a result have printed."""
        return replace(result, outcomes=tuple(map(self.keep, result.outcomes))) if self.keep else result

    def fail(self, place: str, why: str) -> Iterator[Event]:
        """Drop a place that failed; give one that fails every time no further lease."""
        self.failed[seat_of(place)] += 1
        last = self.failed[seat_of(place)] == TRIES
        yield from (self.expel if last else self.drop)(place, why)

    def check_times(self, place: str, exchange: Exchange) -> None:
        """Compare begin and end of a lease with the client's clock. Raises BadResult."""
        if why := exchange.faulty or self.skews[place].faulty(exchange):
            raise BadResult(f"malformed result: its times: {why}")
        self.skews[place] = self.skews[place].and_then(exchange)

    def doubt(self, place: str, result: LeaseResult) -> None:
        """Note once that outcomes of a place took much less time than a lease, unless its workers were started."""
        last, self.last[place] = self.last.get(place), result.lease
        if last is None or last.repeat != result.lease.repeat or self.settings.proof or place in self.suspected:
            return
        if why := unexplained(result):
            self.suspected.add(place)
            self.notify(f"{place}: {why}")

    def expel(self, place: str, why: str, fault: bool = True) -> Iterator[Event]:
        """Give a place no further lease; it stays with the scheduler, for other runs."""
        self.dismiss(place)
        del self.failed[seat_of(place)]
        yield Left(place, why, fault)

    def drop(self, place: str, why: str) -> Iterator[Event]:
        """Remove a place that failed, is silent or is gone from the scheduler; it may come back under another name."""
        stopped = self.connection.ask(remove_place, address=self.addresses[place], place=place)
        yield from self.left(place, why, stopped)

    def left(self, place: str, why: str, stopped: bool = False) -> Iterator[Event]:
        """Forget a place. Raises BadUsage if no place has joined and several processes of places have ended."""
        del self.addresses[place]
        if place in self.asking and not stopped:
            yield from self.ended_early(place)
        self.release(place)
        if self.described.pop(place, None) is not None:
            yield Left(place, "it was stopped" if stopped else why, not stopped)

    def ended_early(self, place: str) -> Iterator[Event]:
        """Record a process that ended before it joined; refuse its seat after several. Raises BadUsage."""
        self.ended[seat_of(place)] += 1
        if self.ended[seat_of(place)] < TRIES:
            return
        programs = ", ".join(c.name for c in self.contenders if program_of(c.backend))
        why = f"it ended {TRIES} times before it joined" + (f": --version of {programs} may end it" if programs else "")
        if not (self.described or self.states):
            raise BadUsage(f"{place}: {why}")
        yield PlaceRefused(place, why)

    def release(self, place: str) -> None:
        """Release all tasks at a place; its workers then end."""
        held = self.forget(place)
        tasks = [held.task if held else None, self.runs.pop(place, None), *self.asked_of(place)]
        self.connection.cancel([task for task in tasks if task is not None])

    def forget(self, place: str) -> Held | None:
        """Forget the lease of a place, and return it."""
        held = self.held.pop(place, None)
        if held is not None:
            for call in (held.delivery, held.call):
                if call is not None:
                    call.cancel()
            for content in held.contents:
                content.discard()
            self.connection.largest = max((each.most for each in self.held.values()), default=MOST_DESCRIBED)
        return held

    def asked_of(self, place: str) -> list["Future"]:
        """Forget the question to a place, and return its task."""
        question = self.asking.pop(place, None)
        return [] if question is None else [question.task]

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
        self.note_joined()
        self.connection.close(self.release_all)
        shutil.rmtree(self.packer.outbox.folder, ignore_errors=True)
        return []

    def release_all(self) -> None:
        """Release all tasks at all places. Raises ClusterLost."""
        for place in list(self.addresses):
            self.release(place)
