"""Dealer: gives leases to places, takes back the leases of lost places, and cuts leases that take places down.

The dealer depends on no kind of engine: an `Engine` has places, carries leases to them, and reports events.

    lost once   the lease is run again whole, before all others, at the next free place
    lost twice  it is cut into pieces of one instance and one contender, which run in order, at one place while it lives
    then        a lost piece has a crash as its outcome: it took its place down

Batches of a long lease are committed as they are complete (`BatchesDone`); if its place is lost, only the others run
again.

A result counts if its place still has the lease. Any other result is refused and counted.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Protocol

import numpy as np

from backends.contract.answer import Reason
from harness.model.lease import PART, Lease, LeaseResult, Place
from harness.model.outcome import ROW, Batch, Outcomes, unknown_row, without_solutions
from harness.running.blocks import LeaseSize
from harness.running.workers.run_context import Notify, OpenState, ignore

WHOLE_TRIES = 2  # losses of a whole lease before it is cut


@dataclass(frozen=True)
class Joined:
    """A place is ready for leases."""

    place: str


@dataclass(frozen=True)
class Left:
    """A place is lost, with its lease; `fault`: the lease may be the cause."""

    place: str
    why: str
    fault: bool = True


@dataclass(frozen=True)
class Finished:
    """A place has run the lease that it was given under this ticket; the place of the result is not set yet."""

    place: str
    ticket: int
    result: LeaseResult


@dataclass(frozen=True)
class BatchesDone:
    """A place has completed some batches of the lease of this ticket; `result` has only these batches."""

    place: str
    ticket: int
    result: LeaseResult


@dataclass(frozen=True)
class PlaceRefused:
    """A place can't take part in the run; it never joins."""

    place: str
    why: str


Event = Joined | Left | Finished | BatchesDone | PlaceRefused


class Engine(Protocol):
    """Places, by names that are never used twice.

    lease_size  the size of lease that it wants         events    wait for events, for seconds at most
    facts       a place as the journal stores it        dismiss   end a place, which leaves without an event
    assign      begin a lease at an idle place          close     end all places; partial results of running leases
    opened      reports of the workers of each contender
    """

    lease_size: LeaseSize

    def facts(self, place: str) -> Place: ...
    def assign(self, place: str, ticket: int, lease: Lease) -> None: ...
    def events(self) -> Iterator[Event]: ...
    def dismiss(self, place: str) -> None: ...
    def opened(self) -> list[OpenState]: ...
    def close(self) -> list[Finished]: ...


@dataclass(eq=False)
class Task:
    """Lease to be completed, or what remains of one: its batches that are not committed yet.

    Once it is cut: its remaining pieces, in order, and the results of finished pieces.
    """

    lease: Lease
    losses: int = 0
    pieces: deque[Lease] = field(default_factory=deque)
    results: list[LeaseResult] = field(default_factory=list)

    def next(self) -> Lease:
        """Return the lease or piece that a place is to run now."""
        return self.pieces[0] if self.pieces else self.lease

    def finish(self, result: LeaseResult) -> bool:
        """Add the result of a place; return True if the lease is complete."""
        self.results.append(result)
        if self.pieces:
            self.pieces.popleft()
        return not self.pieces

    def lose(self, place: int, why: str) -> bool:
        """Record the loss of the place; return True if that completes the lease."""
        self.losses += 1
        if self.pieces:
            now = time.time_ns()
            outcomes = tuple(crashed(batch, f"took its place down: {why}") for batch in self.pieces[0].batches())
            return self.finish(LeaseResult(self.pieces[0], place, now, now, outcomes))
        if not self.lease.contenders:  # all are committed
            now = time.time_ns()
            return self.finish(LeaseResult(self.lease, place, now, now, ()))
        if self.losses == WHOLE_TRIES:
            self.pieces.extend(self.lease.pieces())
        return False

    def complete(self) -> list[LeaseResult]:
        """Return the results of a complete lease, one for each place that ran a part of it."""
        if len(self.results) == 1:
            return self.results
        return [self.joined([r for r in self.results if r.place == p]) for p in sorted({r.place for r in self.results})]

    def joined(self, results: Sequence[LeaseResult]) -> LeaseResult:
        """Return the results of one place as a single result."""
        outcomes = tuple(some for result in results for some in result.outcomes)
        samples = tuple(sample for result in results for sample in result.samples)
        began, ended = min(r.began for r in results), max(r.ended for r in results)
        return LeaseResult(self.lease, results[0].place, began, ended, outcomes, samples=samples)


