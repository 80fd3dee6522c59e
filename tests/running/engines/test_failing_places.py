"""Places that only fail: they are given up after five times, and a run without a place says that it waits."""

import concurrent.futures
import re
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, NoReturn

import pytest

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
pytest.importorskip("cryptography", reason="the extra `cluster` is not installed")

import distributed

from harness.model.contender import Contender
from harness.model.errors import BadUsage, ClusterLost
from harness.model.lease import Lease, Place
from harness.model.settings import Cluster, RunSettings
from harness.running.dealer import Dealer
from harness.running.engines import connection, dask, messages, scheduler_calls
from harness.running.engines.layout import decode, encode
from harness.running.engines.messages import Described, LeaseReply
from tests.journals import HOST, contender
from tests.running.fake_places import SECOND, leases, solved


def described() -> bytes:
    """Return what a place says of itself."""
    now = time.time_ns()
    place = Place(dict(HOST), None, {"python": "3"})
    return encode(messages.DESCRIBED, Described(place=place, began=now, ended=now))


class Future:
    """A task that is done, with its value or its error, or one of a process that has ended."""

    def __init__(self, made: object) -> None:
        self.status, self.made = "finished", made

    def result(self, timeout: float) -> object:
        """Return the value."""
        if isinstance(self.made, Exception):
            raise self.made
        return self.made

    def add_done_callback(self, function: Callable[["Future"], object]) -> None:
        """Call the function, if the task is ever done."""
        if self.made is not ENDS:
            function(self)


ENDS = object()


class Scheduler:
    """Scheduler and places by seat; a place that ends, or is removed, is followed by another process on its seat.

    `describes` and `runs` have by seat what a place does: return something, an error or ENDS. After `looks` looks at
    the places, the scheduler does not answer, which ends a run.
    """

    status = "running"

    def __init__(self, *seats: str, looks: int = 400) -> None:
        self.numbers, self.looks = count(1), looks
        self.places: dict[str, str] = {}
        self.describes: dict[str, Callable[[], object]] = {}
        self.runs: dict[str, Callable[[bytes], object]] = {}
        self.removed: list[str] = []
        self.stopped: list[str] = []
        for seat in seats:
            self.join(seat)

    def join(self, seat: str) -> None:
        """Start a process on a seat."""
        number = next(self.numbers)
        self.places[f"tcp://{number}"] = f"place-{seat}-{number}"

    def end(self, address: str) -> None:
        """End a process; another takes over."""
        self.join(scheduler_calls.seat_of(self.places.pop(address)).removeprefix("place-"))

    def run_on_scheduler(self, function: Callable[..., object], **parameters: str) -> object:
        """Answer what the run asks the scheduler."""
        if function is scheduler_calls.identity_of:
            return "scheduler"
        if function is scheduler_calls.remove_place:
            self.removed.append(self.places[parameters["address"]])
            self.end(parameters["address"])
            return "scheduler", False
        self.looks -= 1
        if self.looks < 0:
            raise OSError
        return "scheduler", ({name: (address, 0.0) for address, name in self.places.items()}, self.stopped)

    def submit(self, function: Callable[..., object], *args: Any, workers: list[str], **_: object) -> Future:
        """Call a function at a place."""
        seat = scheduler_calls.seat_of(self.places[workers[0]]).removeprefix("place-")
        if function.__name__ == "open_run":
            return Future(None)
        if function.__name__ == "hear_refusal":
            return Future(b"")
        if function.__name__ == "describe":
            made = self.describes.get(seat, described)()
        else:
            made = self.runs.get(seat, returned)(args[1])
        if made is ENDS:
            self.end(workers[0])
        return Future(made)

    def cancel(self, tasks: object, force: bool) -> None:
        """Tasks here are done at once."""

    def close(self, timeout: float) -> None:
        """Nothing is open."""


def unpacked(sent: bytes) -> Lease:
    """Return the lease that a client has sent."""
    data = decode(messages.SENT, sent).lease
    assert isinstance(data, bytes)
    return decode(messages.LEASE, data).unpacked(Path(), undelivered)


def sent_by(task: Future) -> concurrent.futures.Future[object]:
    """Return what a place sends of a task."""
    sent: concurrent.futures.Future[object] = concurrent.futures.Future()
    if isinstance(task.made, Exception):
        sent.set_exception(task.made)
    else:
        sent.set_result(task.made)
    return sent


def undelivered(_: object) -> NoReturn:
    """Return no content: small leases have none."""
    raise AssertionError


def answered(answer: LeaseReply) -> bytes:
    """Return what a place sends."""
    return encode(messages.ANSWER, answer)


def full(_: bytes) -> bytes:
    """Return what a place sends whose disk is full."""
    return answered(LeaseReply(failed="OSError: No space left on device"))


