"""Quality over time of searches for the best solution: data of plots, in files, in the terminal and on the page.

gap      mean primal gap to the best known value at a time, 1 before the first solution, over the instances of which a
         solution is known; its 95 % interval is over instances (plots/bootstrap.py)
proved   share of the instances with an objective that are proved within a time: an optimum, or that there is none
quality  share of the instances whose gap at the limit is at most x
target   share of the instances within P % of the best known value after a time: |v - v*| <= P/100 max(1, |v*|)

Improvements have wall times, so all of it is of wall time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from harness.reporting.frame.objectives import gaps_of
from harness.reporting.frame.searches import Searches, near_best
from harness.reporting.statistics.bootstrap import intervals
from harness.reporting.statistics.courses import Courses, Integers, integers
from harness.reporting.statistics.estimates import Floats
from harness.reporting.views.figures.definitions import Curve
from puzzles.problem.arrays import Int64Array

GRID = 60  # times at which gaps are averaged
PERCENT = Fraction(1)  # of `target`, if none is named


@dataclass(frozen=True)
class Band(Curve):
    """Curve with the ends of its interval."""

    low: Floats
    high: Floats


def times(of: Searches) -> Floats:
    """Return the times at which gaps are averaged, evenly on a logarithmic scale up to the limit."""
    starts = np.concatenate([row.steps.seconds[row.steps.first] for row in of.rows])
    return np.geomspace(min([*starts[starts > 0].tolist(), of.limit / 10]), of.limit, GRID)


def counted(of: Searches) -> Int64Array:
    """Return the positions of the instances with an objective of which a solution is known."""
    return np.flatnonzero(of.goal & of.some)


def gaps_at(steps: Courses, where: Int64Array, best: Integers, at: Floats) -> Floats:
    """Return the gap on some instances at some times, float64[times, where]; `best` are the best values of all."""
    gaps, column = np.ones((len(at) + 1, len(where))), np.full(len(best), -1)
    column[where] = np.arange(len(where))
    some = steps.only(column[steps.instance] >= 0)
    each = gaps_of(some.value, best[some.instance])
    np.minimum.at(gaps, (np.searchsorted(at, some.seconds), column[some.instance]), each)
    lowest: Floats = np.minimum.accumulate(gaps, axis=0)[:-1]
    return lowest


def gap_by_time(of: Searches, names: Sequence[str]) -> tuple[list[Band], Floats]:
    """Return the curves of the mean gap, and the mean of each search's gap over the times, [contenders, instances]."""
    at, where = times(of), counted(of)
    bands, means = [], []
    for name, row in zip(names, of.rows, strict=True):
        gaps = gaps_at(row.steps, where, of.best, at)
        means.append(gaps.mean(axis=0))
        ends = intervals(gaps, np.ones_like(gaps, np.bool_), 1.0) if len(where) else np.zeros((2, len(at)))
        bands.append(Band(name, at, gaps.mean(axis=1) if len(where) else np.ones(len(at)), *ends))
    return bands, np.array(means).reshape(len(names), len(where))


def proved_by_time(of: Searches, names: Sequence[str]) -> list[Curve]:
    """Return the share of the instances with an objective that are proved within each time."""
    number = int(of.goal.sum())
    return [shares(name, row.end[of.goal & row.proved], number) for name, row in zip(names, of.rows, strict=True)]


def quality(of: Searches, names: Sequence[str]) -> list[Curve]:
    """Return the share of the instances whose gap at the limit is at most each gap."""
    where, found = counted(of), []
    for name, row in zip(names, of.rows, strict=True):
        known = where[row.quality.some[where]]
        gaps = gaps_of(-integers(row.quality.number[known]), of.best[known])
        found.append(shares(name, np.append(gaps, np.ones(len(where) - len(known))), len(where)))
    return found


def target(of: Searches, names: Sequence[str], percent: Fraction = PERCENT) -> list[Curve]:
    """Return the share of the instances that are within some percent of the best known value after each time."""
    found = zip(names, near_best(of, percent), strict=True)
    return [shares(name, near.seconds[near.first], len(counted(of))) for name, near in found]


def shares(name: str, values: Floats, n: int) -> Curve:
    """Return the share of n instances whose value is at most x."""
    x, number = np.unique(values, return_counts=True)
    return Curve(name, x, number.cumsum() / max(1, n))


def most_different(of: Searches, means: Floats, most: int) -> list[int]:
    """Return the positions of the instances on which mean gaps differ most, the largest difference first."""
    if len(means) < 2 or not means.size:
        return []
    spread = means.max(axis=0) - means.min(axis=0)
    order = np.argsort(-spread, kind="stable")[:most]
    return [int(i) for i in counted(of)[order[spread[order] > 0]]]
