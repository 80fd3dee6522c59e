"""Clocks of a client and of its places: the skew between them, and times of leases against what the client saw.

A message is sent before it is read. So of four times, two by each clock, follows by how much one is ahead of the other,
as in NTP: between `ended - received` and `began - sent`.
"""

import time
from dataclasses import dataclass
from typing import Self

from harness.model.outcome import NANO

SLACK_NS = NANO  # for steps of a clock
DRIFT = 2000  # a clock gains or loses less than one part in so many: four times what NTP allows
STATED_NS = NANO  # skew that a note states
CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)  # goes on while the machine is suspended
START = time.time_ns() - time.clock_gettime_ns(CLOCK)


def now() -> int:
    """Return nanoseconds since the epoch, by a clock that nobody sets."""
    return START + time.clock_gettime_ns(CLOCK)


@dataclass(frozen=True)
class Exchange:
    """Times of a question and its answer: sent and received at the client, begun and ended by the place's clock."""

    sent: int
    received: int
    began: int
    ended: int

    @property
    def faulty(self) -> str:
        """Description of a duration at the place that the client has not seen pass; '' if there is none."""
        there, here = self.ended - self.began, self.received - self.sent
        if 0 <= there <= here + SLACK_NS + here // DRIFT:
            return ""
        return f"it took {seconds(there)} there, and {seconds(here)} passed here"


@dataclass(frozen=True)
class Skew:
    """Nanoseconds by which a place's clock is ahead of the client's, from `low` to `high`."""

    low: int
    high: int

    @classmethod
    def of(cls, e: Exchange) -> Self:
        """Return the skew that an exchange shows."""
        return cls(e.ended - e.received, e.began - e.sent)

    def faulty(self, e: Exchange) -> str:
        """Return how the times of an exchange contradict this skew, '' if they do not."""
        slack, shown = SLACK_NS + (e.received - e.sent) // DRIFT, Skew.of(e)
        if shown.low <= self.high + slack and shown.high >= self.low - slack:
            return ""
        ahead = shown.low - self.high if shown.low > self.high else shown.high - self.low
        return f"it ran {seconds(abs(ahead))} {'after it was received' if ahead > 0 else 'before it was sent'} here"

    def and_then(self, e: Exchange) -> "Skew":
        """Return the skew narrowed by an exchange that does not contradict it."""
        shown = Skew.of(e)
        low, high = max(self.low, shown.low), min(self.high, shown.high)
        return Skew(low, high) if low <= high else shown

    def __str__(self) -> str:
        middle, error = (self.low + self.high) / 2, (self.high - self.low) / 2
        which = "ahead of" if middle > 0 else "behind"
        return f"{abs(middle) / NANO:.3f} s {which} the client's, to within {error / NANO:.3f} s"

    @property
    def large(self) -> bool:
        """True for a skew that people should know of."""
        return self.low > STATED_NS or self.high < -STATED_NS


def seconds(nanoseconds: int) -> str:
    """Return a duration for a message."""
    return f"{nanoseconds / NANO:,.3f} s"
