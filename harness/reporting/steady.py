"""Times without the drift of the machine, and how much workers differ: what tests of two contenders rest on.

The contenders of a lease run in turn, so at a repeat of an instance the median of their times shows how fast the
machine was then. Without it a contender's times of several repeats differ by three things:

    noise      of single asks                              turns    of a contender in a block: what others on the
    workers    of repeats, whose processes are fresh                machine did meanwhile

Measured on two cores that were quiet, for times of 60 us: repeats of all contenders differ by 9 %, turns by 10 %, and
workers by 0.5 % (docs/decisions/0064-rankings-know-workers.md).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from harness.reporting.statistics import MEDIAN_ERROR, Floats
from harness.reporting.times import Times
from puzzles.problem.arrays import Int64Array

RESOLUTION = 0.5e-9  # seconds: what the page stores
LEAST_WORKER_SD = 0.01  # standard deviation of the log effect of a worker, however little the repeats of a run show
UNSEEN_WORKER_SD = 0.07  # the same where there is one repeat: of two workers 10 %


@dataclass(frozen=True)
class Steady:
    """Times of one contender without drift, by instance, and what they leave open.

    seconds    float64[n], NaN where a repeat has no time
    noise      variance of the logarithm of each, due to noise of single asks; 0 if unknown
    deviation  standard deviation of the log effect of the median of its workers
    """

    seconds: Floats
    noise: float
    deviation: float


def steady(contenders: Sequence[Times], block: Int64Array) -> list[Steady]:
    """Return the times of contenders without drift; `block` int64[n] is the block of each instance.

    Only repeats that all of them have count, and instances of which a contender has the times of all these.
    """
    repeats = min((len(times.asks) for times in contenders), default=0)
    seconds, turns, sizes, spreads = np.full((len(contenders), len(block)), np.nan), [], [], []
    order = np.argsort(block, kind="stable")
    for ids in np.split(order, np.flatnonzero(np.diff(block[order])) + 1) if repeats and len(block) else ():
        logs = np.log(np.array([times.asks[:repeats, ids] for times in contenders]))  # contenders, repeats, instances
        known = ~np.isnan(logs).any(axis=1)
        logs[~np.broadcast_to(known[:, None], logs.shape)] = np.nan
        drift = middle(logs, 0)
        own = logs - drift
        level = middle(own, 1)
        seconds[:, ids] = np.rint(np.exp(level + middle(drift, 0)) / RESOLUTION) * RESOLUTION
        turns.append(middle(own - level[:, None], 2))
        sizes.append(known.sum(axis=1))
        spreads.append(spread(own))
    deviations = deviations_of(np.array(turns), np.array(sizes)) if turns else np.zeros(len(contenders))
    noise = np.concatenate(spreads, axis=1) if spreads else np.zeros((len(contenders), 0))
    return [Steady(seconds[c], noise_of(noise[c], repeats), float(deviations[c])) for c in range(len(contenders))]


def middle(values: Floats, axis: int) -> Floats:
    """Return medians along an axis, of what is not NaN; NaN where nothing is."""
    ordered = np.sort(values, axis=axis)  # NaN last
    last = np.expand_dims((~np.isnan(values)).sum(axis=axis) - 1, axis)
    low, high = (np.take_along_axis(ordered, np.maximum(at, 0), axis) for at in (last // 2, (last + 1) // 2))
    found: Floats = np.squeeze((low + high) / 2, axis)
    return found


def spread(own: Floats) -> Floats:
    """Return the variance over repeats of log times of a block, [contenders, repeats, n], without that of turns.

    NaN where unknown: of one repeat, and of a block of one instance.
    """
    known = (~np.isnan(own[:, 0])).sum(axis=1)
    if own.shape[1] < 2 or not (known > 1).any():
        return np.full((len(own), own.shape[2]), np.nan)
    turn = np.nansum(own, axis=2, keepdims=True) / np.maximum(known, 1)[:, None, None]
    share = np.where(known > 1, known / np.maximum(known - 1, 1), np.nan)
    found: Floats = (own - turn).var(axis=1, ddof=1) * share[:, None]
    return found


def noise_of(spreads: Floats, repeats: int) -> float:
    """Return the variance of a median of so many log times, from the variances of instances; 0 if these are unknown.

    It is taken from their median, which a few disturbed asks do not change.
    """
    seen = spreads[~np.isnan(spreads)]
    if not len(seen):
        return 0.0
    degrees = repeats - 1
    typical = (1 - 2 / (9 * degrees)) ** 3  # median of a variance, relative to its mean (Wilson and Hilferty 1931)
    return float(np.median(seen)) / typical * error_of_median(repeats)


def error_of_median(repeats: int) -> float:
    """Return the variance of a median of so many values, relative to that of one."""
    return (MEDIAN_ERROR**2 if repeats > 2 else 1.0) / repeats


def deviations_of(turns: Floats, sizes: Floats) -> Floats:
    """Return the standard deviation of the log effect of the median of each contender's workers: [contenders].

    turns [blocks, contenders, repeats] are log effects, sizes [blocks, contenders] how many instances they are of.
    Repeats differ by turns as well, so what these explain is taken off. A contender's own four or so degrees of freedom
    say little, so they count for a quarter beside what all contenders show, and no deviation is below that.
    """
    blocks, contenders, repeats = turns.shape
    if repeats < 2 or contenders < 2:
        return np.full(contenders, UNSEEN_WORKER_SD)
    weights = np.where(np.isnan(turns[:, :, 0]), 0, sizes)
    share = weights / np.maximum(weights.sum(axis=0), 1)
    effects = (np.nan_to_num(turns) * share[:, :, None]).sum(axis=0)
    squares = ((np.nan_to_num(turns - effects) * share[:, :, None]) ** 2).sum(axis=0).mean(axis=1)
    own = (effects.var(axis=1, ddof=1) - squares * blocks / max(blocks - 1, 1)) * contenders / (contenders - 1)
    some = weights.any(axis=0)
    every = max(0.0, float(own[some].mean())) if some.any() else 0.0
    variance = np.maximum(np.maximum(every, (np.maximum(own, 0) + 3 * every) / 4), LEAST_WORKER_SD**2)
    found: Floats = np.sqrt(variance * error_of_median(repeats))
    return found
