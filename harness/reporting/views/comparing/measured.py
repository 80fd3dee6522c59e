"""Changes of measures other than time: asks decided, memory, values of objectives, gaps to the best known value.

Each is a mean over instances with an interval. Memory has that of a ratio of times. Differences are mostly 0, and have
the wider one of two: that of `mean_change` (statistics.py) over clusters of instances, and Student's over repeats,
which have fresh workers. Each by itself keeps its level.

Workers that are some percent faster or slower decide other instances near the limit, and no others. So the asks decided
on instances far from it are a measure of their own within a journal, with the interval over instances alone: Student's
t for 5 repeats is 4 standard errors wide, and would hide asks that fail at random.
"""

from dataclasses import dataclass

import numpy as np

from harness.reporting.frame.pairing import Side, on_other_machines, paired_asks
from harness.reporting.frame.results import CLOCKS, State
from harness.reporting.statistics.calls import Call, Thresholds, classify, classify_change
from harness.reporting.statistics.estimates import (
    BETWEEN_WORKER_SD,
    LARGEST_WORKER_SD,
    MEDIAN_ERROR,
    Floats,
    Ratio,
    mean_change,
    middle,
    paired_ratio,
    widen,
    worker_margin,
)
from harness.reporting.views.comparing.solved import NEAR, AskPairs, countable, far_from_limits
from harness.reporting.views.comparing.values import ValuePairs, differences, gap_differences
from puzzles.problem.arrays import BoolArray, Int64Array

MEMORY_SD, LARGEST_MEMORY_SD = 0.005, 0.05  # of log peaks between workers: usual, and assumed with one repeat


@dataclass(frozen=True)
class Measure:
    """Change of one measure, where more is worse: a difference, or for memory a ratio as its logarithm."""

    change: Ratio
    threshold: float
    call: Call


def measures(a: Side, b: Side, found: AskPairs, values: ValuePairs | None, limits: Thresholds) -> dict[str, Measure]:
    """Return the measures of both sides, by name; empty for journals of different machine types."""
    if on_other_machines(a.results, b.results):
        return {}
    changes = {
        "solved": solved(a, b, found),
        "solved_far": solved_far(a, b, found) if a.results is b.results else None,
        "memory": memory(a, b),
        "objective": values and difference(a, b, differences(values)),
        "gap": values and difference(a, b, gap_differences(values)),
    }
    return {name: measure(name, change, limits) for name, change in changes.items() if change and change.pairs}


def measure(name: str, change: Ratio, limits: Thresholds) -> Measure:
    """Return a change with its call."""
    threshold = limits.of(name)
    if name == "memory":
        return Measure(change, threshold, classify(change, threshold))
    return Measure(change, threshold, classify_change(change.log, change.low, change.high, threshold))


def solved(a: Side, b: Side, found: AskPairs) -> Ratio:
    """Return the share of asks that are no longer decided, less the share that is newly decided.

    Workers that are some percent faster or slower decide all instances near the limit, or none. So their usual
    variation counts as far as instances are that near.
    """
    counted = countable(a, b)
    before, after = decided(found, counted)
    density = near_share(a, b, counted) / float(np.log(NEAR))
    usual, largest = (density * sd for sd in (BETWEEN_WORKER_SD, LARGEST_WORKER_SD))
    return over_instances(
        mean_of(before) - mean_of(after), by_worker(paired(before, after, -1), a, b), a.of.block[a.ids], usual, largest
    )


def solved_far(a: Side, b: Side, found: AskPairs) -> Ratio:
    """Return the share of asks that were decided before and are not now, of instances far from the limit."""
    before, after = decided(found, far_from_limits(a, b))
    each = mean_of(before) - mean_of(after)
    known = ~np.isnan(each)
    return mean_change(each[known], a.of.block[a.ids][known])


def decided(found: AskPairs, counted: BoolArray) -> tuple[Floats, Floats]:
    """Return 1 for each ask that was decided and 0 for others, float64[repeats, n] by side; NaN where not counted."""
    before, after = (np.where(counted & (side != State.NONE), side == State.DECIDED, np.nan) for side in found)
    return before, after


