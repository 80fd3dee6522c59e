"""Quality over time of searches for the best solution: data of plots, in files, in the terminal and on the page.

gap      mean primal gap to the best known value at a time, 1 before the first solution, over the instances of which a
         solution is known; its 95 % interval is over instances (plots/bootstrap.py)
proved   share of the instances with an objective that are proved within a time: an optimum, or that there is none
quality  share of the instances whose gap at the limit is at most x
target   share of the instances within P % of the best known value after a time: |v - v*| <= P/100 max(1, |v*|)

Improvements have wall times, so all of it is of wall time.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from harness.reporting.objectives import gaps_of
from harness.reporting.plots.bootstrap import intervals
from harness.reporting.plots.definitions import Curve
from harness.reporting.searches import Search, Searches
from harness.reporting.statistics import Floats
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
    starts = [one.course[0].seconds for row in of.rows for one in row if one.course and one.course[0].seconds > 0]
    return np.geomspace(min([*starts, of.limit / 10]), of.limit, GRID)


def counted(of: Searches) -> Int64Array:
    """Return the positions of the instances with an objective of which a solution is known."""
    known = np.array([value is not None for value in of.known], np.bool_)
    return np.flatnonzero(of.goal & known)


def gaps_at(row: Sequence[Search], known: Sequence[int | None], at: Floats) -> Floats:
    """Return the gap of each search at some times, float64[times, searches]; `known` are the best values."""
    found = [(i, step) for i, one in enumerate(row) for step in one.course]
    gaps = np.ones((len(at) + 1, len(row)))
    if found:
        where = np.array([i for i, _ in found])
        reached = np.searchsorted(at, [step.seconds for _, step in found])
        each = gaps_of([step.value for _, step in found], [known[i] or 0 for i, _ in found])
        np.minimum.at(gaps, (reached, where), each)
    held: Floats = np.minimum.accumulate(gaps, axis=0)[:-1]
    return held


def gap_by_time(of: Searches, names: Sequence[str]) -> tuple[list[Band], Floats]:
    """Return the curves of the mean gap, and the mean of each search's gap over the times, [contenders, instances]."""
    at, where = times(of), counted(of)
    known = [of.known[i] for i in where.tolist()]
    bands, means = [], []
    for name, row in zip(names, of.rows, strict=True):
        gaps = gaps_at([row[i] for i in where.tolist()], known, at)
        means.append(gaps.mean(axis=0))
        ends = intervals(gaps, np.ones_like(gaps, np.bool_), 1.0) if len(where) else np.zeros((2, len(at)))
        bands.append(Band(name, at, gaps.mean(axis=1) if len(where) else np.ones(len(at)), *ends))
    return bands, np.array(means).reshape(len(names), len(where))


def proved_by_time(of: Searches, names: Sequence[str]) -> list[Curve]:
    """Return the share of the instances with an objective that are proved within each time."""
    goal = np.flatnonzero(of.goal).tolist()
    rows = ([row[i].end for i in goal if row[i].proved] for row in of.rows)
    return [shares(name, ends, len(goal)) for name, ends in zip(names, rows, strict=True)]


def quality(of: Searches, names: Sequence[str]) -> list[Curve]:
    """Return the share of the instances whose gap at the limit is at most each gap."""
    where = counted(of).tolist()
    best = {i: value for i in where if (value := of.known[i]) is not None}
    found = []
    for name, row in zip(names, of.rows, strict=True):
        held = [(value, best[i]) for i in where if (value := row[i].value) is not None]
        gaps = gaps_of([v for v, _ in held], [b for _, b in held])
        found.append(shares(name, np.append(gaps, np.ones(len(where) - len(held))), len(where)))
    return found


def target(of: Searches, names: Sequence[str], percent: Fraction = PERCENT) -> list[Curve]:
    """Return the share of the instances that are within some percent of the best known value after each time."""
    where = counted(of).tolist()
    rows = ([t for i in where if (t := reached(row[i], of.known[i] or 0, percent)) is not None] for row in of.rows)
    return [shares(name, times, len(where)) for name, times in zip(names, rows, strict=True)]


def reached(one: Search, best: int, percent: Fraction) -> float | None:
    """Return the seconds after which a search was within some percent of the best value, None if it never was."""
    allowed = percent.numerator * max(1, abs(best)) // (100 * percent.denominator)
    return next((step.seconds for step in one.course if abs(step.value - best) <= allowed), None)


def shares(name: str, values: Iterable[float], n: int) -> Curve:
    """Return the share of n instances whose value is at most x."""
    x, number = np.unique(np.fromiter(values, np.float64), return_counts=True)
    return Curve(name, x, number.cumsum() / max(1, n))


def most_different(of: Searches, means: Floats, most: int) -> list[int]:
    """Return the positions of the instances on which mean gaps differ most, the largest difference first."""
    if len(means) < 2 or not means.size:
        return []
    spread = means.max(axis=0) - means.min(axis=0)
    order = np.argsort(-spread, kind="stable")[:most]
    return [int(i) for i in counted(of)[order[spread[order] > 0]]]
