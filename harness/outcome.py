"""What came of one run of one puzzle by one contender: columns from the worker to the journal.

ROW is as the worker measures it: nanoseconds of wall and CPU time, -1 for a counter that the backend does not have.
"""

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Self

import numpy as np
import numpy.typing as npt

from backends.answer import COUNTERS, BoolArray, Int64Array, Reason, Status, UInt16Array

PHASES = ("encode", "load", "solve", "decode")
ROW = np.dtype(
    [
        ("status", np.int8),
        ("reason", np.int8),
        ("complete", np.int8),
        ("amortised", np.int8),
        ("found", np.int32),
        ("wall", np.int64),
        ("cpu", np.int64),
        *((phase, np.int64) for phase in PHASES),
        *((counter, np.int64) for counter in COUNTERS),
        ("peak", np.int64),
    ]
)
NO_VALUE = 0xFFFF  # a square of a solution that held no value of the layout

Rows = npt.NDArray[np.void]


def blank(reason: Reason, wall: int, cpu: int) -> tuple[int, ...]:
    """A row of an ask that brought no answer."""
    return (Status.UNKNOWN, reason, 0, 0, 0, wall, cpu, 0, 0, wall, 0, *(-1 for _ in COUNTERS), -1)


class Verdict(IntEnum):
    """The judge's word on one outcome."""

    CORRECT = 0
    WRONG = 1
    UNKNOWN = 2
    ERROR = 3
    UNCERTIFIED = 4
    CORPUS_WRONG = 5


@dataclass(frozen=True)
class Outcomes:
    """Outcomes of one contender on puzzles of one layout, as columns of one length.

    puzzles    int64[n], ids of the journal
    rows       ROW[n]
    solutions  uint16[sum of rows['found'], squares], those of the first puzzle first
    details    position -> what went wrong, in words
    """

    contender: int
    repeat: int
    puzzles: Int64Array
    rows: Rows
    solutions: UInt16Array
    details: dict[int, str]

    def take(self, which: BoolArray) -> Self:
        """Those outcomes alone."""
        kept = np.flatnonzero(which)
        place = {int(old): new for new, old in enumerate(kept)}
        return replace(
            self,
            puzzles=self.puzzles[kept],
            rows=self.rows[kept],
            solutions=self.solutions[np.repeat(which, self.rows["found"])],
            details={place[i]: text for i, text in self.details.items() if i in place},
        )
