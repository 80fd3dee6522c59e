"""Times of one contender on one clock, by repeat and instance, and the effects of its workers."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from harness.model.outcome import NANO
from harness.reporting.statistics.estimates import Floats, mean_of_both, median, middle, middle_by, quantile
from puzzles.problem.arrays import BoolArray, Int32Array, Int64Array

TAIL = 0.1  # share of asks on each side that a mean effect does not follow

FEW_INSTANCES = 5  # number of instances too small for a factor


@dataclass(frozen=True)
class Times:
    """Seconds on one clock; NaN where undecided, not asked, or below the clock's resolution.

    asks     float64[repeats, n]
    seconds  float64[n], the median over repeats
    effects  float64[workers], log of the slowdown of a repeat, which has its own worker, against the median; NaN
             without times. Of `one_worker` alone it is 0
    """

    asks: Floats
    seconds: Floats
    effects: Floats
    one_worker: bool = False

    @property
    def mean_effects(self) -> Floats:
        """Return log[repeats], the slowdown of each repeat on the mean of instances, tails cut; NaN if unknown.

        A median is 0 by itself where noise is large: of five repeats, every fifth ask is the median of its instance.
        """
        if self.one_worker:
            return self.effects
        logs = np.log(self.asks / self.seconds)
        return np.array([winsorised(row[known]) if (known := ~np.isnan(row)).any() else np.nan for row in logs])

    def at(self, ids: Int64Array) -> Self:
        """Return the times of these instances, in this order."""
        return replace(self, asks=self.asks[:, ids], seconds=self.seconds[ids])

    def where(self, chosen: BoolArray) -> Self:
        """Return the times of the chosen asks, bool[repeats, n], or of the first repeats if `chosen` has fewer."""
        kept = np.where(chosen, self.asks[: len(chosen)], np.nan)
        seconds = middle(kept)
        return replace(self, asks=kept, seconds=seconds, effects=effects(kept, seconds, self.one_worker))

    def shifted(self, shift: float) -> Self:
        """Return the times with a shift in seconds added to each, as shifted geometric means have them."""
        if not shift:
            return self
        asks, seconds = self.asks + shift, self.seconds + shift
        return replace(self, asks=asks, seconds=seconds, effects=effects(asks, seconds, self.one_worker))

    def without(self, out: BoolArray) -> Self:
        """Return the times without those of some instances, bool[n]."""
        asks, seconds = (np.where(out, np.nan, values) for values in (self.asks, self.seconds))
        return replace(self, asks=asks, seconds=seconds, effects=effects(asks, seconds, self.one_worker))


def times(
    repeats: Int32Array, puzzles: Int64Array, nanoseconds: Int64Array, shape: tuple[int, int], one_worker: bool = False
) -> Times:
    """Return the times of outcomes, given as columns, as arrays of `shape`: repeats, instances."""
    asks = np.full(shape, np.nan)
    asks[repeats, puzzles] = np.where(nanoseconds > 0, nanoseconds / NANO, np.nan)
    seconds = np.full(shape[1], np.nan)
    both = middle_by(puzzles, nanoseconds)
    seconds[puzzles[both[0]]] = mean_of_both(nanoseconds, both) / NANO
    seconds[seconds <= 0] = np.nan
    return Times(asks, seconds, effects(asks, seconds, one_worker), one_worker)


def effects(asks: Floats, seconds: Floats, one_worker: bool = False) -> Floats:
    """Return the median over instances of log(time / median time) per repeat, or of one worker."""
    if one_worker:
        return np.full(min(1, len(asks)), np.nan if np.isnan(asks).all() else 0.0)
    logs = np.log(asks / seconds)
    return np.array([median(row[known]) if (known := ~np.isnan(row)).any() else np.nan for row in logs])


def winsorised(values: Floats) -> float:
    """Return the mean of values, with the lowest and highest TAIL clipped."""
    return float(np.clip(values, quantile(values, TAIL), quantile(values, 1 - TAIL)).mean())


def speed_up(before: Floats, after: Floats) -> float:
    """Return the median factor by which instances became faster, from float64[n] each; 1 with too few instances."""
    both = ~np.isnan(before) & ~np.isnan(after)
    return median(before[both] / after[both]) if both.sum() >= FEW_INSTANCES else 1.0


def speed_up_after_first(times: Times) -> float:
    """Return the median factor by which instances became faster after the first repeat; 1 without later repeats."""
    first, later = times.asks[:1], times.asks[1:]
    known = ~np.isnan(later).all(axis=0) if len(later) else np.zeros(times.asks.shape[1], np.bool_)
    if not known.any():
        return 1.0
    return speed_up(first[0, known], np.nanmedian(later[:, known], axis=0))


def others_deviation(others: list[Floats]) -> float:
    """Return the deviation of log ratios of two workers, from effects of the run's other contenders.

    A change of all contenders in one repeat is drift of the machine, which a ratio within a run does not contain.
    Returns 0 if fewer than three contenders have all repeats, or there is only one.
    """
    most = max(map(len, others), default=0)
    every = np.array([known for known in others if len(known) == most and not np.isnan(known).any()])
    if len(every) < 3 or most < 2:
        return 0.0
    return float(np.sqrt(2 * (every - np.median(every, axis=0)).var(axis=1, ddof=1).mean()))