def near_share(a: Side, b: Side, counted: BoolArray) -> float:
    """Return the share of asks that were decided within NEAR of a time limit."""
    near, asks = 0, 0
    for side in (a, b):
        limits, close = side.results.limits, np.zeros((len(side.of.states), len(side.ids)), np.bool_)
        for clock in CLOCKS:
            if (limit := getattr(limits, clock)) is not None:
                close |= np.nan_to_num(side.times(clock).asks, nan=0.0) > limit / NEAR
        near += int(close[:, counted].sum())
        asks += int((side.of.states[:, side.ids] != State.NONE)[:, counted].sum())
    return near / max(asks, 1)


def memory(a: Side, b: Side) -> Ratio | None:
    """Return the ratio of median peaks; None if a side has no peaks, or peaks of other kinds of process."""
    if set(a.of.peak_of) != set(b.of.peak_of):
        return None
    before, after, pairs = a.peaks(), b.peaks(), paired_asks(a, b)
    if pairs is not None:
        before, after = (np.where(pairs, side[: len(pairs)], np.nan) for side in (before, after))
    x, y = middle(before), middle(after)
    both = ~np.isnan(x) & ~np.isnan(y)
    if not both.any():
        return None
    effects = by_repeat(by_worker(np.log(paired_asks_ratio(before[:, both], after[:, both])), a, b))
    narrow = paired_ratio(x[both], y[both], a.of.block[a.ids][both])
    return widen(narrow, worker_margin(effects, MEMORY_SD, largest=LARGEST_MEMORY_SD))


def difference(a: Side, b: Side, found: tuple[Floats, Floats]) -> Ratio:
    """Return the mean of differences by instance, and its interval from the differences of each repeat."""
    each, repeats = found
    return over_instances(each, by_worker(repeats, a, b), a.of.block[a.ids], 0.0, 0.0)


def over_instances(each: Floats, repeats: Floats, block: Int64Array, usual: float, largest: float) -> Ratio:
    """Return the mean of differences float64[n], NaN where unknown, with the margin of repeats float64[repeats, n]."""
    known = ~np.isnan(each)
    effects, change = by_repeat(repeats[:, known]), mean_change(each[known], block[known])
    of_median = MEDIAN_ERROR if len(effects) > 2 else 1.0  # the margin is that of a median, and this is a mean
    half = max(change.high - change.log, worker_margin(effects, usual, largest=largest) / of_median)
    return Ratio(change.log, change.log - half, change.log + half, change.pairs)


def by_worker(values: Floats, a: Side, b: Side) -> Floats:
    """Return values float64[repeats, n] by worker: their means over repeats, if these count as those of one worker."""
    return mean_of(values)[None] if a.of.one_worker or b.of.one_worker else values


def by_repeat(values: Floats) -> Floats:
    """Return the mean over instances of each repeat, without repeats that have no values."""
    some = values[~np.isnan(values).all(axis=1)] if values.size else values[:0]
    found: Floats = np.nanmean(some, axis=1) if len(some) else np.empty(0)
    return found


def paired(before: Floats, after: Floats, sign: int) -> Floats:
    """Return sign x (after - before) by repeat, of the repeats that both sides have."""
    n = min(len(before), len(after))
    return sign * (after[:n] - before[:n])


def paired_asks_ratio(before: Floats, after: Floats) -> Floats:
    """Return after / before by repeat, of the repeats that both sides have."""
    n = min(len(before), len(after))
    ratio: Floats = after[:n] / before[:n]
    return ratio


def mean_of(values: Floats) -> Floats:
    """Return the mean over repeats of each instance, NaN where no repeat is known."""
    known = ~np.isnan(values)
    number = known.sum(axis=0)
    mean: Floats = np.where(number, np.where(known, values, 0.0).sum(axis=0) / np.maximum(number, 1), np.nan)
    return mean
