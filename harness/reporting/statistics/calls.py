"""Calls of changes: an effect above a threshold and an interval that excludes no change."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

import numpy as np

from harness.reporting.statistics.estimates import LEVEL, Ratio, z_score


class Call(StrEnum):
    """Classification of a change."""

    REGRESSED = "regressed"
    IMPROVED = "improved"
    SAME = "same"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True)
class Thresholds:
    """Smallest changes that count, as fractions.

    time, memory  of the ratio of times, and of peaks per ask     solved  share of the asks that are decided
    objective     relative difference of values                   gap     difference of primal gaps
    """

    time: float = 0.05
    memory: float = 0.10
    solved: float = 0.01
    objective: float = 0.005
    gap: float = 0.005

    def as_dict(self) -> dict[str, float]:
        """Return the thresholds by name."""
        return asdict(self)

    def of(self, measure: str) -> float:
        """Return the threshold of a measure."""
        return self.as_dict()[measure.removesuffix("_far")]


DEFAULT = Thresholds()


def classify(ratio: Ratio, threshold: float) -> Call:
    """Classify a ratio against a threshold, a fraction."""
    return classify_change(ratio.log, ratio.low, ratio.high, float(np.log1p(threshold)))


def classify_change(change: float, low: float, high: float, edge: float) -> Call:
    """Classify a change with its interval, where more is worse.

    A change at the threshold is estimated below it half the time, so up to one standard error below counts.
    """
    z = z_score(LEVEL)
    if low > 0 and change + (change - low) / z >= edge:
        return Call.REGRESSED
    if high < 0 and change - (high - change) / z <= -edge:
        return Call.IMPROVED
    return Call.SAME if -edge < low and high < edge else Call.INCONCLUSIVE


def overall(calls: Sequence[Call]) -> Call:
    """Combine the calls of both clocks: the worst conclusive one, else INCONCLUSIVE."""
    order = (Call.REGRESSED, Call.IMPROVED, Call.SAME)
    return next((word for word in order if word in calls), Call.INCONCLUSIVE)
