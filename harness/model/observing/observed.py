"""Sums of what a parent has observed of a contender's processes, beside its outcomes.

They are stored with the metadata of a run and tell tables and warnings the basis of memory figures, and whether a
contender could have changed the times of others.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar

from harness.model.observing.sums import ContenderSums
from puzzles.problem.arrays import Int64Array

SPEED_UP = 5  # factor of a speed-up that only kept answers explain
RECALLED_NS = 5_000_000  # a cold process adds up to 2 ms of CPU time once its code is loaded
IDLE_NS, IDLE_SHARE = 100_000_000, 0.01  # CPU time of an idle contender that is named: so much, and of the idle time


class Basis(IntEnum):
    """Processes that a memory peak covers.

    PROGRAM  a program alone, as the kernel reports it when it ends, or its processes together if these held more
    WORKER   the worker, which had no child process
    GROUP    the worker and its child processes: the sum of their peaks, or the sums that looks have seen
    SOLVER   the solver alone, by the control group of its worker, whose own share is set aside
    """

    UNKNOWN = 0
    PROGRAM = 1
    WORKER = 2
    GROUP = 3
    SOLVER = 4


@dataclass
class Observed(ContenderSums):
    """Sums over the asks and workers of a contender.

    program, worker, group, solver  asks with a peak of each Basis
    idle, idle_cpu          nanoseconds in which its workers had no ask and others had, and their CPU time in these
    stopped                 times that processes of it were found stopped by a signal
    repeated                asks that a worker repeated at once, to warm up, which have the time of the second
    recalled                those among them that then took less than a fifth of the time, which was no wait for a core
    first, again            nanoseconds of the first and the second of these
    crowded                 places where more of its threads ran at once than it has cores
    """

    key: ClassVar[str] = "observed"
    program: int = 0
    worker: int = 0
    group: int = 0
    solver: int = 0
    idle: int = 0
    idle_cpu: int = 0
    stopped: int = 0
    repeated: int = 0
    recalled: int = 0
    first: int = 0
    again: int = 0
    crowded: int = 0

    def count(self, basis: Basis, asks: int) -> None:
        """Add asks with a peak of this basis."""
        name = basis.name.lower()
        setattr(self, name, getattr(self, name) + asks)

    def add_repeated(self, firsts: Int64Array, wall: Int64Array, cpu: Int64Array) -> None:
        """Add asks, of which those with first times int64[n, 3], not 0, were repeated (shared_memory.py).

        The longer time of the first must be CPU time, or none that another process could have caused.
        """
        asked, spent, queued = firsts.T
        shorter = (asked > SPEED_UP * wall) & (asked - wall > RECALLED_NS)
        computed = (spent > SPEED_UP * cpu) & (spent - cpu > RECALLED_NS)
        waited = (asked - queued > SPEED_UP * wall) & (asked - queued - wall > RECALLED_NS)
        found = shorter & (computed | waited)
        self.repeated, self.recalled = self.repeated + int((asked > 0).sum()), self.recalled + int(found.sum())
        self.first, self.again = self.first + int(asked[found].sum()), self.again + int(wall[found].sum())

    @property
    def bases(self) -> dict[str, int]:
        """Number of asks by basis of their peak, the most frequent first, without those that did not occur."""
        counts = {"program": self.program, "worker": self.worker, "group": self.group, "solver": self.solver}
        return {name: n for name, n in sorted(counts.items(), key=lambda pair: -pair[1]) if n}

    @property
    def busy_while_idle(self) -> bool:
        """True if it used much CPU time while others were asked."""
        return self.idle_cpu > max(IDLE_NS, IDLE_SHARE * self.idle)
