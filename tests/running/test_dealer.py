"""The dealer: every outcome is committed once, whatever places do."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from backends.contract.answer import Reason
from harness.model.lease import PART, WHOLE, LeaseResult
from harness.running.dealer import BatchesDone, Dealer, Event, Finished, Left, PlaceRefused, Task
from harness.running.engines.packing import received
from tests.effort import examples
from tests.running.fake_places import FakePlaces, leases, solved

FORGED = 1 << 20  # mark of outcomes that must not be stored
SIZES, CONTENDERS, REPEATS = [2, 1, 3], 3, 2
EVERY = {(i, c, r) for i in range(1, 1 + sum(SIZES)) for c in range(CONTENDERS) for r in range(REPEATS)}


class Committed:
    """Model of the journal: outcomes by instance, contender and repeat, and what they were counted by."""

    def __init__(self) -> None:
        self.outcomes: dict[tuple[int, int, int], tuple[int, int, str]] = {}  # place, mark, note
        self.leases: Counter[tuple[int, int]] = Counter()  # whole ones, by block and repeat

    def commit(self, results: Sequence[LeaseResult]) -> None:
        """Store the results of a lease, of which the journal holds nothing yet."""
        assert len({result.place for result in results}) == len(results)
        for result in results:
            lease = result.lease
            assert result.began <= result.ended
            for some in result.outcomes:
                for i, row in zip(some.batch.puzzles.tolist(), some.rows, strict=True):
                    at = i, some.batch.contender, some.batch.repeat
                    assert at not in self.outcomes
                    crash = some.details[0] if row["reason"] == Reason.CRASH else ""
                    self.outcomes[at] = result.place, int(row["decisions"]), crash
        lease, whole = results[0].lease, results[0].whole == WHOLE
        assert {result.whole for result in results} == {WHOLE if whole else PART}
        self.leases[lease.block.number, lease.repeat] += whole
        contenders = range(CONTENDERS) if whole else lease.contenders
        expected = {(i, c, lease.repeat) for i in lease.block.puzzles.tolist() for c in contenders}
        assert expected <= self.outcomes.keys()


class Cluster(RuleBasedStateMachine):
    """Places that join, leave, answer, and answer wrongly, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.engine, self.journal = FakePlaces(), Committed()
        self.admitted: list[str] = []
        self.dealer = Dealer(self.engine, iter(leases(SIZES, CONTENDERS, REPEATS)), self.admit)
        self.answered: list[Finished] = []
        self.wanted: set[int] = set()  # tickets of results that were to be accepted
        self.losses: Counter[int] = Counter()  # by task
        self.tasks: dict[int, Task] = {}
        self.late = 0

    def admit(self, place: str) -> int | str:
        """Refuse every fifth place."""
        if int(place.removeprefix("place-")) % 5 == 0:
            return "the fifth"
        self.admitted.append(place)
        return len(self.admitted)

    def take(self, event: Event) -> None:
        """Let the dealer react to an event, and commit what is complete."""
        if isinstance(event, Left) and event.fault and event.place in self.dealer.running:
            task = self.dealer.running[event.place][1]
            self.tasks[id(task)] = task
            self.losses[id(task)] += bool(task.lease.contenders)
        for results in self.dealer.handle(event):
            self.journal.commit(results)
        if self.dealer.more():
            self.dealer.give()

    def late_result(self, event: Finished) -> None:
        """Bring a result that nobody wants."""
        self.late += 1
        self.take(replace(event, result=marked(event.result, FORGED)))

    @rule()
    def join(self) -> None:
        """A place joins."""
        self.take(self.engine.join())

    @rule(which=st.integers(0, 99))
    def leave(self, which: int) -> None:
        """A place is lost, with its lease or without."""
        if living := sorted(self.engine.living):
            self.take(self.engine.leave(living[which % len(living)]))

    @rule(which=st.integers(0, 99))
    def stop(self, which: int) -> None:
        """A place is stopped in good order, which nothing counts."""
        if living := sorted(self.engine.living):
            self.take(replace(self.engine.leave(living[which % len(living)]), fault=False))

    @rule(which=st.integers(0, 99))
    def stranger_leaves(self, which: int) -> None:
        """A place that has not joined, or is lost already, is lost; another can't take part."""
        gone = {f"place-{n}" for n in range(self.engine.names + 1)} - self.engine.living
        self.take(Left(sorted(gone)[which % len(gone)], "lost"))
        self.take(PlaceRefused("stranger", "its version"))

    def busy(self) -> list[str]:
        """Return the places that have a lease."""
        return sorted(self.engine.held)

    @precondition(lambda self: self.busy())
    @rule(which=st.integers(0, 99))
    def answer(self, which: int) -> None:
        """A place returns what it should."""
        place = self.busy()[which % len(self.busy())]
        event = self.engine.finish(place)
        assert isinstance(event, Finished)
        self.wanted.add(event.ticket)
        self.answered.append(event)
        self.take(event)

    @precondition(lambda self: self.several())
    @rule(which=st.integers(0, 99), batches=st.integers(1, CONTENDERS))
    def go_on(self, which: int, batches: int) -> None:
        """A place has completed batches of its lease, and goes on with the others."""
        place = self.several()[which % len(self.several())]
        event = self.engine.progress(place, min(batches, len(self.engine.held[place][1].contenders)))
        assert isinstance(event, BatchesDone)
        self.wanted.add(event.ticket)
        self.take(event)

    def several(self) -> list[str]:
        """Return the places that have a lease of several batches."""
        return [place for place in self.busy() if len(self.engine.held[place][1].contenders) > 1]

    @precondition(lambda self: self.answered)
    @rule(which=st.integers(0, 99))
    def answer_again(self, which: int) -> None:
        """A result arrives a second time."""
        self.late_result(self.answered[which % len(self.answered)])

    @precondition(lambda self: self.engine.given)
    @rule(which=st.integers(0, 99), to=st.integers(0, 99))
    def answer_for_another(self, which: int, to: int) -> None:
        """A result comes under the ticket of another place, or from a place that no longer has the lease."""
        _, ticket, lease = self.engine.given[which % len(self.engine.given)]
        name = f"place-{to % (self.engine.names + 2)}"
        if self.engine.held.get(name, (0,))[0] != ticket:
            self.late_result(Finished(name, ticket, received(lease, solved(lease))))

    @invariant()
    def nothing_else_is_committed(self) -> None:
        """Outcomes are those of wanted results, or crashes of pieces, with their own place."""
        for at, (place, mark, crash) in self.journal.outcomes.items():
            assert at in EVERY
            assert 0 < place <= len(self.admitted)
            assert crash.startswith("took its place down: ") if crash else mark in self.wanted
        assert self.dealer.late == self.late
        assert not {p for p in self.engine.held if int(p.removeprefix("place-")) % 5 == 0}

    @invariant()
    def only_what_was_lost_three_times_is_a_crash(self) -> None:
        """A crash follows two losses of the whole lease."""
        allowed = Counter[tuple[int, int]]()
        for number, times in self.losses.items():
            lease = self.tasks[number].lease
            allowed[lease.block.number, lease.repeat] += max(0, times - 2)
        crashes = [at for at, (*_, crash) in self.journal.outcomes.items() if crash]
        assert Counter((block_of(at[0]), at[2]) for at in crashes) <= allowed

    def teardown(self) -> None:
        """With places that live, the run ends, and everything is committed."""
        for place in self.busy():
            self.wanted.add(self.engine.held[place][0])
        for results in self.dealer.run():
            self.wanted |= {ticket for _, ticket, _ in self.engine.given}
            self.journal.commit(results)
            self.nothing_else_is_committed()
        assert self.journal.outcomes.keys() == EVERY
        assert list(self.journal.leases.values()) == [1] * len(SIZES) * REPEATS
        crashed = sum(bool(crash) for *_, crash in self.journal.outcomes.values())
        assert crashed == sum(max(0, times - 2) for times in self.losses.values())


