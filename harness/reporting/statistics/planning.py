"""Estimate of the number of repeats that would decide an inconclusive comparison."""

import numpy as np

from harness.reporting.statistics.estimates import (
    BETWEEN_WORKER_SD,
    LEVEL,
    MEDIAN_ERROR,
    Floats,
    Ratio,
    worker_margin,
    z_score,
)
from harness.reporting.statistics.times import Times
from puzzles.problem.arrays import BoolArray

MOST = 100  # repeats to suggest


def repeats_to_decide(
    before: Times, after: Times, both: BoolArray, ratio: Ratio, rest: float, threshold: float
) -> int | None:
    """Return the least number of repeats that would decide at this ratio; None if it is above MOST.

    `ratio` has the interval of instances alone, `rest` the half-width that repeats do not reduce. Noise of asks and of
    workers becomes smaller with more repeats; differences between instances do not.
    """
    n = min(len(before.effects), len(after.effects))
    edge, size = float(np.log1p(threshold)), abs(ratio.log)
    instances = (ratio.high - ratio.low) / 2
    if not np.isfinite(instances):
        return None
    share = noise_share(before, after, both)
    effects = after.effects[:n] - before.effects[:n]
    deviation = float(effects.std(ddof=1)) if n > 1 else BETWEEN_WORKER_SD
    for repeats in range(n + 1, MOST + 1):
        workers = worker_margin(spread_out(deviation, repeats))
        width = float(np.hypot(np.hypot(instances * (1 - share + share * n / repeats) ** 0.5, workers), rest))
        if (width < size and size + width / z_score(LEVEL) >= edge) or size + width < edge:
            return repeats
    return None


def noise_share(before: Times, after: Times, both: BoolArray) -> float:
    """Return the share of the variance of ratios over instances that is due to noise of asks; 0 if unknown."""
    repeats = min(len(before.asks), len(after.asks))
    total = float(np.log(after.seconds[both] / before.seconds[both]).var())
    if repeats < 2 or not total:
        return 0.0
    noise = sum(ask_variance(side, both) for side in (before, after))
    return min(1.0, noise * (MEDIAN_ERROR if repeats > 2 else 1.0) ** 2 / repeats / total)


def ask_variance(side: Times, both: BoolArray) -> float:
    """Return the mean variance of log asks over repeats, without effects of repeats; 0 if unknown."""
    logs = np.log(side.asks[:, both] / side.seconds[both]) - side.effects[:, None]
    known = logs[:, ~np.isnan(logs).any(axis=0)]
    return float(known.var(axis=0, ddof=1).mean()) if known.size else 0.0


def spread_out(deviation: float, n: int) -> Floats:
    """Return n effects with this standard deviation."""
    signs = np.where(np.arange(n) % 2, 1.0, -1.0)
    return np.asarray(signs * deviation / signs.std(ddof=1))
