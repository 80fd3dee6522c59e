"""Variance of values in groups, split into variance between groups and variance within groups.

The split is the one-way analysis of variance of random effects (S. R. Searle, G. Casella, C. E. McCulloch, Variance
Components, Wiley 1992, chapter 3). Groups are folders of instances, or instances with their repeats: under other seeds
or scrambles the variance within an instance is luck.
"""

from typing import NamedTuple

import numpy as np

from harness.reporting.statistics.estimates import Floats, student_quantile
from harness.reporting.statistics.steady import error_of_median
from puzzles.problem.arrays import Int64Array

LEVEL = 0.95
FEWEST = 3  # instances with several repeats that show luck


class Variances(NamedTuple):
    """Mean squares between and within groups, the number of groups, and the size of as many equal groups."""

    between: float
    within: float
    groups: int
    size: float

    @property
    def share(self) -> float:
        """Share of the variance of a value that is between groups, from 0 to 1."""
        return self.share_at(1.0)

    def share_at(self, factor: float) -> float:
        """Return `share` if `between` is multiplied by a factor."""
        more = max(0.0, self.between * factor - self.within) / self.size
        return 1 / (1 + self.within / more) if more else 0.0


class Luck(NamedTuple):
    """Variation between repeats of one instance, in a table of log times or log ratios.

    sd         standard deviation within an instance: by luck a value is off by a factor of about exp(sd)
    share      share of the variance of single values that is luck, with its 95 % interval from `low` to `high`
    of_median  the same share after each instance has the median of its repeats
    mean_sd    standard deviation that luck leaves in the mean of these medians
    instances  number of instances with several repeats
    """

    sd: float
    share: float
    low: float
    high: float
    of_median: float
    mean_sd: float
    instances: int


class GroupSums(NamedTuple):
    """GroupSums over groups of centred values: sizes, values, squares of group means by size, squares within groups."""

    sizes: Floats
    values: Floats
    means: Floats
    within: Floats


def sums_of(values: Floats, of: Int64Array) -> GroupSums:
    """Return the sums of each group, of values float64[n] in groups int64[n], numbered from 0 without gaps."""
    values = values - values.mean()
    sizes: Floats = np.bincount(of).astype(np.float64)
    sums: Floats = np.bincount(of, values).astype(np.float64)
    within: Floats = np.bincount(of, (values - (sums / sizes)[of]) ** 2).astype(np.float64)
    return GroupSums(sizes, sums, sums**2 / sizes, within)


def mean_squares(totals: GroupSums, groups: int) -> tuple[Floats, Floats]:
    """Return the mean squares between and within groups, of totals over groups."""
    between = (totals.means - totals.values**2 / totals.sizes) / (groups - 1)
    return between, totals.within / (totals.sizes - groups)


def variances(values: Floats, of: Int64Array) -> Variances | None:
    """Return the parts of the variance of values float64[n] in groups int64[n]; None with too few values."""
    groups, n = int(of.max(initial=-1)) + 1, len(of)
    if groups < 2 or n - groups < 2:
        return None
    sums = sums_of(values, of)
    between, within = mean_squares(GroupSums(*(each.sum() for each in sums)), groups)
    return Variances(float(between), float(within), groups, (n - float((sums.sizes**2).sum()) / n) / (groups - 1))


def luck(values: Floats) -> Luck | None:
    """Return the luck in values float64[repeats, instances], NaN where unknown; None for fewer than FEWEST instances.

    Values are logarithms of times or of ratios. The interval of the share is that of the logarithm of the ratio of mean
    squares, by a jackknife over instances: luck of searches has heavy tails, so a table of F does not fit it.
    """
    known = ~np.isnan(values)
    known = known[:, known.sum(axis=0) > 1]
    instances = known.shape[1]
    if instances < FEWEST:
        return None
    table = values[:, (~np.isnan(values)).sum(axis=0) > 1]
    of = np.nonzero(known.T)[0]
    found = variances(table.T[known.T], of)
    if found is None or not found.within:
        return None
    sums = sums_of(table.T[known.T], of)
    with np.errstate(divide="ignore"):
        between, within = mean_squares(GroupSums(*(each.sum() - each for each in sums)), instances - 1)
        without = np.log(between) - np.log(within)
    error = float(((without - without.mean()) ** 2).sum() * (instances - 1) / instances) ** 0.5
    half = student_quantile(LEVEL, instances - 1) * error if np.isfinite(error) else np.inf
    low, share, high = (1 - found.share_at(float(np.exp(at))) for at in (half, 0.0, -half))
    median = error_of_median(round(found.size))
    left = median * share / (median * share + 1 - share)
    return Luck(found.within**0.5, share, low, high, left, (found.within * median / instances) ** 0.5, instances)