def crashed(batch: Batch, why: str) -> Outcomes:
    """Return crashes as the outcomes of a batch that was lost with its place."""
    rows = np.array([unknown_row(Reason.CRASH, 0, -1)] * len(batch.puzzles), dtype=ROW)
    return without_solutions(batch, rows, dict.fromkeys(range(len(rows)), why))


def first_place(place: str) -> int | str:
    """Admit a place under number 1."""
    return 1


class Dealer:
    """Leases, and the places of an engine that run them.

    `admit` returns the number under which the journal knows a place that has joined, or the reason to refuse it.
    `notify` receives notes on places.
    """

    def __init__(
        self,
        engine: Engine,
        leases: Iterator[Lease],
        admit: Callable[[str], int | str] = first_place,
        notify: Notify = ignore,
    ) -> None:
        self.engine, self.leases, self.admit, self.notify = engine, leases, admit, notify
        self.numbers: dict[str, int] = {}  # numbers of admitted places
        self.idle: deque[str] = deque()
        self.running: dict[str, tuple[int, Task]] = {}  # ticket and task by place
        self.again: deque[Task] = deque()
        self.tickets = count(1)
        self.late = 0
        self.refused: list[str] = []

    def run(self) -> Iterator[list[LeaseResult]]:
        """Run all leases; yield the results of each complete lease, one for each place that ran a part of it."""
        while self.running or self.more():
            self.give()
            for event in self.engine.events():
                yield from self.handle(event)

    def handle(self, event: Event) -> Iterator[list[LeaseResult]]:
        """React to an event; yield the results of a lease that it completes."""
        match event:
            case Joined(place):
                self.join(place)
            case PlaceRefused(place, why):
                self.refuse(place, why)
            case Left(place, why, fault):
                yield from self.lose(place, why, fault)
            case Finished(place, ticket, result):
                yield from self.finish(place, ticket, result)
            case BatchesDone(place, ticket, result):
                yield from self.keep(place, ticket, result)

    def give(self) -> None:
        """Give leases to idle places."""
        for place in list(self.idle):
            if self.more():
                self.idle.remove(place)
                self.start(place, self.again.popleft())

    def more(self) -> bool:
        """Return True if there is a lease to run; prepare it as the first of `again`."""
        if not self.again and (lease := next(self.leases, None)) is not None:
            self.again.append(Task(lease))
        return bool(self.again)

    def keep(self, place: str, ticket: int, result: LeaseResult) -> Iterator[list[LeaseResult]]:
        """Yield batches that a place has completed if the lease is still its own, and take them out of the lease."""
        given, task = self.running.get(place, (0, None))
        if task is not None and ticket == given:
            task.lease = task.lease.without(result.lease.contenders)
            yield [replace(result, place=self.numbers[place], whole=PART)]

    def start(self, place: str, task: Task) -> None:
        """Begin a lease, or its next piece, at a place."""
        ticket = next(self.tickets)
        self.running[place] = ticket, task
        self.engine.assign(place, ticket, task.next())

    def join(self, place: str) -> None:
        """Admit a place, or dismiss it."""
        admitted = self.admit(place)
        if isinstance(admitted, str):
            self.engine.dismiss(place)
            self.refuse(place, admitted)
        else:
            self.numbers[place] = admitted
            self.idle.append(place)

    def refuse(self, place: str, why: str) -> None:
        """Record that a place can't take part."""
        self.refused.append(f"{place}: {why}")
        self.notify(f"{place} refused: {why}")

    def lose(self, place: str, why: str, fault: bool) -> Iterator[list[LeaseResult]]:
        """Take back the lease of a lost place; yield its results if the loss completes it."""
        number = self.numbers.pop(place, None)
        if number is None:
            return
        self.notify(f"{place}: lost: {why}")
        if place not in self.running:
            self.idle.remove(place)
            return
        _, task = self.running.pop(place)
        if (fault or not task.lease.contenders) and task.lose(number, why):
            yield task.complete()
        else:
            self.again.append(task)

    def finish(self, place: str, ticket: int, result: LeaseResult) -> Iterator[list[LeaseResult]]:
        """Take a result if the place has its lease, else count it as late; yield the results of a complete lease."""
        given, task = self.running.get(place, (0, None))
        if task is None or ticket != given:
            self.late += 1
            return
        if not task.finish(replace(result, place=self.numbers[place])):
            self.start(place, task)
            return
        del self.running[place]
        self.idle.append(place)
        yield task.complete()

    def close(self) -> list[LeaseResult]:
        """End all places; return the partial results of whole leases that were running."""
        parts = []
        for event in self.engine.close():
            ticket, task = self.running.get(event.place, (0, None))
            if task is not None and ticket == event.ticket and not task.results:
                parts.append(replace(event.result, lease=task.lease, place=self.numbers[event.place]))
        return parts
