"""Workers of a lease start side by side and load their code before the first of them is asked."""

import os
import signal
import sys
from collections.abc import Sequence

import numpy as np
import pytest

from backends.contract.answer import Reason
from harness.model.contender import resolve
from harness.model.host import cores
from harness.model.lease import Block, Lease
from harness.model.outcome import Batch
from harness.model.settings import RunSettings
from harness.running.cores import Cpus
from harness.running.engines.local import LocalPlaces
from harness.running.workers import open_workers
from harness.running.workers.limits import Breach, OpeningWatch
from harness.running.workers.running_batch import RunningBatch
from harness.running.workers.worker_pool import WorkerPool
from harness.running.workers.worker_process import WorkerProcess
from puzzles.boards.families import layout
from puzzles.problem.columns import pack
from tests.running.leasing import run_leases

NAMES = ("native:python", "native:norvig", "native:bitset")
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux pins workers, and reads CPU times from /proc")


def places(at: Sequence[Cpus] = ((),)) -> LocalPlaces:
    return LocalPlaces(resolve(NAMES)[0], RunSettings(), at)


def numbers_found(engine: LocalPlaces) -> list[int]:
    """Solve an empty board with all contenders; return the numbers of solutions that they find."""
    board = layout("sudoku 2x2")
    block = Block(1, board, np.array([1]), pack(board, [board.open]))
    with engine:
        results = list(run_leases(engine, iter([Lease(block, 0, (0, 1, 2))])))
    return [int(outcomes.rows["found"][0]) for result in results for outcomes in result.outcomes]


class Impatient(OpeningWatch):
    """A watch for which loading has taken too long at once."""

    def breach(self) -> Breach | None:
        return Breach(Reason.TIMEOUT, "too long") if self.child.problem is None else super().breach()


@pytest.mark.slow
def test_all_workers_have_started_and_loaded_before_the_first_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, start = list[tuple[int, int]](), WorkerPool.start

    def recording(pool: WorkerPool, batch: Batch) -> RunningBatch | None:
        seen.append((len(pool.workers.children), len(pool.workers.loading)))
        return start(pool, batch)

    monkeypatch.setattr(WorkerPool, "start", recording)
    assert numbers_found(places()) == [1, 1, 1]
    assert seen == [(3, 0)] * 3


@pytest.mark.slow
def test_a_worker_that_dies_while_it_loads_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WorkerProcess, "load", lambda child, core: os.kill(child.pid, signal.SIGKILL))
    assert numbers_found(places()) == [1, 1, 1]


@pytest.mark.slow
def test_a_worker_that_answers_loading_with_something_else_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WorkerProcess, "load", lambda child, core: child.send_command({"do": "open"}))
    assert numbers_found(places()) == [1, 1, 1]


@pytest.mark.slow
@linux
def test_a_worker_that_never_ends_loading_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WorkerProcess, "load", lambda child, core: True)
    monkeypatch.setattr(open_workers, "OpeningWatch", Impatient)
    assert numbers_found(places()) == [1, 1, 1]


@pytest.mark.slow
@linux
def test_a_worker_that_never_ends_loading_is_named_and_waited_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, notes, board = list[str](), list[str](), layout("sudoku 2x2")
    monkeypatch.setattr(WorkerProcess, "load", lambda child, core: asked.append(child.contender.name))
    blocks = [Block(n, board, np.array([n]), pack(board, [board.open])) for n in (1, 2)]
    with LocalPlaces(resolve(NAMES[:1])[0], RunSettings(opening=1), ((),), notes.append) as engine:
        results = list(run_leases(engine, iter([Lease(block, repeat, (0,)) for repeat in (0, 1) for block in blocks])))
    assert [int(outcomes.rows["found"][0]) for result in results for outcomes in result.outcomes] == [1] * 4
    assert len(asked) == 1, "not once for each lease, of which a repeat has a new worker"
    (note,) = notes
    assert note.startswith("native:python: not open after ")
    assert note.endswith("it is opened once more")


@pytest.mark.slow
@linux
def test_workers_load_on_any_core_and_solve_on_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    core, send, seen = cores()[-1], WorkerPool.send, list[set[int]]()

    def recording(pool: WorkerPool, run: RunningBatch) -> None:
        seen.append(os.sched_getaffinity(run.child.worker_pid))
        send(pool, run)

    monkeypatch.setattr(WorkerPool, "send", recording)
    alone = places(((core,),))
    assert alone.runners["job 1"].pool.workers.load_cpus == ()
    assert numbers_found(alone) == [1, 1, 1]
    assert seen == [{core}] * 3


def test_workers_of_several_places_load_on_their_own_cores() -> None:
    with places(((0,), (1,))) as engine:
        assert [runner.pool.workers.load_cpus for runner in engine.runners.values()] == [(0,), (1,)]
