"""Bootstrap interval of a mean, with random numbers that the report page can draw in the same way.

The numbers are a hash of a counter, so no generator has to be written twice: the finaliser of MurmurHash3
(A. Appleby, 2011), which is public domain. Of more than MOST instances only MOST are drawn, and the distances from the
mean shrink by the root of the part that was drawn (P. J. Bickel and others, m out of n bootstrap, 1997).
"""

from collections.abc import Iterator

import numpy as np

from backends.answer import Int64Array
from harness.reporting.statistics import Floats

LEVEL = 0.95
DRAWS = 1000
MOST = 10_000  # instances in a draw
START = 0x9E3779B9
AT_ONCE = 1 << 20  # numbers in memory


def positions(first: int, size: int, n: int) -> Int64Array:
    """Return int64[size], random numbers below `n`, of the counters from `first`."""
    h = (np.arange(first, first + size, dtype=np.uint64) + START).astype(np.uint32)
    h ^= h >> np.uint32(16)
    h *= np.uint32(0x85EBCA6B)
    h ^= h >> np.uint32(13)
    h *= np.uint32(0xC2B2AE35)
    h ^= h >> np.uint32(16)
    return ((h.astype(np.uint64) * np.uint64(n)) >> np.uint64(32)).astype(np.int64)


def resamples(n: int) -> Iterator[Int64Array]:
    """Yield int64[rows, drawn], the positions that each resample of n values draws; DRAWS rows in all."""
    drawn, step = min(n, MOST), max(1, AT_ONCE // n)
    for start in range(0, DRAWS, step):
        rows = min(step, DRAWS - start)
        yield positions(start * drawn, rows * drawn, n).reshape(rows, drawn)


def mean_interval(values: Floats) -> tuple[float, float]:
    """Return the percentile interval of the mean of values, of which there must be some."""
    n, mean = len(values), values.mean()
    means = np.concatenate([values[at].mean(axis=1) for at in resamples(n)])
    ends = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    low, high = (mean + (ends - mean) * (min(n, MOST) / n) ** 0.5).tolist()
    return low, high
