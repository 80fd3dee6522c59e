"""Reports of a search for the best solution: what the parent reads of them, whenever the worker ends."""

import time
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.model.trajectory import StepKind
from harness.running.workers import following
from harness.running.workers.following import SLACK_NS, Follower, MistimedReport
from harness.running.workers.reports import NUMBER, Report, SharedListener, Slots, digits_of
from harness.running.workers.shared_memory import SharedBatch, create_file
from puzzles.constraints.clauses import Clauses
from puzzles.objectives.linear import LinearObjective
from puzzles.problem import Problem, boolean_instance
from puzzles.problem.columns import pack

HUGE = 10**30
WEIGHTS = {0: 4, 1: 2, 2: 1}  # so the value of a solution is its bits as a number


def problem(weights: dict[int, int] = WEIGHTS, count: int = 3) -> Problem:
    """Return three Boolean variables of which one is true, with an objective."""
    clause = Clauses.of([tuple(range(1, count + 1))])
    return boolean_instance("three", count, clause, LinearObjective.of(weights)).problem


def shared(of: Problem, n: int = 1) -> SharedBatch:
    batch = SharedBatch(create_file())
    batch.map_batch(n, len(of.variables), 1, 1, np.uint16, digits_of(of))
    return batch


class Pair:
    """A worker's listener, and the follower of its parent."""

    def __init__(self, of: Problem, limit: float = float("inf"), n: int = 1) -> None:
        self.problem, self.batch, self.told = of, shared(of, n), 0
        self.follower = Follower(of, pack(of, [of.open] * n), limit, self.batch.reports)
        self.began = time.monotonic_ns()

    def listener(self, run: int = 1, position: int = 0) -> SharedListener:
        return SharedListener(self.batch.reports, run, position, 3, lambda: self.began, self.tell)

    def tell(self) -> None:
        self.told += 1


def bits(value: int) -> tuple[int, ...]:
    return (value >> 2 & 1, value >> 1 & 1, value & 1)


@given(st.integers(-HUGE, HUGE), st.lists(st.integers(0, 3), min_size=3, max_size=3))
def test_a_report_is_read_as_it_was_written(value: int, solution: list[int]) -> None:
    slots = shared(problem({0: HUGE, 1: -HUGE, 2: 1})).reports
    report = Report(7, 1, 0, 10, 5, value, tuple(solution))
    slots.write(0, report)
    assert slots.read(0, 6) == [report]
    assert slots.read(0, 7) == slots.read(2, 0) == []


def test_a_torn_report_leaves_the_one_before() -> None:
    slots = shared(problem()).reports
    for number in (1, 2):
        slots.write(0, Report(number, 1, 0, number, 0, number, bits(number)))
    slots.meta[1][NUMBER] = 3  # a kill came before the second number
    assert [report.number for report in slots.read(0, 0)] == [2]


def test_a_value_longer_than_any_is_stated_as_none_and_so_is_no_number() -> None:
    slots = shared(problem()).reports
    slots.write(0, Report(1, 1, 0, 1, 0, 10**500, bits(4)))
    assert slots.read(0, 0)[0].value is None
    slots.write(0, Report(2, 1, 0, 1, 0, 1 << 60_000, bits(4)))
    assert slots.read(0, 1)[0].value is None


def test_the_parent_is_told_once_until_it_looks() -> None:
    pair = Pair(problem())
    listener = pair.listener()
    for value in (7, 6, 5):
        listener.improved(value, bits(value))
    assert pair.told == 1
    pair.follower.look()
    listener.improved(4, bits(4))
    assert pair.told == 2


def test_improvements_that_are_overwritten_unread_are_counted_and_the_last_is_kept() -> None:
    pair = Pair(problem())
    for value in (7, 6, 5, 4):
        pair.listener().improved(value, bits(value))
    pair.follower.look()
    course = pair.follower.of(0)
    assert (course.dropped, course.value, course.best) == (2, 4, bits(4))
    assert [step.value for step in course.steps] == [5, 4]