def returned(sent: bytes) -> bytes:
    """Return what a place that works sends."""
    now = time.time_ns()
    result = replace(solved(unpacked(sent)), began=now, ended=now + 10_000)
    return answered(LeaseReply(result))


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Run leases on a scheduler; return the notes. Raises what ends the run."""
    monkeypatch.setattr(connection, "begin_fetch", lambda _, __, task: sent_by(task))
    for name, value in {"reachable": lambda *_: "", "fingerprint": lambda *_: {}, "LOOK_S": 0.0}.items():
        monkeypatch.setattr(dask, name, value)

    def run(scheduler: Scheduler, sizes: list[int], *contenders: Contender) -> list[str]:
        monkeypatch.setattr(distributed, "Client", lambda *_, **__: scheduler)
        notes: list[str] = []
        contenders = contenders or (contender("native:python"),)
        engine = dask.DaskPlaces(Cluster("s.json"), contenders, RunSettings(), notes.append)
        dealer = Dealer(engine, iter(leases(sizes, len(contenders))), notify=notes.append)
        try:
            list(dealer.run())
        except ClusterLost as e:
            notes.append(str(e))
        finally:
            engine.close()
        return [note for note in notes if " joined: " not in note]

    return run


def test_a_place_whose_leases_only_fail_gets_no_other_after_five(run: Callable[..., list[str]]) -> None:
    scheduler = Scheduler("full-0")
    scheduler.runs["full-0"] = full
    assert run(scheduler, [1, 1]) == [
        *(f"place-full-0-{n}: lost: OSError: No space left on device" for n in range(1, 6)),
        "no place of the scheduler takes part: waiting until one joins",
        "the scheduler does not answer",
    ]
    assert scheduler.removed == [f"place-full-0-{n}" for n in range(1, 5)]  # the fifth stays, for other runs


def test_a_result_begins_the_count_of_failures_anew(run: Callable[..., list[str]]) -> None:
    scheduler, attempts = Scheduler("weak-0"), count(1)
    again = answered(LeaseReply(failed="OSError: again"))
    scheduler.runs["weak-0"] = lambda sent: again if next(attempts) % 3 else returned(sent)
    assert run(scheduler, [1, 1, 1]) == [f"place-weak-0-{n}: lost: OSError: again" for n in range(1, 7)]


def test_a_lease_of_1970_is_refused(run: Callable[..., list[str]]) -> None:
    scheduler = Scheduler("old-0")
    scheduler.runs["old-0"] = lambda sent: answered(LeaseReply(solved(unpacked(sent))))
    notes = run(scheduler, [1])
    assert re.fullmatch(
        r"place-old-0-1: lost: malformed result: its times: it ran [0-9,.]+ s before it was sent here", notes[0]
    )


def test_a_clock_that_is_wrong_is_told_and_its_leases_are_taken(run: Callable[..., list[str]]) -> None:
    scheduler, ahead = Scheduler("ahead-0"), 3600 * SECOND
    place = Described(place=Place(dict(HOST), None, {"python": "3"}))

    def describe() -> bytes:
        now = time.time_ns() + ahead
        return encode(messages.DESCRIBED, replace(place, began=now, ended=now))

    def lease(sent: bytes) -> bytes:
        result, now = solved(unpacked(sent)), time.time_ns() + ahead
        return answered(LeaseReply(replace(result, began=now, ended=now + 10_000)))

    scheduler.describes["ahead-0"], scheduler.runs["ahead-0"] = describe, lease
    (note,) = run(scheduler, [1, 1])
    assert re.fullmatch(
        r"place-ahead-0-1: its clock is 3[56]\d\d\.\d+ s ahead of the client's, to within 0\.\d+ s", note
    )


def test_a_place_that_ends_whenever_it_is_asked_for_versions_ends_the_run(run: Callable[..., list[str]]) -> None:
    scheduler = Scheduler("mortal-0")
    scheduler.describes["mortal-0"] = lambda: ENDS
    message = "^place-mortal-0-5: it ended 5 times before it joined: --version of lines:kills may end it$"
    with pytest.raises(BadUsage, match=message):
        run(scheduler, [1], contender("native:python"), contender("lines:kills"))


def test_a_run_that_has_places_goes_on_without_one_that_only_ends(run: Callable[..., list[str]]) -> None:
    scheduler = Scheduler("good-0", "mortal-0")
    scheduler.describes["mortal-0"] = lambda: ENDS
    notes = run(scheduler, [1] * 60)
    assert notes == ["place-mortal-0-6 refused: it ended 5 times before it joined"]
    assert len(scheduler.places) == 2
    assert not scheduler.removed
