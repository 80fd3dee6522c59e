"""Contenders that a run tells apart by their score: a test of each pair, corrected by Holm, and groups of what remains.

The test is of the score that orders the contenders: the mean over instances of the difference of their points, in
standard errors, by Student's t. The error has two parts, the scatter over instances and that of workers
(harness/reporting/workers.py). With few instances t needs normal differences, so no p-value is below that of an exact
test of signs. S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statist. 6, 1979.
"""

from typing import NamedTuple

import numpy as np

from harness.reporting.statistics import Floats, student_p
from harness.reporting.workers import Workers
from puzzles.problem.arrays import BoolArray, Int64Array

LEVEL = 0.05  # chance that any pair is called different where none is
MOST_TESTED = 100  # contenders that are tested: of more, the correction leaves few pairs
TINY = 1e-300  # in the place of a variance of 0


class Keys(NamedTuple):
    """Points by which the smaller mean ranks first, with their means, and how they follow from the times of workers.

    points  float64[contenders, instances]      asked   bool of the same, instances that count
    means   float64[contenders]                 slopes  float64[contenders, contenders], as in workers.py
    wrong   bool[contenders], behind all others without a test
    """

    points: Floats
    asked: BoolArray
    means: Floats
    slopes: Floats
    wrong: BoolArray


def ranks(values: Floats) -> Int64Array:
    """Return the ranks, from 1, of values[rows, n] within each row, the smallest first; equal ones get the lowest."""
    order = values.argsort(axis=1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=1)
    rises = np.ones(values.shape, np.bool_)
    rises[:, 1:] = ordered[:, 1:] > ordered[:, :-1]
    lowest = np.maximum.accumulate(np.where(rises, np.arange(1, values.shape[1] + 1), 0), axis=1)
    found = np.empty(values.shape, np.int64)
    np.put_along_axis(found, order, lowest, axis=1)
    return found


def mean_ranks(values: Floats) -> Floats:
    """Return the ranks of values[rows, n] within each row; equal ones share the mean of theirs."""
    found: Floats = (ranks(values) + values.shape[1] + 1 - ranks(-values)) / 2
    return found


def tests_of(keys: Keys, workers: Workers, one: int) -> Floats:
    """Return the p-values float64[others] that a contender and each of the later ones have the same mean.

    Degrees of freedom of the sum of both variances by F. Satterthwaite, Biometrics Bulletin 2, 1946.
    """
    both = keys.asked[one] & keys.asked[one + 1 :]
    apart = np.where(both, keys.points[one + 1 :] - keys.points[one], 0.0)
    number = both.sum(axis=1)
    size, degrees = np.maximum(number, 1), np.maximum(number - 1, 1)
    mean = apart.sum(axis=1) / size
    instances = (np.where(both, apart - mean[:, None], 0.0) ** 2).sum(axis=1) / degrees / size
    between, freedom = workers.error(keys.slopes[one + 1 :] - keys.slopes[one])
    variance = np.maximum(instances + between, TINY)
    joint = variance**2 / np.maximum(instances**2 / degrees + between**2 / freedom, TINY)
    floor = 0.5 ** np.maximum((apart != 0).sum(axis=1) - 1.0, 0.0)
    p_values = np.maximum(student_p(np.abs(mean) / np.sqrt(variance), joint), floor)
    found: Floats = np.where((number < 2) | (mean == 0), 1.0, p_values)
    return found


def holm(p_values: Floats) -> Floats:
    """Return p-values corrected for their number (S. Holm, 1979)."""
    order = p_values.argsort(kind="stable")
    steps = p_values[order] * np.arange(len(p_values), 0, -1)
    corrected = np.empty_like(p_values)
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return corrected


def behind(keys: Keys, workers: Workers, order: Int64Array) -> BoolArray:
    """Return bool[contenders, contenders]: true at [a, b] where b, which `order` has later, is shown to be behind a.

    Who is shown to be behind a contender is also behind those before it, with all that follow: so a difference that a
    test shows counts only if the tests of the pairs around it show theirs, and no difference contradicts the order.
    """
    n = len(keys.means)
    p_values = np.ones((n, n))
    for one in range(n):
        p_values[one, one + 1 :] = tests_of(keys, workers, one)
    tested = np.triu(keys.wrong[:, None] == keys.wrong, 1)
    if tested.any():
        p_values[tested] = holm(p_values[tested])
    differ = (np.minimum(p_values, p_values.T) < LEVEL) & (tested | tested.T)
    differ |= keys.wrong[:, None] != keys.wrong
    differ &= (keys.means[:, None] < keys.means) | (~keys.wrong[:, None] & keys.wrong)
    at = np.ix_(order, order)
    found = np.zeros((n, n), np.bool_)
    found[at] = np.triu(closed(differ[at]), 1)
    return found


def closed(differ: BoolArray) -> BoolArray:
    """Return bool[n, n], true at [i, j] if `differ` is at all [a, b] with a up to i and b from j."""
    rows = np.logical_and.accumulate(differ, axis=0)
    found: BoolArray = np.logical_and.accumulate(rows[:, ::-1], axis=1)[:, ::-1]
    return found


def groups_of(order: Int64Array, behind: BoolArray) -> list[list[int]]:
    """Return the longest runs of contenders, in this order, of which none is shown to be behind another."""
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
