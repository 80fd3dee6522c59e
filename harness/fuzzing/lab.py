"""Workers that stay open between questions: what fuzzing and shrinking ask through, under the engine's limits.

A sheet is a batch, so its boards are asked in one session. A new Layout object opens a new session.
"""

import secrets
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Self

import numpy as np

from backends.answer import Reason
from harness.contender import Contender
from harness.keeper import Keeper
from harness.outcome import Batch, Outcomes
from harness.slot import OPENINGS, Limits, Opened, Slot
from harness.supervisor import wait
from puzzles.columns import pack
from puzzles.layout import Domains, Layout

TIRED = 2  # timeouts of a contender on one sheet, after which the rest of it is not asked


class Lab:
    """A worker for each contender, in `jobs` slots; close it, or use it in a with statement."""

    def __init__(self, contenders: Sequence[Contender], limits: Limits, jobs: int = 1) -> None:
        self.contenders, self.jobs = contenders, jobs
        self.opened = [Opened() for _ in contenders]
        self.keeper = Keeper(secrets.token_hex(8))
        self.slots = [Slot(contenders, limits, self.opened, self.keeper) for _ in range(jobs)]

    def solve(self, batches: Iterable[Batch], limits: Limits) -> list[Outcomes]:
        """What comes of these batches. An opening that fails is not tried again."""
        for slot in self.slots:
            slot.limits = limits
        for batch in batches:
            self.opened[batch.contender].failures.setdefault(batch.layout, OPENINGS - 1)
            self.slots[batch.contender % self.jobs].waiting.append(batch)
        outcomes: list[Outcomes] = []
        while any(slot.busy() for slot in self.slots):
            before = len(outcomes)
            for slot in self.slots:
                for some in slot.advance():
                    outcomes.append(some)
                    self.spare(slot, outcomes)
            if len(outcomes) == before and any(slot.busy() for slot in self.slots):
                wait(self.slots)
        return outcomes

    def spare(self, slot: Slot, outcomes: list[Outcomes]) -> None:
        """Ask no more of a sheet whose contender ran out of time on it TIRED times."""
        last = outcomes[-1].batch
        mine = [o for o in outcomes if o.batch.contender == last.contender and o.batch.layout is last.layout]
        if sum(int((o.rows["reason"] == Reason.TIMEOUT).sum()) for o in mine) >= TIRED:
            rest = [b for b in slot.waiting if b.contender != last.contender or b.layout is not last.layout]
            slot.waiting.clear()
            slot.waiting.extend(rest)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        for slot in self.slots:
            slot.close()
        self.keeper.close()


def batch(contender: int, layout: Layout, boards: Sequence[Domains], first: int = 1) -> Batch:
    """Boards of a layout for one contender, numbered from `first`, all of them at once where it takes several."""
    ids = np.arange(first, first + len(boards), dtype=np.int64)
    return Batch(contender, 0, layout, ids, pack(layout, boards), len(boards))
