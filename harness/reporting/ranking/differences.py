"""Groups of contenders that a run does not tell apart: Wilcoxon's signed-rank test of each pair, corrected by Holm.

J. Demšar, Statistical comparisons of classifiers over multiple data sets, JMLR 7, 2006, orders by mean ranks and joins
what does not differ. His post-hoc test of mean ranks lets other contenders change the result of a pair, so pairs are
tested by themselves: A. Benavoli, G. Corani, F. Mangili, Should we really use post-hoc tests based on mean-ranks?,
JMLR 17, 2016.
"""

from math import erfc

import numpy as np

from backends.answer import BoolArray, Int64Array
from harness.reporting.statistics import Floats

LEVEL = 0.05  # chance that any pair is called different where none is
MOST_TESTED = 100  # contenders that are tested: of more, the correction leaves no pair
EXACT = 25  # differences up to which the distribution is computed


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


def signed_rank_test(differences: Floats) -> float:
    """Return the two-sided p-value that differences are symmetric about 0.

    Zeros take part in the ranking and then drop out (J. Pratt, 1959). The distribution over all signs is exact for up
    to EXACT other differences, with ties too; for more it is normal with its mean and variance.
    """
    sizes = mean_ranks(np.abs(differences)[None])[0]
    some, positive = sizes[differences != 0], float(sizes[differences > 0].sum())
    if not len(some):
        return 1.0
    if len(some) > EXACT:
        distance = abs(positive - some.sum() / 2) / float(np.sqrt((some**2).sum() / 4))
        return erfc(distance / 2**0.5)
    doubled = np.rint(2 * some).astype(np.int64)
    ways = np.zeros(int(doubled.sum()) + 1)
    ways[0] = 1
    for size in doubled.tolist():
        ways[size:] = ways[size:] + ways[:-size]
    at = round(2 * positive)
    return min(1.0, float(2 * min(ways[: at + 1].sum(), ways[at:].sum()) / ways.sum()))


def holm(p_values: Floats) -> Floats:
    """Return p-values corrected for their number (S. Holm, 1979)."""
    order = p_values.argsort(kind="stable")
    steps = p_values[order] * np.arange(len(p_values), 0, -1)
    corrected = np.empty_like(p_values)
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return corrected


def different(values: Floats) -> BoolArray:
    """Return bool[n, n], the pairs of contenders that differ, from values[n, instances]."""
    rows, columns = np.triu_indices(len(values), 1)
    tests = [signed_rank_test(values[a] - values[b]) for a, b in zip(rows, columns, strict=True)]
    found = np.zeros((len(values), len(values)), np.bool_)
    found[rows, columns] = holm(np.array(tests)) < LEVEL
    return found | found.T


def groups_of(order: Int64Array, differ: BoolArray) -> list[list[int]]:
    """Return the longest runs of contenders, in this order, in which no pair differs."""
    found: list[list[int]] = []
    stop = 0
    for start in range(len(order)):
        end = stop
        while end < len(order) and not differ[np.ix_(order[start : end + 1], order[start : end + 1])].any():
            end += 1
        if end > stop:
            found.append(order[start:end].tolist())
            stop = end
    return found
