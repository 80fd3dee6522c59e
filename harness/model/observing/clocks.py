"""Times that workers report, checked against the parent's clock, which no contender can reach.

The parent counts only the time for which it waited while a batch ran, so its own work accuses nobody. On a busy machine
a worker waits for a core, also between its asks, where no reported time includes it: the kernel counts that wait, and
it is subtracted. Other work of an honest worker, such as reading the batch and writing its outcomes, is within the
tolerance. A batch during which the parent itself was stopped is checked by no clock.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from harness.model.observing.sums import ContenderSums

RATIO = 2  # greatest ratio of the time waited for to the time reported
RUN_SLACK_NS = 100_000_000
BATCH_SLACK_NS = 50_000_000  # measured on a machine with four times as many busy processes as cores: 7 ms
PUZZLE_SLACK_NS = 200_000
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
    """Sums over the batches of a contender without errors, in nanoseconds; `waited` is without excused time.

    stopped    nanoseconds for which the parent was stopped during its batches    unchecked  puzzles of these
    """

    key: ClassVar[str] = "clocks"
    batches: int = 0
    puzzles: int = 0
    reported: int = 0
    waited: int = 0
    stopped: int = 0
    unchecked: int = 0

    @staticmethod
    def needs_excuse(reported: int, waited: int) -> bool:
        """Return True if a batch takes more than half of its slack, so that time in the queue must be subtracted."""
        return waited > RATIO * reported + BATCH_SLACK_NS // 2

    def add_unchecked(self, puzzles: int, stopped: int) -> None:
        """Add a batch during which the parent was stopped for `stopped` nanoseconds."""
        self.unchecked, self.stopped = self.unchecked + puzzles, self.stopped + stopped

    def add(self, puzzles: int, reported: int, waited: int) -> None:
        """Add a batch."""
        self.batches, self.puzzles = self.batches + 1, self.puzzles + puzzles
        self.reported, self.waited = self.reported + reported, self.waited + waited

    @property
    def agree(self) -> bool:
        """True if the reported times fit the time that the parent waited."""
        slack = RUN_SLACK_NS + BATCH_SLACK_NS * self.batches + PUZZLE_SLACK_NS * self.puzzles
        return self.waited <= RATIO * self.reported + slack

    @property
    def checked(self) -> bool:
        """True if the parent was there for nearly all of the puzzles."""
        return self.unchecked <= MAX_UNCHECKED * (self.puzzles + self.unchecked)


def mistimed(facts: Mapping[str, Any]) -> dict[str, Clocks]:
    """Return the contenders whose reported times do not fit, or were hardly checked; summaries leave them out."""
    return {name: clocks for name, clocks in Clocks.stored(facts).items() if not (clocks.agree and clocks.checked)}
