"""Error that workers leave in a score: each process makes all its times longer or shorter by some percent.

A factor exp(e) on all times of contender d changes the mean points of contender c by slopes[c, d] * e. Effects of
repeats, which have fresh workers, show the variation of e (docs/decisions/0064-rankings-know-workers.md): with the
machine's effect on all of them, for the score of one contender, and without it, for the difference of two.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from harness.reporting.statistics.estimates import (
    BETWEEN_WORKER_SD,
    LARGEST_WORKER_SD,
    Floats,
    combined_variance,
    student_p,
)
from harness.reporting.statistics.times import others_deviation


@dataclass(frozen=True)
class Workers:
    """Effects of the workers of some contenders, as logarithms.

    effects     float64[contenders, repeats], of repeats common to all contenders; 0 for one that decided nothing
    usual       standard deviation of the ratio of two workers, 0 if each outcome has a worker of its own
    deviations  float64[contenders], standard deviations of the effect of a contender's workers beside those of others
    """

    effects: Floats
    usual: float
    deviations: Floats = field(default_factory=lambda: np.zeros(0))

    @property
    def known(self) -> str | None:
        """Source of the variation: "measured" with two repeats or more, "assumed" with one, None with none."""
        return ("measured" if self.effects.shape[1] > 1 else "assumed") if self.usual else None

    def error(self, slopes: Floats) -> tuple[Floats, float]:
        """Return variances float64[rows] that effects of workers give to sums with slopes[rows, contenders].

        Also returned are their degrees of freedom.
        """
        contenders, repeats = self.effects.shape
        if not self.usual:
            return np.zeros(len(slopes)), np.inf
        found: Floats = (slopes**2 * self.deviations**2).sum(axis=1)
        return found, float((contenders - 1) * (repeats - 1)) or np.inf

    def margin(self, slopes: Floats, level: float) -> Floats:
        """Return half-widths float64[rows] of intervals due to workers."""
        if not self.usual:
            return np.zeros(len(slopes))
        scale = self.usual**2 * (slopes**2).sum(axis=-1) / 2
        variances, freedom = combined_variance(slopes @ self.effects, scale)
        margins: Floats = np.sqrt(variances) * distance_at(1 - level, freedom)
        return margins


@cache
def distance_at(p_value: float, freedom: float) -> float:
    """Return the distance in standard errors with this two-sided p-value by Student's t, by bisection."""
    low, high, degrees = 0.0, 1000.0, np.array([freedom])
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if student_p(np.array([middle]), degrees)[0] > p_value else (low, middle)
    return low


def workers_of(effects: Sequence[Floats], deviations: Sequence[float] = ()) -> Workers:
    """Return the workers of contenders, from effects by repeat of each: NaN where unknown, [] if imported."""
    repeats = min((len(one) for one in effects if not np.isnan(one).all() or not len(one)), default=0)
    if not repeats:
        return Workers(np.zeros((len(effects), 0)), 0.0, np.zeros(len(effects)))
    known = np.array([one[:repeats] if len(one) >= repeats else np.full(repeats, np.nan) for one in effects])
    timed = ~np.isnan(known).all(axis=1)
    common = np.nan_to_num(known[:, ~np.isnan(known[timed]).any(axis=0)])
    usual = max(BETWEEN_WORKER_SD, others_deviation(list(effects)))
    usual = usual if common.shape[1] > 1 else max(usual, LARGEST_WORKER_SD)
    return Workers(common, usual, np.array(deviations))
