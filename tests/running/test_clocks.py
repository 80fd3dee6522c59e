"""Waiting for a core accuses no worker of false times; working longer than it says does, however it works."""

import os
import select
import signal
import time
from collections.abc import Iterator
from dataclasses import asdict
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from harness.model.contender import resolve
from harness.model.host import cores
from harness.model.lease import Block, Lease
from harness.model.observing import presence
from harness.model.observing.clocks import Clocks, Scheduled
from harness.model.observing.observed import Observed
from harness.model.observing.presence import MAX_GAP_NS, MAX_LATE_NS, OwnQueue, Presence, scheduled_ns
from harness.model.settings import RunSettings
from harness.reporting.frame.advice import harm_warnings
from harness.running.engines import local
from harness.running.place import wait
from harness.running.workers.run_context import OpenState
from harness.running.workers.worker_pool import WorkerPool
from harness.running.workers.worker_process import WorkerProcess
from puzzles.boards.families import layout
from puzzles.problem.columns import pack
from puzzles.processes.guarding import LINUX
from tests.effort import slow_after
from tests.running.leasing import run_leases

pytestmark = pytest.mark.usefixtures("forked")

MS = 1_000_000
PUZZLES = 12  # in one batch: 30 ms for each are above the tolerance of 152 ms
needs_linux = pytest.mark.skipif(not LINUX, reason="reads /proc")


def opened(contender: str, batches: int = 1, warmup: int = 0) -> OpenState:
    """Return what was observed of a contender that was asked PUZZLES boards in some batches on a core."""
    board, n = layout("sudoku 2x2"), PUZZLES // batches
    blocks = [Block(k, board, np.arange(n * k, n * k + n) + 1, pack(board, [board.open] * n)) for k in range(batches)]
    settings = RunSettings(limit=100, warmup=warmup)
    with local.LocalPlaces(resolve([contender])[0], settings, [tuple(cores()[:1])]) as places:
        for result in run_leases(places, (Lease(block, 0, (0,)) for block in blocks)):
            assert result.outcomes[0].rows["found"].tolist() == [1] * n
        return places.opened()[0]


def clocks_of(contender: str) -> Clocks:
    """Return the clocks of a contender after a batch on a core."""
    return opened(contender).clocks


@needs_linux
@pytest.mark.parametrize("lie", slow_after(1, ["frozen", "noted", "burning", "crowded", "free"]))
def test_a_lie_is_found_however_the_time_was_spent(plugins: None, lie: str) -> None:
    clocks = clocks_of(f"forging:{lie}")
    assert (clocks.batches, clocks.puzzles) == (1, PUZZLES)
    assert not clocks.agree, clocks


@needs_linux
@pytest.mark.parametrize("lie", slow_after(1, ["frozen", "burning", "free"]))
def test_a_lie_is_found_if_each_instance_is_a_batch_like_a_file(plugins: None, lie: str) -> None:
    clocks = opened(f"forging:{lie}", batches=PUZZLES).clocks
    assert (clocks.batches, clocks.agree) == (PUZZLES, False), clocks


@pytest.mark.slow
@needs_linux
def test_what_a_worker_does_twice_accuses_nobody(plugins: None) -> None:
    for contender in ("forging:honest", "native:python"):
        state = opened(contender, batches=2, warmup=3)
        assert (state.clocks.batches, state.clocks.agree, state.observed.repeated) == (2, True, 1), state
        assert state.observed.recalled == 0, state


@needs_linux
def test_a_second_answer_that_comes_from_memory_is_named(plugins: None) -> None:
    seen = opened("forging:recalling", warmup=1).observed
    assert (seen.repeated, seen.recalled) == (1, 1)
    assert seen.first > 5 * seen.again
    (text,) = harm_warnings({Observed.key: {"x": asdict(seen)}})
    assert text.startswith("x took")
    assert text.endswith("run it with -w 0")
    assert opened("forging:recalling").observed.repeated == 0


def test_a_longer_first_ask_accuses_nobody_if_others_wanted_the_core() -> None:
    for wall, cpu, queued, recalled in ((90, 9, 89, 0), (90, 89, 90, 1), (90, 1, 0, 1), (90, 1, 60, 1), (6, 6, 0, 0)):
        seen, times = Observed(), (np.array([[wall, cpu, queued]]) * MS, np.array([3 * MS]), np.array([3 * MS]))
        seen.add_repeated(*times)
        assert seen.recalled == recalled, (wall, cpu, queued)


def test_a_journal_from_before_has_the_slack_of_its_time() -> None:
    assert Clocks(batches=10, puzzles=10, reported=MS, waited=500 * MS).agree
    assert Clocks(batches=10, puzzles=10, reported=MS, waited=500 * MS, slack=25 * MS).faults == ("waited",)
    names = ("batches", "puzzles", "reported", "waited", "spent", "counted", "room", "slack")
    for sums, faults in (
        ((1, 1, 60, 60, 40_000, 40_000, 60, 1), ("counted",)),
        ((1, 1, 40_000, 40_000, 0, 40_000, 40_000, 1), ("counted",)),
        ((1, 1, 40_000, 40_000, 80_000, 40_000, 40_000, 1), ("counted",)),
        ((1, 1, 40_000, 40_000, 39_000, 40_000, 40_000, 1), ()),
        ((1, 1, 40_000, 40_000, 150_000, 160_000, 160_000, 1), ()),
    ):
        found = Clocks(**dict(zip(names, [MS * n if k > 1 else n for k, n in enumerate(sums)], strict=True)))
        assert found.faults == faults, sums


