"""Times without the drift of the machine, and the variation of workers: the basis of tests of two contenders.

The contenders of a lease run in turn, so the median of their times on an instance, in one repeat, shows the speed of
the machine. Without that speed a contender's times differ between repeats by three things:

    noise      of single asks                              batches  of a contender in a block: other work on the
    workers    of repeats, whose processes are fresh                machine meanwhile

Measured on two cores that were quiet, for times of 60 us: repeats of all contenders differ by 9 %, batches by 10 %, and
workers by 0.5 % (docs/decisions/0064-rankings-know-workers.md).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from harness.reporting.statistics.estimates import MEDIAN_ERROR, Floats
from harness.reporting.statistics.times import Times
from puzzles.problem.arrays import Int64Array

PIECE = 1 << 14  # instances that are worked on at once
RESOLUTION = 0.5e-9  # seconds: what the page stores
LEAST_WORKER_SD = 0.01  # standard deviation of the log effect of a worker, however little the repeats of a run show
UNSEEN_WORKER_SD = 0.07  # standard deviation assumed with a single worker: 10 % between two workers


@dataclass(frozen=True)
class Steady:
    """Times of one contender without drift, by instance, and their uncertainty.

    seconds    float64[n], NaN where a repeat has no time
    noise      variance of the logarithm of a time, due to noise of single asks; 0 if unknown
    deviation  standard deviation of the log effect of the median of its workers
    """

    seconds: Floats
    noise: float
    deviation: float


def steady(contenders: Sequence[Times], block: Int64Array) -> list[Steady]:
    """Return the drift-free times of contenders; `block` int64[n] is the block of each instance.

    Only repeats of all contenders count, and of a contender only instances with a time in each of these.
    """
    repeats, n = min((len(times.asks) for times in contenders), default=0), len(block)
    order = np.argsort(block, kind="stable")
    starts = np.flatnonzero(np.diff(block[order], prepend=-1)) if repeats else np.zeros(0, np.int64)
    ends = np.append(starts[1:], n)
    seconds, spreads = np.full((len(contenders), n), np.nan), np.full((len(contenders), n), np.nan)
    batches = np.full((len(starts), len(contenders), repeats), np.nan)
    sizes = np.zeros((len(starts), len(contenders)), np.int64)
    for first, last in pieces(starts, n):
        ids, at = order[starts[first] : ends[last - 1]], starts[first:last] - starts[first]
        logs = np.log(np.array([times.asks[:repeats, ids] for times in contenders]))  # contenders, repeats, instances
        known = ~np.isnan(logs).any(axis=1)
        logs[~np.broadcast_to(known[:, None], logs.shape)] = np.nan
        drift = middle(logs, 0)
        own = logs - drift
        level = middle(own, 1)
        seconds[:, ids] = np.rint(np.exp(level + middle(drift, 0)) / RESOLUTION) * RESOLUTION
        left = own - level[:, None]
        batches[first:last] = left[:, :, at].transpose(2, 0, 1)  # of blocks of one instance; others follow
        sizes[first:last] = np.add.reduceat(known, at, axis=1, dtype=np.int64).T
        for b in first + np.flatnonzero(ends[first:last] - starts[first:last] > 1):
            some = slice(starts[b] - starts[first], ends[b] - starts[first])
            batches[b] = middle(left[:, :, some], 2)
            spreads[:, order[starts[b] : ends[b]]] = spread(own[:, :, some])
    deviations = deviations_of(batches, sizes) if len(starts) else np.zeros(len(contenders))
    if any(times.one_worker for times in contenders):
        deviations = np.full(len(contenders), UNSEEN_WORKER_SD)
    return [Steady(seconds[c], noise_of(spreads[c], repeats), float(deviations[c])) for c in range(len(contenders))]


def pieces(starts: Int64Array, n: int) -> list[tuple[int, int]]:
    """Return ranges of blocks, given by their starts, with about PIECE of n instances each, as work needs memory."""
    firsts = sorted(set(np.searchsorted(starts, np.arange(0, n, PIECE)).tolist()))
    return [(a, b) for a, b in pairwise([*firsts, len(starts)]) if a < b]


def middle(values: Floats, axis: int) -> Floats:
    """Return medians along an axis, ignoring NaN; NaN where every value is NaN."""
    if values.shape[axis] == 1:
        return np.squeeze(values, axis)
    ordered = np.sort(values, axis=axis)  # NaN last
    last = np.expand_dims((~np.isnan(values)).sum(axis=axis) - 1, axis)
    low, high = (np.take_along_axis(ordered, np.maximum(at, 0), axis) for at in (last // 2, (last + 1) // 2))
    found: Floats = np.squeeze((low + high) / 2, axis)
    return found


def spread(own: Floats) -> Floats:
    """Return the variance over repeats of log times of a block, [contenders, repeats, n], with batches removed.

    NaN where unknown: for one repeat, and for a block of one instance.
    """
    known = (~np.isnan(own[:, 0])).sum(axis=1)
    if own.shape[1] < 2 or not (known > 1).any():
        return np.full((len(own), own.shape[2]), np.nan)
    batch = np.nansum(own, axis=2, keepdims=True) / np.maximum(known, 1)[:, None, None]
    share = np.where(known > 1, known / np.maximum(known - 1, 1), np.nan)
    found: Floats = (own - batch).var(axis=1, ddof=1) * share[:, None]
    return found


def noise_of(spreads: Floats, repeats: int) -> float:
    """Return the variance of a median of `repeats` log times, from the variances of instances; 0 if unknown.

    The median of these variances is used, which a few disturbed asks do not change.
    """
    seen = spreads[~np.isnan(spreads)]
    if not len(seen):
        return 0.0
    degrees = repeats - 1
    typical = (1 - 2 / (9 * degrees)) ** 3  # median of a variance, relative to its mean (Wilson and Hilferty 1931)
    return float(np.median(seen)) / typical * error_of_median(repeats)


def error_of_median(repeats: int) -> float:
    """Return the variance of a median of `repeats` values, relative to the variance of one value."""
    return (MEDIAN_ERROR**2 if repeats > 2 else 1.0) / repeats


def deviations_of(batches: Floats, sizes: Int64Array) -> Floats:
    """Return the standard deviation of the log effect of the median of each contender's workers: [contenders].

    batches [blocks, contenders, repeats] are log effects, sizes [blocks, contenders] their numbers of instances.
    Repeats differ by batches as well, so the variance of batches is subtracted. A contender's own few degrees of
    freedom say
    little, so its variance counts for a quarter beside that of all contenders, and no deviation is below the common
    one.
    """
    blocks, contenders, repeats = batches.shape
    if repeats < 2 or contenders < 2:
        return np.full(contenders, UNSEEN_WORKER_SD)
    weights = np.where(np.isnan(batches[:, :, 0]), 0, sizes)
    share = weights / np.maximum(weights.sum(axis=0), 1)
    effects = (np.nan_to_num(batches) * share[:, :, None]).sum(axis=0)
    squares = ((np.nan_to_num(batches - effects) * share[:, :, None]) ** 2).sum(axis=0).mean(axis=1)
    own = (effects.var(axis=1, ddof=1) - squares * blocks / max(blocks - 1, 1)) * contenders / (contenders - 1)
    some = weights.any(axis=0)
    every = max(0.0, float(own[some].mean())) if some.any() else 0.0
    variance = np.maximum(np.maximum(every, (np.maximum(own, 0) + 3 * every) / 4), LEAST_WORKER_SD**2)
    found: Floats = np.sqrt(variance * error_of_median(repeats))
    return found
