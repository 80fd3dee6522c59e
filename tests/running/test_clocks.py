"""Waiting for a core accuses no worker of false times; working longer than it says does, however it works."""

import os
import signal
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from backends.descendants import scheduled_ns
from harness.model.clocks import Clocks, Scheduled
from harness.model.contender import resolve
from harness.model.host import cores
from harness.model.lease import Block, Lease
from harness.model.settings import RunSettings
from harness.running import place
from harness.running.dealer import run_leases
from harness.running.engines import local
from harness.running.place import MAX_LATE_S, wait
from harness.running.workers.worker_pool import WorkerPool
from harness.running.workers.worker_process import WorkerProcess
from puzzles.columns import pack
from puzzles.families import layout
from puzzles.guarding import LINUX

MS = 1_000_000
PUZZLES = 12  # in one batch: 30 ms for each are above the tolerance of 152 ms
needs_linux = pytest.mark.skipif(not LINUX, reason="reads /proc")


def clocks_of(contender: str) -> Clocks:
    """Return the clocks of a contender after a batch on a core."""
    board = layout("sudoku 2x2")
    block = Block(1, board, np.arange(1, PUZZLES + 1), pack(board, [board.open] * PUZZLES))
    settings = RunSettings(limit=100, warmup=0)
    with local.LocalPlaces(resolve([contender])[0], settings, cores()[:1]) as places:
        (result,) = run_leases(places, iter([Lease(block, 0, (0,))]))
        assert result.outcomes[0].rows["found"].tolist() == [1] * PUZZLES
        return places.opened()[0].clocks


@needs_linux
@pytest.mark.parametrize("lie", ["frozen", "noted", "burning", "crowded"])
def test_a_lie_is_found_however_the_time_was_spent(plugins: None, lie: str) -> None:
    clocks = clocks_of(f"forging:{lie}")
    assert (clocks.batches, clocks.puzzles) == (1, PUZZLES)
    assert not clocks.agree, clocks


def test_time_in_which_a_worker_waits_for_a_core_accuses_nobody(plugins: None, monkeypatch: pytest.MonkeyPatch) -> None:
    busy = iter([Scheduled(5, 0), Scheduled(2_000 * MS, 0)])
    monkeypatch.setattr(WorkerProcess, "scheduled", lambda self: next(busy))
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
    if scheduled_ns("thread-self") == (0, 0):
        pytest.skip("this kernel counts nothing")
    while not all(min(scheduled_ns(pid)) > MS for pid in crowded):
        time.sleep(0.001)
    assert scheduled_ns(0) == (0, 0), "no such process"


@pytest.fixture
def pool() -> WorkerPool:
    """A pool without workers, in a process whose clocks are set by hand."""
    pool = SimpleNamespace(waited=0, children={}, settings=RunSettings(), reap_idle=int, due=lambda: 1e18)
    return cast(WorkerPool, pool)


def waited(monkeypatch: pytest.MonkeyPatch, pool: WorkerPool, slept: int, queued: int) -> int:
    """Return what counts as waiting if a wait of a second takes so many ms, and the parent's core some of them."""
    now, delay = iter([0, slept * MS]), iter([(0, 0), (0, queued * MS)])
    clock = SimpleNamespace(monotonic=time.monotonic, monotonic_ns=lambda: next(now))
    poll = SimpleNamespace(poll=lambda timeout: None)
    with monkeypatch.context() as patch:
        patch.setattr(place, "time", clock)
        patch.setattr(place, "scheduled_ns", lambda thread: next(delay))
        patch.setattr(place, "select", SimpleNamespace(POLLIN=1, poll=lambda: poll))
        wait([pool], longest=1.0)
    return pool.waited // MS


def test_a_parent_that_waits_for_its_core_or_is_suspended_does_not_wait_for_a_worker(
    monkeypatch: pytest.MonkeyPatch, pool: WorkerPool
) -> None:
    late = int(MAX_LATE_S * 1000)
    assert waited(monkeypatch, pool, 400, 0) == 400
    assert waited(monkeypatch, pool, 500, 300) == 600
    assert waited(monkeypatch, pool, 1_000 + late + 1, 0) == 600, "suspended"
    assert waited(monkeypatch, pool, 3_000, 2_500) == 1_100
    assert waited(monkeypatch, pool, 10, 11) == 1_100
