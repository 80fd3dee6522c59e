"""Workers that stay open between batches, for fuzzing and shrinking, with the limits of the runner.

A block is a batch, so its boards are asked in one session; the next block continues the session if it has the same
problem.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from backends.contract.answer import Reason
from harness.model.contender import Contender
from harness.model.outcome import Batch, Outcomes
from harness.model.settings import RunSettings
from harness.running.environment import temporary_folder
from harness.running.place import wait
from harness.running.reaper import Reaper
from harness.running.workers.limits import Breach
from harness.running.workers.run_context import OpenState, RunContext
from harness.running.workers.running_batch import RunningBatch
from harness.running.workers.worker_pool import MAX_OPEN_FAILURES, WorkerPool
from puzzles.closing import Closing
from puzzles.problem import Problem
from puzzles.problem.columns import pack
from puzzles.problem.values import Domains

MAX_LOST_WORKERS = 2  # workers of a contender that one block may cost; the rest of the block is then skipped
NOT_ASKED = "not asked"


class ThriftyPool(WorkerPool):
    """Pool that skips the rest of a block after MAX_LOST_WORKERS workers: replacing them is slow."""

    lost: tuple[Batch, int]

    def start(self, batch: Batch) -> RunningBatch | None:
        last, lost = getattr(self, "lost", (batch, 0))
        if last.contender != batch.contender or last.problem != batch.problem:
            lost = 0
        self.lost = (batch, lost)
        return super().start(batch) if lost < MAX_LOST_WORKERS else None

    def handle_exit(self, run: RunningBatch, breach: Breach | None) -> Iterator[Outcomes]:
        self.lost = (run.batch, self.lost[1] + 1)
        return super().handle_exit(run, breach)

    def unopened_outcomes(self, batch: Batch, text: str, reason: Reason = Reason.ERROR) -> Outcomes:
        outcomes = super().unopened_outcomes(batch, text, reason)
        return replace(outcomes, details={0: NOT_ASKED}) if self.lost[1] >= MAX_LOST_WORKERS else outcomes


class Sessions(Closing):
    """Context manager with one worker per contender, spread over `jobs` pools that work in parallel.

    `programs` are the commands of --program by name.
    """

    def __init__(self, contenders: Sequence[Contender], settings: RunSettings, jobs: int = 1) -> None:
        self.contenders, self.jobs, self.programs = contenders, jobs, settings.programs
        self.opened = [OpenState() for _ in contenders]
        self.reaper = Reaper(temporary_folder())
        context = RunContext(contenders, settings, self.opened, self.reaper)
        self.pools = [ThriftyPool(context) for _ in range(jobs)]

    def solve(self, batches: Iterable[Batch], settings: RunSettings) -> list[Outcomes]:
        """Solve the batches and return their outcomes. A failed opening of a session is not retried."""
        for pool in self.pools:
            pool.context, pool.settings = replace(pool.context, settings=settings), settings
        for batch in batches:
            self.opened[batch.contender].failures.setdefault(batch.problem.digest, MAX_OPEN_FAILURES - 1)
            self.pools[batch.contender % self.jobs].waiting.append(batch)
        outcomes: list[Outcomes] = []
        while any(pool.busy() for pool in self.pools):
            new = [o for pool in self.pools for o in pool.advance()]
            outcomes += [o for o in new if not o.details.get(0, "").endswith(NOT_ASKED)]
            if not new and any(pool.busy() for pool in self.pools):
                wait(self.pools)
        return outcomes

    def renew(self) -> None:
        """Let the next batch of every contender open a new session, and forget failed openings."""
        for opened in self.opened:
            opened.failures.clear()
            opened.last.clear()
        for pool in self.pools:
            for child in pool.workers.children.values():
                child.problem = None

    def close(self) -> None:
        """End all processes."""
        for pool in self.pools:
            pool.close()
        self.reaper.close()


def batch(contender: int, problem: Problem, boards: Sequence[Domains], first: int = 1) -> Batch:
    """Return a batch of instances, numbered from `first`, asked all at once if the backend supports that."""
    ids = np.arange(first, first + len(boards), dtype=np.int64)
    return Batch(contender, 0, problem, ids, pack(problem, boards), len(boards))
