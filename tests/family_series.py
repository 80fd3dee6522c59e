"""Times of two contenders on families of instances, drawn anew: known truth for rankings."""

from typing import NamedTuple

import numpy as np

from harness.reporting.statistics.workers import Workers
from harness.reporting.views.ranking.ranks import RankedColumns

LIMIT, WITHIN_SD, NOISE_SD = 5000.0, 0.3, 0.1


class Scenario(NamedTuple):
    """Families, instances of each, sd of their effects on a contender, and the second one's slowdown (log)."""

    families: int
    size: int
    sd: float
    slower: float = 0.0


def series(of: Scenario, level: float, rng: np.random.Generator) -> RankedColumns:
    """Return the times of two contenders on fresh families, whose levels have the sd `level` (log)."""
    family = np.repeat(np.arange(of.families), of.size)
    n = len(family)
    effects = rng.normal(0, of.sd / 2**0.5, (2, of.families))[:, family]
    logs = rng.normal(0, level, of.families)[family] + rng.normal(0, WITHIN_SD, n)
    times = np.exp(logs + effects + rng.normal(0, NOISE_SD, (2, n)) + np.array([[0.0], [of.slower]]))
    none = Workers(np.zeros((2, 0)), 0.0, np.zeros(2))
    flags = np.ones((2, n), np.bool_)
    return RankedColumns(("a", "b"), times, flags, np.zeros(2, np.bool_), none, family, (), families=True)