def block_of(instance: int) -> int:
    """Return the number of the block of an instance."""
    return int(np.searchsorted(np.cumsum(SIZES), instance)) + 1


def marked(result: LeaseResult, mark: int) -> LeaseResult:
    """Return the result with a mark in all its rows."""
    outcomes = tuple(replace(some, rows=some.rows.copy()) for some in result.outcomes)
    for some in outcomes:
        some.rows["decisions"] = mark
    return replace(result, outcomes=outcomes)


Cluster.TestCase.settings = settings(max_examples=examples(40), stateful_step_count=40)
TestCluster = Cluster.TestCase


class Script(FakePlaces):
    """Engine that reports the given events, one list at a time, each of which has happened before the first is told."""

    def __init__(self, *steps: str) -> None:
        super().__init__()
        self.steps = iter(steps)

    def events(self) -> Iterator[Event]:
        """Do the next step: words `join`, `finish`, `leave` and `stop`, the last three of the oldest busy place."""
        yield from [self.do(word) for word in next(self.steps).split()]

    def do(self, word: str) -> Event:
        """Let a place do something."""
        if word == "join":
            return self.join()
        place = min(self.held or self.living)
        return self.finish(place) if word == "finish" else replace(self.leave(place), fault=word == "leave")


def run(engine: FakePlaces, sizes: list[int], contenders: int = CONTENDERS) -> tuple[list[list[LeaseResult]], Dealer]:
    """Return the results of all leases, and their dealer."""
    dealer = Dealer(engine, iter(leases(sizes, contenders)), lambda place: int(place.removeprefix("place-")))
    return list(dealer.run()), dealer


