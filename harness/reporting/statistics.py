"""Pure functions from raw times to figures. Times are nanoseconds in, seconds out; a ratio is after / before.

cluster  puzzles that one batch held: what disturbs one of them may disturb all, so they are resampled together
decided  answered, and not refuted
"""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from backends.answer import BoolArray, Int64Array

NANO = 1e9
LEVEL = 0.99  # of every interval: two clocks are looked at, and a gate is run every day
DRAWS = 2000
BETWEEN_WORKER_SD = 0.025  # standard deviation of the log ratio of two fresh workers' times: benchmarks/honesty.md
PRIOR_WEIGHT = 8  # how many repeats that figure weighs as much as
Floats = npt.NDArray[np.float64]


def median_by(keys: Int64Array, values: Int64Array | Floats) -> Floats:
    """The median of the values of each key (from 0), keys ascending; `keys` and `values` go side by side."""
    order = np.lexsort((values, keys))
    sorted_keys, sorted_values = keys[order], values[order].astype(np.float64)
    starts = np.flatnonzero(np.diff(sorted_keys, prepend=-1))
    counts = np.diff(starts, append=len(sorted_keys))
    low, high = starts + (counts - 1) // 2, starts + counts // 2
    result: Floats = (sorted_values[low] + sorted_values[high]) / 2
    return result


def any_by_puzzle(puzzles: Int64Array, flags: BoolArray, size: int) -> BoolArray:
    """Of puzzles 1..size: whether any repeat has the flag; index 0 is unused."""
    result = np.zeros(size + 1, np.bool_)
    result[puzzles[flags]] = True
    return result


def spread(seconds: Floats) -> dict[str, float | None]:
    """total, median, mean, p95 and max, or None for each where there is nothing."""
    if not len(seconds):
        return dict.fromkeys(("total", "median", "mean", "p95", "max"))
    return {
        "total": float(seconds.sum()),
        "median": float(np.median(seconds)),
        "mean": float(seconds.mean()),
        "p95": float(np.quantile(seconds, 0.95)),
        "max": float(seconds.max()),
    }


def par(seconds: Floats, puzzles: int, limit: float, factor: int) -> float | None:
    """Mean of the time where solved and of `factor` times the limit where not; `seconds` are those of the solved."""
    return float((seconds.sum() + factor * limit * (puzzles - len(seconds))) / puzzles) if puzzles else None


@dataclass(frozen=True)
class Ratio:
    """A geometric mean of ratios and its interval at LEVEL, as logarithms; `pairs` is how many were put in."""

    log: float
    low: float
    high: float
    pairs: int

    def texts(self) -> tuple[float, float, float]:
        """The ratio and its interval, no longer as logarithms."""
        value, low, high = np.exp([self.log, self.low, self.high]).tolist()
        return value, low, high


def z_score(level: float) -> float:
    """How many standard z_score a two-sided interval reaches."""
    return NormalDist().inv_cdf((1 + level) / 2)


def student_factor(level: float, freedom: float) -> float:
    """How much wider a two-sided interval is with so few degrees of freedom (Cornish and Fisher's expansion)."""
    z = z_score(level)
    return 1 + (z**2 + 1) / (4 * freedom) + (5 * z**4 + 16 * z**2 + 3) / (96 * freedom**2)


def paired_ratio(
    before: Floats, after: Floats, clusters: Int64Array, level: float = LEVEL, draws: int = DRAWS, seed: int = 1
) -> Ratio:
    """Geometric mean of after/before, side by side by puzzle, with a bootstrap interval over clusters.

    The percentile interval is widened for few clusters, of which the bootstrap alone thinks too well. With fewer than
    three clusters nothing can be said of the noise: the interval is infinite.
    """
    if not len(before):
        return Ratio(0.0, -np.inf, np.inf, 0)
    logs = np.log(after / before)
    _, of = np.unique(clusters, return_inverse=True)
    sums, sizes = np.bincount(of, logs), np.bincount(of)
    n, value = len(sums), float(logs.mean())
    if n < 3:
        return Ratio(value, -np.inf, np.inf, len(logs))
    rng, means = np.random.default_rng(seed), np.empty(draws)
    step = max(1, 1_000_000 // n)
    for start in range(0, draws, step):
        drawn = rng.integers(n, size=(min(step, draws - start), n))
        means[start : start + step] = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2]).tolist()
    wider = student_factor(level, n - 1) * np.sqrt(n / (n - 1))
    return Ratio(value, value + (low - value) * wider, value + (high - value) * wider, len(logs))


def worker_error(levels: Floats, spread: float = BETWEEN_WORKER_SD) -> tuple[float, float]:
    """Standard error of the mean of these levels (logarithms, one a repeat), and its degrees of freedom.

    Where a process lies in memory makes all its times longer or shorter by some percent. Each repeat has fresh workers,
    so repeats show by how much; a few show it badly, so they are pooled with what is known beforehand.
    """
    n = max(len(levels), 1)
    freedom = PRIOR_WEIGHT + n - 1
    squares = float(((levels - levels.mean()) ** 2).sum()) if len(levels) else 0.0
    return float(np.sqrt((PRIOR_WEIGHT * spread**2 + squares) / freedom / n)), freedom


def widen(ratio: Ratio, margin: float, drift: float = 0.0) -> Ratio:
    """The ratio with a wider interval: by an independent margin, and by a drift that it may or may not hold already."""
    low = ratio.log - float(np.hypot(ratio.log - ratio.low, margin))
    high = ratio.log + float(np.hypot(ratio.high - ratio.log, margin))
    return Ratio(ratio.log, min(low, low - drift), max(high, high - drift), ratio.pairs)


def cluster_sums(times: Floats, clusters: Int64Array) -> Floats:
    """The sum of each cluster: what is left to compare where a batch was timed as a whole."""
    _, of = np.unique(clusters, return_inverse=True)
    sums: Floats = np.bincount(of, times).astype(np.float64)
    return sums


@dataclass(frozen=True)
class Portfolio:
    """Contenders taken together, by PAR-k.

    best    of the virtual best solver: at each puzzle the fastest of all who decided it
    wins    int64[contenders], puzzles at which it was that
    alone   int64[contenders], puzzles that nobody else decided
    worth   float64[contenders], seconds a puzzle by which the virtual best is worse without it
    """

    best: float
    wins: Int64Array
    alone: Int64Array
    worth: Floats


def portfolio(times: Floats, limit: float, factor: int = 2) -> Portfolio:
    """The virtual best solver of times float64[contenders, puzzles], in seconds, NaN where undecided."""
    penalised = np.where(np.isnan(times), factor * limit, times)
    decided = ~np.isnan(times)
    anybody = decided.any(axis=0)
    best = penalised.min(axis=0)
    fastest = np.bincount(penalised.argmin(axis=0)[anybody], minlength=len(times))
    alone = (decided & (decided.sum(axis=0) == 1)).sum(axis=1)
    worth = np.empty(len(times))
    for i in range(len(times)):
        others = np.delete(penalised, i, axis=0)
        without = others.min(axis=0) if len(others) else np.full(times.shape[1], factor * limit)
        worth[i] = (without - best).mean()
    return Portfolio(float(best.mean()), fastest, alone, worth)