def test_steps_improve_strictly_and_bounds_rise() -> None:
    pair = Pair(problem())
    listener = pair.listener()
    for value, bound in ((6, 1), (7, 0), (5, 3)):
        listener.improved(value, bits(value))
        listener.bounded(bound)
        pair.follower.look()
    found = pair.follower.of(0).trajectory()
    assert [step.value for step in found.of(StepKind.IMPROVED)] == [6, 5]
    assert [step.value for step in found.of(StepKind.BOUNDED)] == [1, 3]
    assert found.bound == 3


def test_the_first_false_improvement_is_kept_with_the_value_that_it_has() -> None:
    pair = Pair(problem())
    listener = pair.listener()
    for value, solution in ((3, bits(5)), (0, bits(0)), (4, bits(4))):
        listener.improved(value, solution)
        pair.follower.look()
    course = pair.follower.of(0)
    assert (course.faults, course.value) == (2, 4)
    (false,) = [step for step in course.steps if step.false]
    assert (false.value, false.stated) == (5, 3)


def test_an_improvement_after_the_limit_does_not_stand() -> None:
    pair = Pair(problem(), limit=1)
    pair.listener().improved(4, bits(4))
    pair.follower.look()
    assert pair.follower.of(0).best is None


def test_a_repeated_ask_has_a_course_of_its_own_and_the_one_before_is_kept_until_it_ends() -> None:
    pair = Pair(problem())
    for run, value in ((1, 4), (2, 5)):
        pair.listener(run).improved(value, bits(value))
        pair.follower.look()
    assert (pair.follower.of(0).value, pair.follower.of(0, repeated=True).value) == (5, 4)


def test_a_report_on_a_position_that_the_batch_lacks_is_ignored() -> None:
    pair = Pair(problem())
    pair.listener(position=5).improved(4, bits(4))
    pair.follower.look()
    assert pair.follower.trajectories == {}


@pytest.mark.parametrize("off", [-SLACK_NS["before"] - 10**7, SLACK_NS["after"] + 10**7])
def test_a_report_with_a_false_time_is_refused_and_remembered(off: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pair = Pair(problem())
    now = time.monotonic_ns()
    monkeypatch.setattr("harness.running.workers.reports.monotonic_ns", lambda: now + off)
    pair.follower.looked = now
    pair.listener().improved(4, bits(4))
    monkeypatch.setattr(following, "time", SimpleNamespace(monotonic_ns=lambda: now + 1))
    told = r"a report is stamped at least (0\.26\d s before|0\.0[23]\d s after) it was written"
    with pytest.raises(MistimedReport, match=told):
        pair.follower.look()
    assert list(pair.follower.mistimed) == [0]


def test_a_stamp_within_the_slack_is_moved_between_the_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = Pair(problem())
    now = time.monotonic_ns()
    pair.began = pair.follower.looked = now
    monkeypatch.setattr("harness.running.workers.reports.monotonic_ns", lambda: now - SLACK_NS["before"] // 2)
    pair.listener().improved(4, bits(4))
    pair.follower.look()
    assert [step.ns for step in pair.follower.of(0).steps] == [0]


def test_a_parent_that_is_held_between_its_look_and_its_reading_blames_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = Pair(problem())
    now = pair.began = time.monotonic_ns()
    late = now + 3 * SLACK_NS["after"]
    monkeypatch.setattr("harness.running.workers.reports.monotonic_ns", lambda: late)
    pair.listener().improved(4, bits(4))
    clock = iter((now, late + 1))
    monkeypatch.setattr(following, "time", SimpleNamespace(monotonic_ns=lambda: next(clock)))
    pair.follower.look()
    assert [step.ns for step in pair.follower.of(0).steps] == [late - now]
    assert pair.follower.looked == now


def test_slots_take_no_memory_without_an_objective() -> None:
    plain = boolean_instance("plain", 3, Clauses.of([(1, 2, 3)])).problem
    assert digits_of(plain) == 0
    with_goal, without = SharedBatch(create_file()), SharedBatch(create_file())
    with_goal.map_batch(1, 3, 1, 1, np.uint16, digits_of(problem()))
    without.map_batch(1, 3, 1, 1, np.uint16)
    assert isinstance(with_goal.reports, Slots)
    assert not hasattr(without, "reports")
