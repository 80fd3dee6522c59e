"""Intervals of means of bounded values over instances, valid for few instances, and for failures not yet seen.

An end is a quantile of weighted means: the instances and one additional instance, which has the worst possible value
for the upper end and the best for the lower end, get random weights, exponential and scaled to a sum of 1 (N. Gaffke,
Three test statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative variable, Math. Methods
Statist. 14, 2005). Without the additional instance this is the Bayesian bootstrap; of shares the ends are those of
Clopper and Pearson.

The report page draws the same weights: they come from a hash of a counter, the finaliser of MurmurHash3 (A. Appleby,
2011), which is public domain. Beyond MOST instances, every MOST-th instance shares a weight.
"""

from collections.abc import Iterator

import numpy as np

from harness.reporting.statistics.estimates import Floats
from puzzles.problem.arrays import BoolArray, Int64Array

LEVEL = 0.95
DRAWS = 1000
MOST = 10_000  # weights in a draw
START = 0x9E3779B9
AT_ONCE = 1 << 20  # numbers in memory


def hashes(first: int, size: int) -> Int64Array:
    """Return int64[size], random 32-bit numbers for counters from `first` on."""
    h = (np.arange(first, first + size, dtype=np.uint64) + START).astype(np.uint32)
    h ^= h >> np.uint32(16)
    h *= np.uint32(0x85EBCA6B)
    h ^= h >> np.uint32(13)
    h *= np.uint32(0xC2B2AE35)
    h ^= h >> np.uint32(16)
    return h.astype(np.int64)


def weights(size: int) -> Iterator[Floats]:
    """Yield float64[rows, size], exponential random numbers; DRAWS rows in all."""
    step = max(1, AT_ONCE // size)
    for start in range(0, DRAWS, step):
        rows = min(step, DRAWS - start)
        drawn: Floats = -np.log((hashes(start * size, rows * size).reshape(rows, size) + 0.5) / 2**32)
        yield drawn


def intervals(points: Floats, asked: BoolArray, most: float) -> Floats:
    """Return float64[2, contenders], intervals of the means of points[contenders, instances] where asked.

    Points are from 0 to `most`.
    """
    size = min(points.shape[1], MOST)
    sums, counts = (folded(of, size).T for of in (points * asked, asked.astype(np.float64)))
    rows = []
    for drawn in weights(size + 1):
        more, total = drawn[:, -1:], drawn[:, :-1] @ counts + drawn[:, -1:]
        rows.append(np.stack([(drawn[:, :-1] @ sums + extreme * more) / total for extreme in (0.0, most)]))
    low, high = np.concatenate(rows, axis=1)
    return np.array([np.quantile(low, (1 - LEVEL) / 2, 0), np.quantile(high, (1 + LEVEL) / 2, 0)])


def folded(values: Floats, size: int) -> Floats:
    """Return float64[contenders, size]: sums of values[contenders, instances] at equal positions of runs."""
    contenders, n = values.shape
    runs = -(-n // size)
    padded = np.zeros((contenders, runs * size))
    padded[:, :n] = values
    found: Floats = padded.reshape(contenders, runs, size).sum(axis=1)
    return found


def widened(values: Floats, ends: Floats, margin: Floats, most: float) -> Floats:
    """Return intervals ends[2, contenders] of values, widened by an independent margin, within 0 and `most`."""
    low, high = (np.hypot(values - end, margin) for end in ends)
    return np.array([np.maximum(values - low, 0.0), np.minimum(values + high, most)])


def mean_interval(values: Floats, most: float) -> tuple[float, float]:
    """Return the interval of the mean of at least one value from 0 to `most`."""
    low, high = intervals(values[None], np.ones((1, len(values)), np.bool_), most)[:, 0].tolist()
    return low, high
