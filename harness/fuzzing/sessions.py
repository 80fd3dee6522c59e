"""Workers that stay open between questions: what fuzzing and shrinking ask through, under the engine's settings.

A sheet is a batch, so its boards are asked in one session, which goes on where the next sheet is of the same problem.
"""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Self

import numpy as np

from backends.answer import Reason
from harness.model.contender import Contender
from harness.model.outcome import Batch, Outcomes
from harness.model.settings import RunSettings
from harness.running.reaper import Reaper
from harness.running.supervisor import wait
from harness.running.worker_pool import MAX_OPEN_FAILURES, OpenState, WorkerPool
from harness.running.worker_process import WorkerProcess
from puzzles.columns import pack
from puzzles.problem import Domains, Problem

TIRED = 2  # workers that a contender loses on one sheet, after which the rest of it is not asked
SPARED = "not asked"


class ThriftyPool(WorkerPool):
    """A slot that asks no more of a sheet that cost its contender TIRED workers: each takes long to replace."""

    lost: tuple[Batch, int]

    def start(self, batch: Batch) -> bool:
        last, lost = getattr(self, "lost", (batch, 0))
        if last.contender != batch.contender or last.problem != batch.problem:
            lost = 0
        self.lost = (batch, lost)
        return lost < TIRED and super().start(batch)

    def handle_exit(self, child: WorkerProcess, batch: Batch, by_itself: bool) -> Iterator[Outcomes]:
        self.lost = (batch, self.lost[1] + 1)
        return super().handle_exit(child, batch, by_itself)

    def unopened_outcomes(self, batch: Batch, text: str, reason: Reason = Reason.ERROR) -> Outcomes:
        outcomes = super().unopened_outcomes(batch, text, reason)
        return replace(outcomes, details={0: SPARED}) if self.lost[1] >= TIRED else outcomes


class Sessions:
    """A worker for each contender, in `jobs` slots; close it, or use it in a with statement."""

    def __init__(self, contenders: Sequence[Contender], settings: RunSettings, jobs: int = 1) -> None:
        self.contenders, self.jobs = contenders, jobs
        self.opened = [OpenState() for _ in contenders]
        self.reaper = Reaper(secrets.token_hex(8))
        self.slots = [ThriftyPool(contenders, settings, self.opened, self.reaper) for _ in range(jobs)]

    def solve(self, batches: Iterable[Batch], settings: RunSettings) -> list[Outcomes]:
        """What comes of these batches. An opening that fails is not tried again."""
        for slot in self.slots:
            slot.settings = settings
        for batch in batches:
            self.opened[batch.contender].failures.setdefault(batch.problem, MAX_OPEN_FAILURES - 1)
            self.slots[batch.contender % self.jobs].waiting.append(batch)
        outcomes: list[Outcomes] = []
        while any(slot.busy() for slot in self.slots):
            came = [some for slot in self.slots for some in slot.advance()]
            outcomes += [some for some in came if not some.details.get(0, "").endswith(SPARED)]
            if not came and any(slot.busy() for slot in self.slots):
                wait(self.slots)
        return outcomes

    def renew(self) -> None:
        """Have the next batch of every contender open a new session, whatever was opened, or failed to, before."""
        for opened in self.opened:
            opened.failures.clear()
            opened.last.clear()
        for slot in self.slots:
            for child in slot.children.values():
                child.problem = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        for slot in self.slots:
            slot.close()
        self.reaper.close()


def batch(contender: int, problem: Problem, boards: Sequence[Domains], first: int = 1) -> Batch:
    """Instances of a problem for one contender, numbered from `first`, all of them at once where it takes several."""
    ids = np.arange(first, first + len(boards), dtype=np.int64)
    return Batch(contender, 0, problem, ids, pack(problem, boards), len(boards))
