"""Statistics of times, as pure functions. Ratios are after / before.

cluster  puzzles of one batch: a disturbance may affect all of them, so they are resampled together
decided  answered, and not refuted
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from puzzles.problem.arrays import Int64Array

LEVEL = 0.99  # level of every interval: high, since two clocks are tested and a gate may run daily
DRAWS = 2000  # draws of a bootstrap
BETWEEN_WORKER_SD = 0.025  # usual standard deviation of the log ratio of two fresh workers: benchmarks/honesty.md
LARGEST_WORKER_SD = 0.10  # standard deviation for a contender whose workers differ most; assumed with a single repeat
CHANGE = 2.8  # half-width of a mean of differences, in roots of their sum of squares: the fewest beyond it are 8
PRIOR_WEIGHT = 1  # degrees of freedom that BETWEEN_WORKER_SD counts for beside the repeats
MEDIAN_ERROR = 1.2  # standard error of the median of 3 or more repeats, relative to that of their mean
MOST_FREEDOM = 200  # degrees of freedom of a p-value: beyond, Student's t hardly changes
Floats = npt.NDArray[np.float64]


def middle_by(keys: Int64Array, values: Int64Array | Floats) -> tuple[Int64Array, Int64Array]:
    """Return positions of the middle values of each distinct key (0 or more), in ascending order of keys.

    The two positions of a key differ if its number of values is even; the median is the mean of their values.
    """
    if (keys[1:] > keys[:-1]).all():  # one value per key, in order: a single repeat
        at = np.arange(len(keys))
        return at, at
    order = np.lexsort((values, keys))
    starts = np.flatnonzero(np.diff(keys[order], prepend=-1))
    counts = np.diff(starts, append=len(keys))
    return order[starts + (counts - 1) // 2], order[starts + counts // 2]


def mean_of_both(values: Int64Array | Floats, both: tuple[Int64Array, Int64Array]) -> Floats:
    """Return the mean of the values at two arrays of positions."""
    first: Floats = values[both[0]].astype(np.float64)
    if both[0] is not both[1]:
        first += values[both[1]]
        first /= 2
    return first


def quantile(values: Floats | Int64Array, share: float) -> float:
    """Return a quantile of at least one value, none of them NaN, interpolated linearly from the nearer value.

    The result equals `np.quantile` to the last bit, but NumPy's functions for medians and quantiles load its masked
    arrays, which takes longer than a whole summary.
    """
    at = share * (len(values) - 1)
    i, j = int(at), min(int(at) + 1, len(values) - 1)
    low, high = np.partition(values, (i, j))[[i, j]]
    part = at - i
    return float(low + (high - low) * part if part < 0.5 else high - (high - low) * (1 - part))


def median(values: Floats) -> float:
    """Return the median of at least one value, none of them NaN."""
    middle = [(len(values) - 1) // 2, len(values) // 2]
    low, high = np.partition(values, middle)[middle]
    return float((low + high) / 2)


def numbered(values: Int64Array) -> Int64Array:
    """Return the number, from 0, of each value among the distinct values in ascending order."""
    ordered = np.sort(values)
    distinct = ordered[np.diff(ordered, prepend=ordered[:1] - 1) != 0]
    found: Int64Array = np.searchsorted(distinct, values)
    return found


def describe(seconds: Floats) -> dict[str, float | None]:
    """Return total, median, mean, p95 and max; None for each if there are no times."""
    if not len(seconds):
        return dict.fromkeys(("total", "median", "mean", "p95", "max"))
    return {
        "total": float(seconds.sum()),
        "median": median(seconds),
        "mean": float(seconds.mean()),
        "p95": quantile(seconds, 0.95),
        "max": float(seconds.max()),
    }


def par(seconds: Floats, puzzles: int, limit: float, factor: int) -> float | None:
    """Return PAR-k: the mean of `seconds`, with k = `factor` times the limit per unsolved puzzle."""
    return float((seconds.sum() + factor * limit * (puzzles - len(seconds))) / puzzles) if puzzles else None


@dataclass(frozen=True)
class Ratio:
    """Geometric mean of `pairs` ratios and its interval, as natural logarithms."""

    log: float
    low: float
    high: float
    pairs: int

    def values(self) -> tuple[float, float, float]:
        """Return the ratio and the ends of its interval, as plain numbers."""
        value, low, high = np.exp([self.log, self.low, self.high]).tolist()
        return value, low, high


def z_score(level: float) -> float:
    """Return the half-width of a two-sided normal interval, in standard deviations."""
    from statistics import NormalDist  # which loads fractions, decimals and random numbers

    return NormalDist().inv_cdf((1 + level) / 2)


def student_quantile(level: float, freedom: float) -> float:
    """Return the half-width of a two-sided interval by Student's t, in standard errors.

    Hill's expansion, Algorithm 396 of the ACM (1970), for whole degrees of freedom from 1; exact for 1 and 2.
    """
    p, n = 1 - level, freedom
    if n == 1:
        return float(1 / np.tan(p * np.pi / 2))
    if n == 2:
        return float(np.sqrt(2 / (p * (2 - p)) - 2))
    a = 1 / (n - 0.5)
    b = 48 / a**2
    c = ((20700 * a / b - 98) * a - 16) * a + 96.36
    d = ((94.5 / (b + c) - 3) / b + 1) * float(np.sqrt(a * np.pi / 2)) * n
    y = (d * p) ** (2 / n)
    if y > 0.05 + a:
        x = z_score(level)
        y = x**2
        if n < 5:
            c += 0.3 * (n - 4.5) * (x - 0.6)
        c += (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b
        y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x
        y = float(np.expm1(a * y**2))
    else:
        y = ((1 / (((n + 6) / (n * y) - 0.089 * d - 0.822) * (n + 2) * 3) + 0.5 / (n + 4)) * y - 1) * (n + 1) / (
            n + 2
        ) + 1 / y
    return float(np.sqrt(n * y))


def student_p(distances: Floats, freedom: Floats) -> Floats:
    """Return two-sided p-values of distances in standard errors, by Student's t.

    Degrees of freedom are rounded down to a whole number from 1 to MOST_FREEDOM: then the distribution is a finite sum
    (M. Abramowitz, I. Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4).
    """
    n = np.clip(freedom, 1, MOST_FREEDOM).astype(np.int64)
    angle = np.arctan(distances / np.sqrt(n))
    cosine, sine = np.cos(angle), np.sin(angle)
    term, total = np.ones_like(angle), (n > 1).astype(np.float64)
    for k in range(2, int(n.max(initial=1)) - 1):
        used = (k <= n - 2) & ((n - k) % 2 == 0)
        term = np.where(used, term * cosine**2 * (k - 1) / k, term)
        total += np.where(used, term, 0.0)
    inside = np.where(n % 2, (angle + sine * cosine * total) * 2 / np.pi, sine * total)
    found: Floats = np.maximum(0.0, 1 - inside)
    return found


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
    cluster = numbered(clusters)
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
    factor = student_quantile(level, n - 1) / z_score(level) * np.sqrt(n / (n - 1))
    return Ratio(value, value + (low - value) * factor, value + (high - value) * factor, len(logs))


def variance_of_mean(values: Floats, block: Int64Array) -> tuple[float, float]:
    """Return the variance of a mean, with degrees of freedom: over instances, or over blocks if that is more."""
    n = len(values)
    alone = float(values.var(ddof=1)) / n
    sizes = np.bincount(block)
    blocks, sums = int(np.count_nonzero(sizes)), np.bincount(block, values - values.mean())
    together = float((sums**2).sum()) / n**2 * blocks / (blocks - 1) if blocks > 1 else 0.0
    return (together, max(n**2 / float((sizes**2).sum()) - 1, 1.0)) if together > alone else (alone, n - 1.0)


def mean_interval(values: Floats, level: float = LEVEL) -> tuple[float, float, float]:
    """Return the mean of values and the ends of its Student interval, infinite for fewer than two."""
    n = len(values)
    mean = float(values.mean()) if n else 0.0
    if n < 2:
        return mean, -np.inf, np.inf
    half = student_quantile(level, n - 1) * float(values.std(ddof=1)) / n**0.5
    return mean, mean - half, mean + half


def mean_change(values: Floats, clusters: Int64Array) -> Ratio:
    """Return the mean of differences that are mostly 0, with an interval over clusters.

    Its half-width is CHANGE times the root of the sum of squares over clusters. If no cluster has a change, each sum is
    as likely to be positive as negative; the mean is then beyond the half-width in at most 1 % of cases. A bootstrap
    is too sure where few clusters changed: it would call six in one direction, which is as likely as 3 %.
    """
    if not len(values):
        return Ratio(0.0, 0.0, 0.0, 0)
    cluster = numbered(clusters)
    sums, mean = np.bincount(cluster, values), float(values.mean())
    half = CHANGE * float(np.sqrt((sums**2).sum())) / len(values)
    return Ratio(mean, mean - half, mean + half, len(values))


def middle(values: Floats) -> Floats:
    """Return the median over repeats of values float64[repeats, n] that are not NaN; NaN where there is none."""
    ordered = np.sort(np.vstack([values, np.full((1, values.shape[1]), np.nan)]), axis=0)  # NaN last, at least one
    last = np.maximum((~np.isnan(values)).sum(axis=0) - 1, 0)
    low, high = (np.take_along_axis(ordered, at[None], axis=0)[0] for at in (last // 2, (last + 1) // 2))
    found: Floats = (low + high) / 2
    return found


def worker_margin(
    effects: Floats, usual: float = BETWEEN_WORKER_SD, share: float = 1.0, largest: float = LARGEST_WORKER_SD
) -> float:
    """Return the half-width due to variation between workers, from `effects`, log[repeats].

    The memory layout of a process makes all its times longer or shorter by some percent. Each repeat has fresh workers,
    so repeats show by how much, together with the `usual` deviation, which counts for PRIOR_WEIGHT repeats. One repeat
    shows nothing, so the `largest` known difference between workers is assumed. Both deviations are of ratios; the
    effect of one side has a `share` of them.
    """
    if len(effects) < 2:
        return z_score(LEVEL) * share * max(usual, largest)
    variance, freedom = combined_variance(effects[None], np.array([(share * usual) ** 2]))
    return student_quantile(LEVEL, freedom) * float(np.sqrt(variance[0]))


def combined_variance(effects: Floats, usual: Floats) -> tuple[Floats, float]:
    """Return the variance of the median of each row of effects[rows, repeats], and its degrees of freedom.

    `usual` is the variance of one effect, by row, that is expected beforehand. It counts for PRIOR_WEIGHT repeats, and
    alone if there are fewer than two.
    """
    n = effects.shape[1]
    if n < 2:
        return usual, np.inf
    freedom = PRIOR_WEIGHT + n - 1
    squares = ((effects - effects.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    variance = np.maximum((PRIOR_WEIGHT * usual + squares) / freedom, squares / (n - 1))
    found: Floats = variance / n * (MEDIAN_ERROR**2 if n > 2 else 1.0)
    return found, freedom


def widen(ratio: Ratio, margin: float, drift: float = 0.0) -> Ratio:
    """Widen the interval by an independent margin, and by a drift that may or may not be in the ratio."""
    low = ratio.log - float(np.hypot(ratio.log - ratio.low, margin))
    high = ratio.log + float(np.hypot(ratio.high - ratio.log, margin))
    return Ratio(ratio.log, min(low, low - drift), max(high, high - drift), ratio.pairs)


def cluster_sums(times: Floats, clusters: Int64Array) -> Floats:
    """Return the sum of each cluster, for batches that were timed as a whole."""
    cluster = numbered(clusters)
    sums: Floats = np.bincount(cluster, times).astype(np.float64)
    return sums


@dataclass(frozen=True)
class Portfolio:
    """Virtual best solver: for each puzzle, the fastest contender that decided it.

    best    its PAR-2, in seconds
    wins    int64[contenders], puzzles that the contender decided fastest
    alone   int64[contenders], puzzles that no other contender decided
    worth   float64[contenders], seconds per puzzle by which PAR-2 is worse without the contender
    """

    best: float
    wins: Int64Array
    alone: Int64Array
    worth: Floats


def penalised(seconds: Floats, limit: float, factor: int = 2) -> Floats:
    """Return seconds, with `factor` times the limit where they are NaN (undecided)."""
    found: Floats = np.where(np.isnan(seconds), factor * limit, seconds)
    return found


def marginal(seconds: Floats, limit: float) -> Floats:
    """Return the slowdown of the virtual best of each puzzle without the contender.

    Both are float64[contenders, puzzles]; without any contender it takes twice the limit.
    """
    times = np.vstack([penalised(seconds, limit), np.full(seconds.shape[1], 2 * limit)])
    order, every = times.argsort(axis=0, kind="stable"), np.arange(times.shape[1])
    gains = np.zeros_like(times)
    gains[order[0], every] = times[order[1], every] - times[order[0], every]
    found: Floats = gains[:-1]
    return found


def portfolio(times: Floats, limit: float) -> Portfolio:
    """Return the virtual best solver for seconds float64[contenders, puzzles], NaN where undecided."""
    charged = penalised(times, limit)
    decided = ~np.isnan(times)
    best = charged.min(axis=0)
    fastest = np.bincount(charged.argmin(axis=0)[decided.any(axis=0)], minlength=len(times))
    alone = (decided & (decided.sum(axis=0) == 1)).sum(axis=1)
    return Portfolio(float(best.mean()), fastest, alone, marginal(times, limit).mean(axis=1))
