"""Scores that ask for the best value: points of the XCSP3 competition, the time to a target, and numbers of models.

xcsp3   of an instance a contender gets 1 if it proves an optimum, or that there is no solution, or decides it where
        there is no objective; else 1 for the best value of all contenders, 1/2 if another contender proved it, 0 for
        a worse one or none. G. Audemard, C. Lecoutre, E. Lonca, Proceedings of the 2022 XCSP3 Competition,
        arXiv:2209.00917.
target  time until a value is within some percent of the best known one, twice the limit if that never happens, as
        PAR-2 has it. H. Hoos, T. Stützle, Evaluating Las Vegas algorithms: pitfalls and remedies, UAI 1998.
count   1 for the exact number of models, or for a number within a relative error, or within a factor of it: rankings A
        to D of the Model Counting Competition 2024. Values are numbers with their signs turned.
"""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from harness.reporting.frame.searches import Searches, near_best
from harness.reporting.statistics.estimates import Floats
from puzzles.problem.arrays import BoolArray, Int64Array


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


def inside(of: Searches, percent: Fraction | None, factor: Fraction | None) -> Floats:
    """Return 1 where a number of models is within a margin of the exact one, else 0; without a margin, where exact."""
    found = np.zeros(of.shape)
    for i in np.flatnonzero(of.goal).tolist():
        right = -(of.known[i] or 0)
        for a, one in enumerate(of.column(i)):
            if one.value is None:
                continue
            if factor is not None:
                found[a, i] = right <= factor * -one.value and -one.value <= factor * right
            elif percent is not None:
                found[a, i] = 100 * abs(right + one.value) <= percent * right
            else:
                found[a, i] = one.proved and right == -one.value
    return found


def with_one_count(of: Searches) -> BoolArray:
    """Return True for instances of which an exact number is known, and on which no two exact numbers differ."""
    exact = [{one.value for one in of.column(i) if one.proved} | {known} for i, known in enumerate(of.known)]
    found: BoolArray = of.goal & of.some & np.array([len(values) == 1 for values in exact], np.bool_)
    return found


def beyond(of: Searches, percent: Fraction | None, factor: Fraction | None) -> Int64Array:
    """Return int64[contenders], how many numbers of models lie beyond the margin."""
    given = np.array([row.quality.some for row in of.rows], np.bool_).reshape(of.shape)
    found: Int64Array = (given & (inside(of, percent, factor) == 0) & with_one_count(of)).sum(axis=1)
    return found
