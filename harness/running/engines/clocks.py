"""Clock of a place beside that of the client.

A question is sent before it is read, and its answer likewise. So of four times, two by each clock, follows by how much
one is ahead of the other, as in NTP: between `ended - received` and `began - sent`.
"""

import time
from dataclasses import dataclass
from typing import Self

from harness.model.outcome import NANO

STATED_NS = NANO  # skew that a note states
CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)  # goes on while the machine is suspended
START = time.time_ns() - time.clock_gettime_ns(CLOCK)


def now() -> int:
    """Return nanoseconds since the epoch, by a clock that nobody sets."""
    return START + time.clock_gettime_ns(CLOCK)


@dataclass(frozen=True)
class Skew:
    """Nanoseconds by which a place's clock is ahead of the client's, from `low` to `high`."""

    low: int
    high: int

    @classmethod
    def of(cls, sent: int, received: int, began: int, ended: int) -> Self:
        """Return the skew that a question shows: sent and received here, begun and ended by the place's clock."""
        return cls(ended - received, began - sent)

    def __str__(self) -> str:
        middle, error = (self.low + self.high) / 2, (self.high - self.low) / 2
        which = "ahead of" if middle > 0 else "behind"
        return f"{abs(middle) / NANO:,.3f} s {which} the client's, to within {error / NANO:,.3f} s"

    @property
    def large(self) -> bool:
        """True for a skew that people should know of."""
        return self.low > STATED_NS or self.high < -STATED_NS