def test_time_in_which_a_worker_waits_for_a_core_accuses_nobody(plugins: None, monkeypatch: pytest.MonkeyPatch) -> None:
    busy = iter([Scheduled(5, 0), Scheduled(2_000 * MS, 0)])
    monkeypatch.setattr(WorkerProcess, "scheduled", lambda self, usage: next(busy))
    clocks = clocks_of("forging:frozen")
    assert (clocks.batches, clocks.waited, clocks.agree) == (1, 0, True)


def test_only_waiting_for_others_is_excused() -> None:
    before = Scheduled(7 * MS, 3 * MS)
    after = Scheduled(1_007 * MS, 803 * MS)
    for reported, usable, excused in ((0, 1, 200), (100, 1, 300), (100, 4, 600), (800, 1, 1_000), (900, 1, 1_000)):
        assert after.excused(before, reported * MS, usable) == excused * MS, (reported, usable)
    assert Scheduled(0, 0).excused(Scheduled(5, 5), 0, 1) == 0, "a worker that has ended"
    assert Scheduled(10, 900).excused(Scheduled(0, 0), 0, 1) == 0, "it computed for longer than it waited"


def spinning(core: int) -> int:
    """Start a process that keeps a core busy."""
    pid = os.fork()
    if not pid:
        os.sched_setaffinity(0, {core})
        while True:
            pass
    return pid


@pytest.fixture
def crowded() -> Iterator[list[int]]:
    """Two processes on one core."""
    pids = [spinning(cores()[0]) for _ in range(2)]
    yield pids
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


@needs_linux
def test_the_kernel_counts_what_a_process_waits_for_its_core(crowded: list[int]) -> None:
    queue = OwnQueue()
    if scheduled_ns("thread-self") == (0, 0):
        pytest.skip("this kernel counts nothing")
    while not all(min(scheduled_ns(pid)) > MS for pid in crowded):
        time.sleep(0.001)
    assert scheduled_ns(0) == (0, 0), "no such process"
    before = scheduled_ns("thread-self")[1]
    assert before <= queue.ns() <= scheduled_ns("thread-self")[1]


class Clock:
    """Clocks of a parent, set by hand, and a poll that takes its time."""

    def __init__(self) -> None:
        self.now = self.computed = self.queued = 0
        self.slept, self.delay = 0, 0  # ms of the next poll, and for which its thread is in the queue for a core

    def monotonic_ns(self) -> int:
        return self.now

    def thread_time_ns(self) -> int:
        return self.computed

    def poll(self, timeout: float) -> None:
        self.now, self.queued = self.now + self.slept * MS, self.queued + self.delay * MS

    def work(self, ms: int, computed: int = 0, queued: int = 0) -> None:
        """Let time pass between two waits."""
        self.now, self.computed, self.queued = (
            self.now + ms * MS,
            self.computed + computed * MS,
            self.queued + queued * MS,
        )


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clocks of presence."""
    made = Clock()
    monkeypatch.setattr(presence, "time", made)
    monkeypatch.setattr(OwnQueue, "ns", lambda queue: made.queued)
    return made


def waited(here: Presence, clock: Clock, slept: int, queued: int) -> tuple[int, int]:
    """Return ms that count as waiting and as stopped, for a wait of a second that takes so many, some in the queue."""
    before, clock.slept, clock.delay = here.stopped, slept, queued
    return here.wait(cast(select.poll, clock), 1.0) // MS, (here.stopped - before) // MS


def test_a_parent_that_waits_for_its_core_or_is_stopped_does_not_wait_for_a_worker(clock: Clock) -> None:
    here, late = Presence(), MAX_LATE_NS // MS
    assert waited(here, clock, 400, 0) == (400, 0)
    assert waited(here, clock, 500, 300) == (200, 0)
    assert waited(here, clock, 1_000 + late, 0) == (1_000 + late, 0)
    assert waited(here, clock, 1_000 + late + 1, 0) == (0, late + 1)
    assert waited(here, clock, 3_000, 2_500) == (500, 0)
    assert waited(here, clock, 3_000, 500) == (0, 1_500)
    assert waited(here, clock, 10, 11) == (0, 0)


def test_time_between_waits_that_is_neither_work_nor_queue_was_a_stop(clock: Clock) -> None:
    here, gap = Presence(), MAX_GAP_NS // MS
    for ms, computed, queued, stopped in (
        (gap, 0, 0, 0),
        (gap + 1, 0, 0, gap + 1),
        (9_000, 9_000, 0, 0),
        (9_000, 0, 9_000, 0),
        (9_000, 4_000, 2_000, 3_000),
    ):
        before = here.stopped
        clock.work(ms, computed, queued)
        here.look()
        assert (here.stopped - before) // MS == stopped, (ms, computed, queued)


def test_a_wait_counts_for_all_places_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = SimpleNamespace(
        waited=5, workers=SimpleNamespace(children={}), settings=RunSettings(), reap_idle=int, due=lambda: 1e18
    )
    monkeypatch.setattr(presence.PRESENCE, "wait", lambda poll, seconds: 7)
    wait([cast(WorkerPool, pool)], longest=1.0)
    assert pool.waited == 12


def test_a_contender_that_was_hardly_checked_is_not_believed() -> None:
    clocks = Clocks(batches=9, puzzles=90, reported=MS, waited=MS)
    clocks.add_unchecked(10, 3_000 * MS)
    assert (clocks.unchecked, clocks.stopped, clocks.checked, clocks.agree) == (10, 3_000 * MS, True, True)
    clocks.add_unchecked(1, MS)
    assert not clocks.checked