def test_a_run_ends_although_its_only_place_is_lost_with_its_last_result() -> None:
    results, _ = run(Script("join", "finish leave"), [1])
    assert len(results) == 1


def test_a_run_without_leases_waits_for_no_place() -> None:
    assert run(Script(), [])[0] == []


def test_a_lost_lease_is_run_again_whole_before_others() -> None:
    engine = Script("join", "leave join", "finish", "finish")
    results, _ = run(engine, [2, 1])
    assert [lease.block.number for _, _, lease in engine.given] == [1, 1, 2]
    assert [result.place for (result,) in results] == [2, 2]


def test_a_place_that_is_lost_at_the_same_time_gets_no_lease() -> None:
    engine = Script("join join", "leave leave join", "finish")
    results, _ = run(engine, [1])
    assert [place for place, _, _ in engine.given] == ["place-1", "place-3"]
    assert [result.place for (result,) in results] == [3]


def test_places_that_are_stopped_in_good_order_neither_cut_a_lease_nor_make_it_a_crash() -> None:
    engine = Script("join", *["stop join"] * 4, "finish")
    ((result,),), _ = run(engine, [2])
    assert result.place == 5
    assert {reason for some in result.outcomes for reason in some.rows["reason"].tolist()} == {Reason.NONE}


def test_a_lease_that_is_lost_twice_is_cut_and_the_piece_that_kills_is_a_crash() -> None:
    engine = Script("join", "leave join", "leave join", "finish", "leave join", "finish", "finish")
    (results,), _ = run(engine, [2], 2)
    assert [result.place for result in results] == [3, 4]
    lost = [some for result in results for some in result.outcomes if some.rows["reason"][0] == Reason.CRASH]
    assert [(some.batch.puzzles.tolist(), some.details) for some in lost] == [([2], {0: "took its place down: lost"})]
    assert all(result.lease.block.puzzles.tolist() == [1, 2] for result in results)


def test_what_a_closed_run_has_belongs_to_its_whole_lease() -> None:
    engine = Script("join", "leave join", "leave join")
    dealer = Dealer(engine, iter(leases([2], CONTENDERS)))
    with pytest.raises(RuntimeError):  # the script is at its end
        next(dealer.run())
    (part,) = dealer.close()
    assert part.lease.block.puzzles.tolist() == [1, 2]
    assert not part.whole


def test_a_refused_place_is_told_once_and_the_run_goes_on_with_others() -> None:
    notes: list[str] = []
    engine = Script("join join", "finish")
    dealer = Dealer(
        engine, iter(leases([1], CONTENDERS)), lambda p: "its version" if p == "place-1" else 1, notes.append
    )
    assert len(list(dealer.run())) == 1
    assert notes == ["place-1 refused: its version"]
    assert dealer.refused == ["place-1: its version"]
    assert [place for place, _, _ in engine.given] == ["place-2"]


def test_a_lost_place_costs_only_the_batches_that_are_not_committed() -> None:
    engine = FakePlaces()
    (lease,) = leases([2], CONTENDERS)
    dealer = Dealer(engine, iter([lease]), lambda place: int(place.removeprefix("place-")))
    taken: list[list[LeaseResult]] = []
    steps: list[Callable[[], Event]] = [
        engine.join,
        lambda: engine.progress("place-1", 2),
        lambda: engine.leave("place-1"),
        engine.join,
        lambda: engine.finish("place-2"),
    ]
    for step in steps:
        taken += dealer.handle(step())
        if dealer.more():
            dealer.give()
    assert [(r.place, r.whole, r.lease.contenders) for (r,) in taken] == [
        (1, PART, lease.contenders[:2]),
        (2, WHOLE, lease.contenders[2:]),
    ]


def test_a_place_that_is_lost_with_all_batches_committed_costs_nothing() -> None:
    engine = FakePlaces()
    dealer = Dealer(engine, iter(leases([2], CONTENDERS)))
    dealer.join(engine.join().place)
    dealer.give()
    assert [r.whole for (r,) in dealer.handle(engine.progress("place-1", CONTENDERS))] == [PART]
    ((last,),) = dealer.handle(replace(engine.leave("place-1"), fault=False))
    assert (last.whole, last.outcomes) == (WHOLE, ())
    assert not dealer.more()
