"""Ratios of the times of two contenders, instance by instance."""

from dataclasses import dataclass

import numpy as np

from harness.reporting.statistics.estimates import Floats
from harness.reporting.views.comparing.compare import by_ratio, state_changes
from harness.reporting.views.figures.definitions import Series
from puzzles.problem.arrays import Int64Array


@dataclass(frozen=True)
class Ratios:
    """Ratios b / a of the instances that both decided in a time above 0, the largest first, equal ones by id.

    lost, gained  ids of instances that only b, and only a decided, as `compare` counts them
    """

    a: str
    b: str
    ids: Int64Array
    ratio: Floats
    lost: Int64Array
    gained: Int64Array


def compare(a: Series, b: Series) -> Ratios:
    """Return the ratios of two contenders."""
    order, ratio = by_ratio(*(np.where(c.seconds > 0, c.seconds, np.nan) for c in (a, b)))
    changes = state_changes(a.state, b.state)
    return Ratios(a.name, b.name, order + 1, ratio, *(np.flatnonzero(x) + 1 for x in (changes.lost, changes.gained)))
