"""Worker pool: more contenders than workers run in turns."""

import io
import os
from typing import Any, ClassVar

import numpy as np
import pytest

from harness.model.contender import resolve
from harness.model.lease import Block, Lease
from harness.model.settings import RunSettings
from harness.running import place
from harness.running.blocks import MAX_WORKERS, Pace
from harness.running.engines import local
from harness.running.workers.inside.replying import ReplyPipe
from harness.running.workers.replies import Done, Failed, parse, readable
from harness.running.workers.running_batch import RunningBatch
from harness.running.workers.worker_pool import WorkerPool
from harness.running.workers.worker_process import WorkerProcess
from puzzles.boards.families import layout
from puzzles.problem.columns import pack
from puzzles.readers.cnf import read_cnf
from puzzles.readers.source import from_text
from tests.running.leasing import run_leases


class RecordingPool(WorkerPool):
    """Worker pool that records its number of workers at each batch."""

    seen: ClassVar[list[int]] = []

    def send(self, run: RunningBatch) -> None:
        super().send(run)
        self.seen.append(len(self.workers.children))


@pytest.mark.slow
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


def test_a_file_after_the_first_is_opened_and_asked_by_one_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent, send = list[str](), WorkerProcess.send_command

    def record(child: WorkerProcess, message: dict[str, Any]) -> bool:
        sent.append(message["do"] + "+batch" * bool(message.get("batch")))
        return send(child, message)

    monkeypatch.setattr(WorkerProcess, "send_command", record)
    contenders = resolve(["native:cdcl"])[0]
    problems = [read_cnf(io.BytesIO(f"p cnf {n} 1\n1 0\n".encode()), from_text("", f"{n}.cnf")) for n in (2, 3, 4)]
    blocks = [Block(i, p.problem, np.array([i]), pack(p.problem, [p.domains])) for i, p in enumerate(problems, 1)]
    with local.LocalPlaces(contenders, RunSettings(memory=0)) as places:
        results = list(run_leases(places, iter([Lease(block, 0, (0,)) for block in blocks])))
    assert [outcomes.rows["found"].tolist() for result in results for outcomes in result.outcomes] == [[1]] * 3
    assert sent == ["load", "open", "batch", "open+batch", "open+batch"]


def test_a_message_that_is_held_goes_with_the_next_in_one_write() -> None:
    read, write = os.pipe()
    replies = ReplyPipe(write)
    replies.hold(error="no luck", at=0)
    assert not readable(read)
    replies.send(done=1)
    replies.flush()
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        assert [parse(line) for line in pipe] == [Failed(0, "no luck"), Done(1)]


def test_blocks_are_large_if_each_turn_opens_a_worker() -> None:
    assert (Pace(160, MAX_WORKERS).largest, Pace(160, MAX_WORKERS).size) == (10, 1)
    assert Pace(160, MAX_WORKERS + 1).size == 160
