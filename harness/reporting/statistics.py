"""Statistics of times, as pure functions. Ratios are after / before.

cluster  puzzles of one batch: a disturbance may affect all of them, so they are resampled together
decided  answered, and not refuted
"""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from backends.answer import Int64Array

NANO = 1e9
LEVEL = 0.99  # of every interval: high, since two clocks are tested and a gate may run daily
DRAWS = 2000  # of a bootstrap
BETWEEN_WORKER_SD = 0.025  # standard deviation of the log ratio of two fresh workers' times: benchmarks/honesty.md
PRIOR_WEIGHT = 8  # number of repeats that BETWEEN_WORKER_SD counts for
Floats = npt.NDArray[np.float64]


def median_by(keys: Int64Array, values: Int64Array | Floats) -> Floats:
    """Return the median of `values` per distinct key (0 or more) in `keys`, in ascending order of keys."""
    order = np.lexsort((values, keys))
    sorted_keys, sorted_values = keys[order], values[order].astype(np.float64)
    starts = np.flatnonzero(np.diff(sorted_keys, prepend=-1))
    counts = np.diff(starts, append=len(sorted_keys))
    low, high = starts + (counts - 1) // 2, starts + counts // 2
    result: Floats = (sorted_values[low] + sorted_values[high]) / 2
    return result


def describe(seconds: Floats) -> dict[str, float | None]:
    """Return total, median, mean, p95 and max; None for each if there are no times."""
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
    """Return PAR-k: the mean of `seconds`, and k = `factor` times the limit per unsolved puzzle."""
    return float((seconds.sum() + factor * limit * (puzzles - len(seconds))) / puzzles) if puzzles else None


@dataclass(frozen=True)
class Ratio:
    """Geometric mean of `pairs` ratios and its interval, as natural logarithms."""

    log: float
    low: float
    high: float
    pairs: int

    def values(self) -> tuple[float, float, float]:
        """Return the ratio and the ends of its interval, not as logarithms."""
        value, low, high = np.exp([self.log, self.low, self.high]).tolist()
        return value, low, high


def z_score(level: float) -> float:
    """Return the half-width of a two-sided normal interval, in standard deviations."""
    return NormalDist().inv_cdf((1 + level) / 2)


def student_factor(level: float, freedom: float) -> float:
    """Return the ratio of Student's t quantile to the normal one (Cornish-Fisher expansion)."""
    z = z_score(level)
    return 1 + (z**2 + 1) / (4 * freedom) + (5 * z**4 + 16 * z**2 + 3) / (96 * freedom**2)


def paired_ratio(
    before: Floats, after: Floats, clusters: Int64Array, level: float = LEVEL, draws: int = DRAWS, seed: int = 1
) -> Ratio:
    """Return the geometric mean of element-wise after / before, with a bootstrap interval over clusters.

    The percentile interval is widened for few clusters, where the bootstrap is overconfident. With fewer than three
    clusters the noise can't be estimated: the interval is infinite.
    """
    if not len(before):
        return Ratio(0.0, -np.inf, np.inf, 0)
    logs = np.log(after / before)
    _, cluster = np.unique(clusters, return_inverse=True)
    sums, sizes = np.bincount(cluster, logs), np.bincount(cluster)
    n, value = len(sums), float(logs.mean())
    if n < 3:
        return Ratio(value, -np.inf, np.inf, len(logs))
    rng, means = np.random.default_rng(seed), np.empty(draws)
    step = max(1, 1_000_000 // n)
    for start in range(0, draws, step):
        drawn = rng.integers(n, size=(min(step, draws - start), n))
        means[start : start + step] = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2]).tolist()
    factor = student_factor(level, n - 1) * np.sqrt(n / (n - 1))
    return Ratio(value, value + (low - value) * factor, value + (high - value) * factor, len(logs))


def worker_error(effects: Floats, prior: float = BETWEEN_WORKER_SD) -> tuple[float, float]:
    """Return standard error and degrees of freedom of the mean of `effects` (log, one per repeat).

    The memory layout of a process makes all its times longer or shorter by some percent. Each repeat has fresh workers,
    so repeats show by how much; few repeats estimate it badly, so they are pooled with the `prior` deviation.
    """
    n = max(len(effects), 1)
    freedom = PRIOR_WEIGHT + n - 1
    squares = float(((effects - effects.mean()) ** 2).sum()) if len(effects) else 0.0
    return float(np.sqrt((PRIOR_WEIGHT * prior**2 + squares) / freedom / n)), freedom


def widen(ratio: Ratio, margin: float, drift: float = 0.0) -> Ratio:
    """Widen the interval by an independent margin, and by a drift that the ratio may or may not contain."""
    low = ratio.log - float(np.hypot(ratio.log - ratio.low, margin))
    high = ratio.log + float(np.hypot(ratio.high - ratio.log, margin))
    return Ratio(ratio.log, min(low, low - drift), max(high, high - drift), ratio.pairs)


def cluster_sums(times: Floats, clusters: Int64Array) -> Floats:
    """Return the sum of each cluster, for batches that were timed as a whole."""
    _, cluster = np.unique(clusters, return_inverse=True)
    sums: Floats = np.bincount(cluster, times).astype(np.float64)
    return sums


@dataclass(frozen=True)
class Portfolio:
    """Virtual best solver: for each puzzle, the fastest contender that decided it.

    best    its PAR-k, in seconds
    wins    int64[contenders], puzzles that the contender decided fastest
    alone   int64[contenders], puzzles that no other contender decided
    worth   float64[contenders], seconds per puzzle by which PAR-k is worse without the contender
    """

    best: float
    wins: Int64Array
    alone: Int64Array
    worth: Floats


def portfolio(times: Floats, limit: float, factor: int = 2) -> Portfolio:
    """Return the virtual best solver for seconds float64[contenders, puzzles], NaN where undecided."""
    penalised = np.where(np.isnan(times), factor * limit, times)
    decided = ~np.isnan(times)
    solved = decided.any(axis=0)
    best = penalised.min(axis=0)
    fastest = np.bincount(penalised.argmin(axis=0)[solved], minlength=len(times))
    alone = (decided & (decided.sum(axis=0) == 1)).sum(axis=1)
    worth = np.empty(len(times))
    for i in range(len(times)):
        others = np.delete(penalised, i, axis=0)
        without = others.min(axis=0) if len(others) else np.full(times.shape[1], factor * limit)
        worth[i] = (without - best).mean()
    return Portfolio(float(best.mean()), fastest, alone, worth)
