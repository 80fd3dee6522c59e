"""Contenders that a run distinguishes by their score: a test of each pair, corrected by Holm, and groups of the others.

The test is of the score that orders the contenders: the mean over instances of the difference of their points, in
standard errors, by Student's t. The error has two parts: the scatter over blocks of instances, since a batch changes
all times of a block, and the scatter of workers (workers.py). For scores that are times, the
difference is computed from times without drift (steady.py); as far as ratios differ only by noise,
all instances count alike, whatever their times. With few instances t needs normal differences, so no p-value is below
the one of an exact sign test. S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statist. 6,
1979.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from harness.reporting.statistics.estimates import Floats, numbered, student_p, variance_of_mean
from harness.reporting.statistics.steady import Steady
from harness.reporting.statistics.workers import Workers
from puzzles.problem.arrays import BoolArray, Int64Array

LEVEL = 0.05  # chance that any pair is called different where none is
MOST_TESTED = 100  # contenders that are tested: of more, the correction leaves few pairs
LEAST_DEGREES = 20  # degrees of freedom from which the spread of ratios is compared with their noise
TINY = 1e-300  # replacement for a variance of 0


class Keys(NamedTuple):
    """Points by which the smaller mean ranks first, with their means, and their dependence on the times of workers.

    points  float64[contenders, instances]      asked   bool of the same shape, instances that count
    means   float64[contenders]                 slopes  float64[contenders, contenders], as in workers.py
    wrong   bool or int[contenders], numbers of wrong answers: more rank behind fewer without a test
    blocks  int64[instances], numbered from 0       steady  times without drift, where the points are times; else ()
    families  the blocks are families that are stated
    """

    points: Floats
    asked: BoolArray
    means: Floats
    slopes: Floats
    wrong: BoolArray | Int64Array
    blocks: Int64Array
    steady: Sequence[Steady] = ()
    families: bool = False


def ranks(values: Floats) -> Int64Array:
    """Return the ranks, from 1, of values[rows, n] within each row, smallest first; equal values get the lowest."""
    order = values.argsort(axis=1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=1)
    rises = np.ones(values.shape, np.bool_)
    rises[:, 1:] = ordered[:, 1:] > ordered[:, :-1]
    lowest = np.maximum.accumulate(np.where(rises, np.arange(1, values.shape[1] + 1), 0), axis=1)
    found = np.empty(values.shape, np.int64)
    np.put_along_axis(found, order, lowest, axis=1)
    return found


def mean_ranks(values: Floats) -> Floats:
    """Return the ranks of values[rows, n] within each row; equal values share the mean of their ranks."""
    found: Floats = (ranks(values) + values.shape[1] + 1 - ranks(-values)) / 2
    return found


def pair_test(keys: Keys, workers: Workers, a: int, b: int) -> float:
    """Return the p-value that two contenders have equal means; 1 if the test contradicts their order.

    Degrees of freedom of the sum of both variances by F. Satterthwaite, Biometrics Bulletin 2, 1946.
    """
    both = keys.asked[a] & keys.asked[b]
    apart = (keys.points[b] - keys.points[a])[both]
    number, unequal, block = len(apart), int(np.count_nonzero(apart)), keys.blocks[both]
    if number < 2 or not apart.mean():
        return 1.0
    shown = apart
    if keys.steady:
        time = (keys.points[a] + keys.points[b])[both] / 2
        shown = without_drift(apart, time, keys.steady[a], keys.steady[b], both, block)
    mean = float(shown.mean())
    instances, degrees = variance_of_mean(shown, block)
    slopes = (keys.slopes[b] - keys.slopes[a])[None]
    (between,), freedom = workers.error(slopes)
    variance = max(instances + between, TINY)
    joint = variance**2 / max(instances**2 / degrees + between**2 / freedom, TINY)
    if mean * float(apart.mean()) <= 0:
        return 1.0
    found = float(student_p(np.array([abs(mean) / variance**0.5]), np.array([joint]))[0])
    if keys.families:  # signs of families: those of their instances are not independent
        unequal = int(np.count_nonzero(np.bincount(numbered(block), apart)))
    of_signs = float(0.5 ** max(unequal - 1, 0))
    return max(found, of_signs)


def without_drift(
    apart: Floats, time: Floats, one: Steady, other: Steady, both: BoolArray, block: Int64Array
) -> Floats:
    """Return differences of times that are free of drift, for instances where both have such times.

    A difference is a ratio times the instance's mean `time`, as far as ratios differ by more than noise, else times the
    mean of all.
    """
    ratios = np.log(other.seconds[both] / one.seconds[both])
    known = ~np.isnan(ratios)
    x, time, within = ratios[known], time[known], block[known]
    if not len(x):
        return apart
    sizes = np.bincount(within)
    residual = x - (np.bincount(within, x) / np.maximum(sizes, 1))[within]
    degrees = len(x) - int(np.count_nonzero(sizes))
    spread = float((residual**2).sum()) / max(degrees, 1)
    seen = one.noise and other.noise and degrees >= LEAST_DEGREES
    real = min(1.0, max(0.0, 1 - (one.noise + other.noise) / spread)) if seen and spread else 1.0
    found = apart.copy()
    found[known] = (real * time + (1 - real) * time.mean()) * x
    return found


def holm(p_values: Floats) -> Floats:
    """Return p-values corrected for their number (S. Holm, 1979)."""
    order = p_values.argsort(kind="stable")
    steps = p_values[order] * np.arange(len(p_values), 0, -1)
    corrected = np.empty_like(p_values)
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return corrected


def behind(keys: Keys, workers: Workers, order: Int64Array) -> BoolArray:
    """Return bool[contenders, contenders]: True at [a, b] if b, later in `order`, is shown to be behind a.

    If b is behind a, then b and all later contenders are behind a and all earlier ones. So a tested difference counts
    only if the pairs around it differ too, and no difference contradicts the order.
    """
    n = len(keys.means)
    p_values = np.ones((n, n))
    for one, other in combinations(range(n), 2):
        p_values[one, other] = pair_test(keys, workers, one, other)
    tested = np.triu(keys.wrong[:, None] == keys.wrong, 1)
    if tested.any():
        p_values[tested] = holm(p_values[tested])
    differ = (np.minimum(p_values, p_values.T) < LEVEL) & (tested | tested.T)
    differ |= keys.wrong[:, None] != keys.wrong
    differ &= (keys.means[:, None] < keys.means) | (keys.wrong[:, None] < keys.wrong)
    at = np.ix_(order, order)
    found = np.zeros((n, n), np.bool_)
    found[at] = np.triu(closed(differ[at]), 1)
    return found


def closed(differ: BoolArray) -> BoolArray:
    """Return bool[n, n], True at [i, j] if `differ` is True at all [a, b] with a <= i and b >= j."""
    rows = np.logical_and.accumulate(differ, axis=0)
    found: BoolArray = np.logical_and.accumulate(rows[:, ::-1], axis=1)[:, ::-1]
    return found


def groups_of(order: Int64Array, behind: BoolArray) -> list[list[int]]:
    """Return the longest runs of contenders, in this order, in which nobody is shown to be behind another."""
    found: list[list[int]] = []
    stop = 0
    for start in range(len(order)):
        end = stop
        while end < len(order) and not behind[np.ix_(order[start : end + 1], order[start : end + 1])].any():
            end += 1
        if end > stop:
            found.append(order[start:end].tolist())
            stop = end
    return found
