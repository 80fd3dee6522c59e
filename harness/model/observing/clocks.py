"""Times that workers report, checked against the parent's clock and the kernel's counts, which no contender can reach.

The parent counts only the time for which it waited while a batch ran, so its own work accuses nobody. On a busy machine
a worker waits for a core, also between its asks, where no reported time includes it: the kernel counts that wait, and
it is subtracted. What an honest worker does between asks is reported too (repeated asks, sessions that are opened
again), or within the tolerance, such as reading the batch and writing its outcomes. A batch during which the parent
itself was stopped is checked by no clock.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from harness.model.observing.sums import ContenderSums

RATIO = 2  # greatest ratio of the time waited for to the time reported
CPU_RATIO = 1.25  # the same of CPU times, and of CPU time to what the cores give in the time reported
RUN_SLACK_NS = 100_000_000
BATCH_SLACK_NS = 2_500_000  # measured: 0.3 to 1.1 ms of CPU time
PUZZLE_SLACK_NS = 100_000
CELL_SLACK_NS = 100  # for each variable of each solution that is asked for; measured: 25
UNLOOKED_BATCH_NS = 50_000_000  # slack of a batch of journals from before the kernel's counts were read for each
MAX_UNCHECKED = 0.1  # share of unchecked puzzles of a contender that is still ranked


class Scheduled(NamedTuple):
    """Nanoseconds that the kernel has counted for a worker.

    queued  its main thread waited for a core    others  CPU time of its other threads, and of all that it started
    """

    queued: int = 0
    others: int = 0

    def excused(self, before: "Scheduled", reported: int, cores: int) -> int:
        """Return the nanoseconds since `before` in which the main thread waited for a core because of other processes.

        In the reported time the contender can use `cores` cores. CPU time beyond that may be the reason why its main
        thread waited.
        """
        beyond = max(0, self.others - before.others - cores * reported)
        return max(0, self.queued - before.queued - beyond)


@dataclass
class Clocks(ContenderSums):
    """Sums over the batches of a contender, in nanoseconds; `waited` is without excused time.

    reported, spent  wall and CPU time that its workers state     counted  CPU time by the kernel
    room       CPU time that the cores of the contender give in the wall time reported
    slack      time that its workers may take beyond what they report
    stopped    nanoseconds for which the parent was stopped during its batches    unchecked  puzzles of these
    """

    key: ClassVar[str] = "clocks"
    batches: int = 0
    puzzles: int = 0
    reported: int = 0
    waited: int = 0
    stopped: int = 0
    unchecked: int = 0
    spent: int = 0
    counted: int = 0
    room: int = 0
    slack: int = 0

    def __post_init__(self) -> None:
        """Fill in what older journals lack."""
        if self.batches and not self.slack:
            self.slack = UNLOOKED_BATCH_NS * self.batches + PUZZLE_SLACK_NS * self.puzzles

    def add_unchecked(self, puzzles: int, stopped: int) -> None:
        """Add a batch during which the parent was stopped for `stopped` nanoseconds."""
        self.unchecked, self.stopped = self.unchecked + puzzles, self.stopped + stopped

    def add(self, puzzles: int, cells: int, reported: int, waited: int) -> None:
        """Add a batch; `cells` is the number of variables of all requested solutions."""
        self.batches, self.puzzles = self.batches + 1, self.puzzles + puzzles
        self.reported, self.waited = self.reported + reported, self.waited + waited
        self.slack += BATCH_SLACK_NS + PUZZLE_SLACK_NS * puzzles + CELL_SLACK_NS * cells

    def add_cpu(self, spent: int, counted: int, room: int) -> None:
        """Add the CPU times of a batch: stated, counted by the kernel, and possible."""
        self.spent, self.counted, self.room = self.spent + spent, self.counted + counted, self.room + room

    @property
    def agree(self) -> bool:
        """True if the reported times are possible."""
        return not self.faults

    @property
    def faults(self) -> tuple[str, ...]:
        """Names of the sums that the reported times contradict: waited, counted."""
        slack = RUN_SLACK_NS + self.slack
        too_short = self.waited > RATIO * self.reported + slack
        counted = self.counted > CPU_RATIO * min(self.spent, self.room) + slack
        return tuple(["waited"] * too_short + ["counted"] * (counted or self.spent > CPU_RATIO * self.counted + slack))

    @property
    def checked(self) -> bool:
        """True if the parent was there for nearly all of the puzzles."""
        return self.unchecked <= MAX_UNCHECKED * (self.puzzles + self.unchecked)


def mistimed(facts: Mapping[str, Any]) -> dict[str, Clocks]:
    """Return the contenders whose reported times do not fit, or were hardly checked; summaries leave them out."""
    return {name: clocks for name, clocks in Clocks.stored(facts).items() if not (clocks.agree and clocks.checked)}
