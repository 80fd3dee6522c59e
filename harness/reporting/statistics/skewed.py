"""Intervals of means of skewed values, such as times, over instances or families of instances like these.

They are of the logarithm of the mean, by a jackknife over families and Student's t. Where rare families have most of
the time, a sample without these has too small a mean and, for the same reason, too small a standard error, so the
interval of the jackknife lies too low: of ten lognormal families (sd 1.1) it covers 91 %, and all it misses is above.
So the upper end is at least that of a lognormal mean, whose error comes from the spread of logarithms (X. H. Zhou,
S. Gao, Confidence intervals for the log-normal mean, Statistics in Medicine 16, 1997, after D. R. Cox). There families
weigh as the fourth root of their means: this leaves the variance of lognormal logarithms as it is, and ignores families
that take nearly no time.
"""

import numpy as np

from harness.reporting.statistics.estimates import Floats, numbered
from harness.reporting.statistics.workers import distance_at
from puzzles.problem.arrays import BoolArray, Int64Array

WEIGHT = 0.25  # power of a family's mean that is its weight


def log_interval(a: Floats, b: Floats, families: Int64Array, level: float) -> tuple[float, float]:
    """Return the ends of the interval of log(sum(b) / sum(a)) over families like these, from positive float64[n] each.

    By a jackknife over families and Student's t. Few families with most of the sum count as few: the degrees of freedom
    are those of as many equal families as have the same sum of squared shares.
    """
    family = numbered(families)
    sums = np.array([np.bincount(family, values) for values in (a, b)])
    number, totals = sums.shape[1], sums.sum(axis=1, keepdims=True)
    log = float(np.log(totals[1, 0] / totals[0, 0]))
    equal = 1 / float(((sums / totals) ** 2).sum(axis=1).max())
    if number < 2 or equal <= 1 or (totals <= sums).any():
        return -np.inf, np.inf
    without = np.log((totals[1] - sums[1]) / (totals[0] - sums[0]))
    error = float(((without - without.mean()) ** 2).sum() * (number - 1) / number) ** 0.5
    half = distance_at(1 - level, max(1, int(equal) - 1)) * error
    return log - half, log + half


def mean_interval(values: Floats, families: Int64Array, level: float) -> tuple[float, float]:
    """Return the interval of the mean of values, 0 or more, over families like these; 0 to infinity if unknown."""
    if not values.sum() > 0:
        return 0.0, np.inf
    low, high = log_interval(np.ones(len(values)), values, families, level)
    family = numbered(families)
    sizes = np.bincount(family).astype(np.float64)
    means = np.bincount(family, values) / sizes
    kept = means > 0
    logs, weights = np.log(means[kept]), means[kept] ** WEIGHT
    weights /= weights.sum()
    equal = 1 / float((weights**2).sum())  # as many equal weights
    if equal > 1 and np.isfinite(high):
        variance = float((weights * (logs - (weights * logs).sum()) ** 2).sum()) * equal / (equal - 1)
        number = float(sizes.sum()) ** 2 / float((sizes**2).sum())
        error = (variance / number + variance**2 / (2 * (equal - 1))) ** 0.5
        high = max(high, float(np.log(values.mean())) + distance_at(1 - level, max(1, int(equal) - 1)) * error)
    with np.errstate(over="ignore"):
        return float(np.exp(low)), float(np.exp(high))


def mean_intervals(points: Floats, asked: BoolArray, families: Int64Array, level: float) -> Floats:
    """Return float64[2, contenders], intervals of the means of points[contenders, instances] where asked."""
    each = [mean_interval(row[known], families[known], level) for row, known in zip(points, asked, strict=True)]
    return np.array(each, np.float64).reshape(len(points), 2).T
