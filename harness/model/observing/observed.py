"""Sums of what a parent has observed of a contender's processes, beside its outcomes.

They are stored with the metadata of a run and tell tables and warnings the basis of memory figures, and whether a
contender could have changed the times of others.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar

from harness.model.observing.sums import ContenderSums

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
    """

    key: ClassVar[str] = "observed"
    program: int = 0
    worker: int = 0
    group: int = 0
    solver: int = 0
    idle: int = 0
    idle_cpu: int = 0
    stopped: int = 0

    def count(self, basis: Basis, asks: int) -> None:
        """Add asks with a peak of this basis."""
        name = basis.name.lower()
        setattr(self, name, getattr(self, name) + asks)

    @property
    def bases(self) -> dict[str, int]:
        """Number of asks by basis of their peak, the most frequent first, without those that did not occur."""
        counts = {"program": self.program, "worker": self.worker, "group": self.group, "solver": self.solver}
        return {name: n for name, n in sorted(counts.items(), key=lambda pair: -pair[1]) if n}

    @property
    def busy_while_idle(self) -> bool:
        """True if it used much CPU time while others were asked."""
        return self.idle_cpu > max(IDLE_NS, IDLE_SHARE * self.idle)
