"""Worker pool: more contenders than workers run in turns."""

from typing import ClassVar

import numpy as np
import pytest

from harness.model.contender import resolve
from harness.model.lease import Block, Lease
from harness.model.outcome import Batch
from harness.model.settings import RunSettings
from harness.running import place
from harness.running.blocks import MAX_WORKERS, Pace
from harness.running.dealer import run_leases
from harness.running.engines import local
from harness.running.workers.worker_pool import WorkerPool
from harness.running.workers.worker_process import WorkerProcess
from puzzles.boards.families import layout
from puzzles.problem.columns import pack


class RecordingPool(WorkerPool):
    """Worker pool that records its number of workers at each batch."""

    seen: ClassVar[list[int]] = []

    def send(self, child: WorkerProcess, batch: Batch) -> None:
        super().send(child, batch)
        self.seen.append(len(self.children))


def test_more_contenders_than_workers_run_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "worker_capacity", lambda: 2)
    monkeypatch.setattr(place, "WorkerPool", RecordingPool)
    contenders = [c for name in ("python", "norvig", "bitset") for c in resolve([f"native:{name}"])[0]]
    board = layout("sudoku 2x2")
    order = (0, 1, 2, 0, 2, 1)
    block = Block(1, board, np.array([1]), pack(board, [board.open]))
    with local.LocalPlaces(contenders, RunSettings()) as places:
        found = [batch for result in run_leases(places, iter([Lease(block, 0, order)])) for batch in result.outcomes]
    assert [outcomes.batch.contender for outcomes in found] == list(order)
    assert all(outcomes.rows["found"].tolist() == [1] for outcomes in found)
    assert RecordingPool.seen == [2, 2, 2, 2, 2, 2]


def test_blocks_are_large_if_each_turn_opens_a_worker() -> None:
    assert (Pace(160, MAX_WORKERS).largest, Pace(160, MAX_WORKERS).size) == (10, 1)
    assert Pace(160, MAX_WORKERS + 1).size == 160
