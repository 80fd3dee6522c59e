"""Ratios of several machine types: one if they agree, by Cochran's test of heterogeneity.

W. G. Cochran, The combination of estimates from different experiments, Biometrics 10, 1954: Q, the sum of squared
distances of the estimates from their mean, weighted by their precision, has a chi-squared distribution if all estimate
the same. Its power is low for few estimates, so the level is 10 %, as the Cochrane Handbook (10.10.2) advises: types
that agree are kept apart once in ten, which costs a line of text.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, exp, gamma

import numpy as np

from harness.reporting.statistics import LEVEL, Ratio, z_score

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
    """Pool the ratios of several types, weighted by the inverse of their variance, if they agree.

    One without an interval says nothing of how far it may be off, and counts for nothing beside one that has.
    """
    known = [r for r in ratios if np.isfinite(r.high - r.low)]
    if not known:
        pairs = np.array([r.pairs for r in ratios])
        mean = float(np.average([r.log for r in ratios], weights=np.maximum(pairs, 1)))
        return Pooled(Ratio(mean, -np.inf, np.inf, int(pairs.sum())), np.nan, np.nan)
    logs, lows, highs = np.array([(r.log, r.low, r.high) for r in known]).T
    weights = np.maximum(highs - lows, 1e-9) ** -2.0
    mean = float(np.average(logs, weights=weights))
    errors = (highs - lows) / (2 * z_score(LEVEL))
    q = float((((logs - mean) / np.maximum(errors, 1e-9)) ** 2).sum())
    p = chi_squared_tail(q, len(known) - 1) if len(known) > 1 else np.nan
    if p < AGREE:
        return Pooled(None, q, p)
    shares = weights / weights.sum()
    low, high = (float(np.sqrt(((shares * half) ** 2).sum())) for half in (logs - lows, highs - logs))
    return Pooled(Ratio(mean, mean - low, mean + high, sum(r.pairs for r in known)), q, p)
