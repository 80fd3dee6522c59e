"""Scores that ask for the best value: points of the XCSP3 competition, and the time to a target.

xcsp3   of an instance a contender gets 1 if it proves an optimum, or that there is no solution, or decides it where
        there is no objective; else 1 for the best value of all contenders, 1/2 if another contender proved it, 0 for
        a worse one or none. G. Audemard, C. Lecoutre, E. Lonca, Proceedings of the 2022 XCSP3 Competition,
        arXiv:2209.00917.
target  time until a value is within some percent of the best known one, twice the limit if that never happens, as
        PAR-2 has it. H. Hoos, T. Stützle, Evaluating Las Vegas algorithms: pitfalls and remedies, UAI 1998.
"""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from harness.reporting.frame.searches import Searches, near_best
from harness.reporting.statistics.estimates import Floats


def xcsp3(of: Searches) -> Floats:
    """Return the points of the XCSP3 competition."""
    points = of.proved.astype(np.float64)
    for i in np.flatnonzero(of.goal).tolist():
        column = of.column(i)
        best = min((one.value for one in column if one.value is not None), default=None)
        for a, one in enumerate(column):
            if one.value is not None and one.value == best and not one.proved:
                points[a, i] = 0.5 if of.proved[:, i].any() else 1.0
    return points


def time_to_target(percent: Fraction) -> Callable[[Searches], Floats]:
    """Return the score of the seconds to a value within some percent of the best known one."""

    def points(of: Searches) -> Floats:
        found = np.full(of.shape, 2 * of.limit)
        for row, near in zip(found, near_best(of, percent), strict=True):
            row[near.instance[near.first]] = np.minimum(near.seconds[near.first], of.limit)
        return found

    return points
