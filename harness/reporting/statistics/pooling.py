"""Ratios of several machine types: one if they agree, by Cochran's test of heterogeneity.

W. G. Cochran, The combination of estimates from different experiments, Biometrics 10, 1954: Q, the sum of squared
distances of the estimates from their mean, weighted by their precision, has a chi-squared distribution if all estimate
the same ratio. Its power is low for few estimates, so the level is 10 %, as the Cochrane Handbook (10.10.2) advises:
agreeing types are kept apart once in ten times, which only costs a line of text.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, exp, gamma

import numpy as np

from harness.reporting.statistics.estimates import LEVEL, Ratio, z_score

AGREE = 0.10  # p-value from which ratios count as equal


@dataclass(frozen=True)
class Pooled:
    """Ratio of several types, None if they differ; Q and its p-value, NaN if fewer than two ratios have an interval."""

    ratio: Ratio | None
    q: float
    p: float


def chi_squared_tail(x: float, freedom: int) -> float:
    """Return the probability that a chi-squared variable of whole degrees of freedom, from 1, exceeds x."""
    tail = erfc((x / 2) ** 0.5) if freedom % 2 else exp(-x / 2)
    terms = ((x / 2) ** (k / 2) * exp(-x / 2) / gamma(k / 2 + 1) for k in range(freedom - 2, 0, -2))
    return float(tail + sum(terms))


def pool(ratios: Sequence[Ratio]) -> Pooled:
    """Pool the ratios of several types if they agree: the mean over all pairs, as on a single type.

    Weights by precision, as in the test, would favour types whose noise happens to look small. A ratio without an
    interval can't be tested, and is left out if another ratio has one.
    """
    known = [r for r in ratios if np.isfinite(r.high - r.low)]
    some = known or ratios
    logs, lows, highs, pairs = np.array([(r.log, r.low, r.high, r.pairs) for r in some]).T
    q, p = heterogeneity(known) if len(known) > 1 else (np.nan, np.nan)
    if p < AGREE:
        return Pooled(None, q, p)
    shares = np.maximum(pairs, 1) / np.maximum(pairs, 1).sum()
    mean = float((shares * logs).sum())
    low, high = (float(np.sqrt(((shares * half) ** 2).sum())) for half in (logs - lows, highs - logs))
    return Pooled(Ratio(mean, mean - low, mean + high, int(pairs.sum())), q, p)


def heterogeneity(ratios: Sequence[Ratio]) -> tuple[float, float]:
    """Return Cochran's Q of ratios with intervals, and its p-value."""
    logs, lows, highs = np.array([(r.log, r.low, r.high) for r in ratios]).T
    errors = np.maximum((highs - lows) / (2 * z_score(LEVEL)), 1e-9)
    mean = np.average(logs, weights=errors**-2)
    q = float((((logs - mean) / errors) ** 2).sum())
    return q, chi_squared_tail(q, len(ratios) - 1)
