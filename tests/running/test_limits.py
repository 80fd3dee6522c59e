"""The time limit counts asks alone, to a tenth of a second; what a worker does around them has seconds."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from harness.model.settings import RunSettings
from harness.running.workers import cpu_limit, limits, running_threads, shared_memory
from harness.running.workers.descendants import Usage
from harness.running.workers.limits import START_S, BatchWatch, OpeningWatch
from harness.running.workers.running_threads import running
from harness.running.workers.shared_memory import AGAIN, DONE, FIRST, PAUSED, SINCE, SharedBatch, create_file
from harness.running.workers.worker_process import WorkerProcess
from tests.attacks.planting import wait_for

LIMIT = 0.5
PUZZLES = 3
RUNNING = {"first": {FIRST: 0}, "third": {FIRST: 2, DONE: 2}, "warm-up": {FIRST: 0, DONE: 1, AGAIN: 1}}
NONE_RUNS = {"begun": {FIRST: 0, DONE: 1}, "last": {FIRST: 2, DONE: 3}}


class Watched:
    """A watch over a batch that was sent now, with the progress of its worker and a clock that is set by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, reads_file: bool = False) -> None:
        self.shared = SharedBatch(create_file())
        self.shared.map_batch(PUZZLES, 4, 1, 1, np.uint16)
        named = SimpleNamespace(
            shared=self.shared, cpu=lambda: 0.0, usage=Usage, reads_file=reads_file, prints_late=False, group=None
        )
        child = cast(WorkerProcess, named)
        self.watch = BatchWatch(child, RunSettings(LIMIT, memory=0), PUZZLES)
        self.monkeypatch = monkeypatch

    def progress(self, numbers: dict[int, int]) -> None:
        """Let an ask begin now, with these numbers beside."""
        for at, number in ({SINCE: time.monotonic_ns()} | numbers).items():
            self.shared.progress[at] = number

    def overdue(self, seconds: float) -> bool:
        """Return True if the worker is ended so long after the batch was sent."""
        with self.at(seconds):
            return self.watch.breach() is not None

    def due(self, seconds: float) -> float:
        """Return after how many seconds the next look is due, if one is taken after so many."""
        with self.at(seconds):
            return self.watch.due - self.watch.sent

    @contextmanager
    def at(self, seconds: float) -> Iterator[None]:
        """Set the parent's clock to so long after the batch was sent."""
        now = self.watch.sent + seconds
        clock = SimpleNamespace(monotonic=lambda: now, monotonic_ns=lambda: int(now * 1e9))
        with self.monkeypatch.context() as patch:
            for module in (limits, cpu_limit, shared_memory):
                patch.setattr(module, "time", clock)
            yield


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Watched:
    return Watched(monkeypatch)


@pytest.mark.parametrize("state", RUNNING)
def test_an_ask_is_overdue_a_tenth_of_a_second_after_its_limit(watched: Watched, state: str) -> None:
    watched.watch.sent = time.monotonic()
    watched.progress(RUNNING[state])
    begun = watched.shared.progress[SINCE] / 1e9 - watched.watch.sent
    assert not watched.overdue(begun + LIMIT + 0.09)
    assert watched.overdue(begun + LIMIT + 0.11)
    assert watched.due(begun) == pytest.approx(begun + LIMIT + 0.1, abs=1e-6)


@pytest.mark.parametrize("state", NONE_RUNS)
def test_a_worker_that_is_stopped_between_two_asks_is_not_out_of_time(watched: Watched, state: str) -> None:
    watched.progress(NONE_RUNS[state])
    assert not watched.overdue(LIMIT + 1)
    assert watched.overdue(START_S + LIMIT + 1)


def test_a_worker_that_begins_late_is_not_out_of_time_and_its_ask_is_looked_at_in_time(watched: Watched) -> None:
    assert not watched.overdue(LIMIT + 1)
    assert watched.overdue(START_S + LIMIT + 1)
    assert watched.due(2.0) == pytest.approx(2.0 + LIMIT + 0.1)


def test_no_progress_puts_off_the_end_for_ever(watched: Watched) -> None:
    watched.shared.progress[:] = 1 << 62
    assert not watched.overdue(4.0)
    assert watched.overdue(8 * (LIMIT + 0.1) + START_S)


def test_an_opening_that_was_sent_with_its_batch_has_its_own_limit_until_the_first_ask(watched: Watched) -> None:
    settings = RunSettings(LIMIT, memory=0, opening=10.0)
    child, used = watched.watch.child, iter([0.0, 5.0, 11.0])
    vars(child).update(cpu=lambda: next(used))
    watch = watched.watch = BatchWatch(child, settings, PUZZLES, OpeningWatch(child, settings))
    assert watched.due(1.0) == pytest.approx(1.0 + LIMIT + 0.1), "an ask may begin now"
    assert not watched.overdue(LIMIT + START_S + 1)
    with watched.at(10.5):
        assert watch.breach() is None, "5 s of CPU time"
    with watched.at(30.0):
        breach = watch.breach()
    assert breach is not None
    assert "not open after 10 s of CPU time" in breach.text


def test_asks_after_an_opening_have_their_limit_from_their_own_begin(watched: Watched) -> None:
    child = watched.watch.child
    watched.watch = BatchWatch(child, watched.watch.settings, PUZZLES, OpeningWatch(child, RunSettings()))
    watched.watch.sent -= 8.0
    watched.progress(RUNNING["first"])
    assert not watched.overdue(8.0 + LIMIT)
    assert watched.overdue(8.0 + LIMIT + 0.2)
    assert watched.watch.opening is None


@pytest.mark.parametrize("reads_file", [False, True])
def test_only_work_on_the_file_of_a_program_puts_the_limit_off_and_up_to_that_of_openings(
    monkeypatch: pytest.MonkeyPatch, reads_file: bool
) -> None:
    watched = Watched(monkeypatch, reads_file)
    watched.progress({FIRST: 0, PAUSED: 1})
    opening = watched.watch.settings.opening
    assert watched.overdue(LIMIT + opening / 2) != reads_file
    assert watched.overdue(LIMIT + opening + 1)
    watched.shared.progress[PAUSED] = 0
    assert watched.overdue(LIMIT + 1)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(("worker", "several"), [(0, 0), (2, 1)])
def test_a_worker_that_is_awake_beside_its_program_is_not_several_threads(
    worker: int, several: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = Watched(monkeypatch)
    watched.progress(RUNNING["first"])
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        group = [child.pid for child in busy]
        assert wait_for(lambda: running(group) == 2)
        vars(watched.watch.child).update(pid=0, worker_pid=[*group, 0][worker], cpus=(0,))
        monkeypatch.setattr(limits, "descendants", lambda pid: group)
        watched.watch.look(time.monotonic())
    finally:
        for child in busy:
            with child:
                child.kill()
    assert (watched.watch.looks, watched.watch.parallel) == (1, several)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_thread_that_only_wakes_now_and_then_is_not_one_that_solves(monkeypatch: pytest.MonkeyPatch) -> None:
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        group = [child.pid for child in busy]
        assert wait_for(lambda: running(group) == 2)
        ran = dict(zip(map(str, group), (1_000_000_000, 6_000_000), strict=True))
        monkeypatch.setattr(running_threads, "scheduled_ns", lambda thread: (ran[thread], 0))
        assert running(group) == 1
    finally:
        for child in busy:
            with child:
                child.kill()
