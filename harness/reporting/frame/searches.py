"""Searches for the best solution, in columns: what scores of optimisation are computed from.

All values are to be minimised. Time runs from the beginning of an ask to the limit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import overload

import numpy as np

from harness.model.quality import Quality
from harness.reporting.frame.objectives import Value
from harness.reporting.frame.results import ContenderResults, Results
from harness.reporting.statistics.courses import Courses, Integers, TimedValue, by_instance, integers
from harness.reporting.statistics.estimates import Floats
from puzzles.problem.arrays import BoolArray


@dataclass(frozen=True)
class Search:
    """Search of a contender on an instance.

    value   of its best solution, None without one     proved  it showed that none is better, or that there is none
    end     seconds until it proved that, else the limit
    course  improvements, each better than the one before, in order of time
    """

    value: Value
    proved: bool
    end: float
    course: tuple[TimedValue, ...] = ()

    @property
    def solved(self) -> bool:
        """True with a solution, or a proof that there is none."""
        return self.value is not None or self.proved


@dataclass(frozen=True)
class SearchRow(Sequence[Search]):
    """Searches of a contender in columns by instance, from 0; each column is computed on first use."""

    quality: Quality
    proved: BoolArray
    end: Floats
    steps: Courses

    @cached_property
    def lists(self) -> tuple[list[Value], list[bool], list[float], list[int]]:
        """Values, proofs and ends by instance, and the position of the first step of the instance or a later one."""
        starts = np.searchsorted(self.steps.instance, np.arange(len(self.end) + 1)).tolist()
        return self.quality.values, self.proved.tolist(), self.end.tolist(), starts

    @overload
    def __getitem__(self, i: int) -> Search: ...

    @overload
    def __getitem__(self, i: slice) -> Sequence[Search]: ...

    def __getitem__(self, i: int | slice) -> Search | Sequence[Search]:
        values, proved, ends, starts = self.lists
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(len(self)))]
        return Search(values[i], proved[i], ends[i], self.steps.between(starts[i], starts[i + 1]))

    def __len__(self) -> int:
        return len(self.end)


@dataclass(frozen=True)
class Searches:
    """Searches by contender and instance; `known` are the best values that anybody has, None without a solution.

    goal  bool[instances], True where there is an objective
    """

    rows: tuple[SearchRow, ...]
    known: tuple[Value, ...]
    goal: BoolArray
    limit: float

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.known)

    @cached_property
    def solved(self) -> BoolArray:
        return np.array([row.quality.some | row.proved for row in self.rows], np.bool_).reshape(self.shape)

    @cached_property
    def proved(self) -> BoolArray:
        return np.array([row.proved for row in self.rows], np.bool_).reshape(self.shape)

    @cached_property
    def ends(self) -> Floats:
        return np.array([row.end for row in self.rows], np.float64).reshape(self.shape)

    @cached_property
    def some(self) -> BoolArray:
        """True where a solution is known: bool[instances]."""
        return np.array([value is not None for value in self.known], np.bool_)

    @cached_property
    def best(self) -> Integers:
        """The best values, 0 where none is known."""
        return integers([value or 0 for value in self.known])

    def column(self, i: int) -> Sequence[Search]:
        """Return the searches of all contenders on an instance."""
        return [row[i] for row in self.rows]


def near_best(of: Searches, percent: Fraction) -> list[Courses]:
    """Return the improvements of each row within some percent of the best known value, of instances that have one.

    Within P % is |v - v*| <= P/100 max(1, |v*|).
    """
    over = 100 * percent.denominator
    allowed = integers([percent.numerator * max(1, abs(best)) // over for best in of.best.tolist()])
    counted = of.goal & of.some

    def near(steps: Courses) -> Courses:
        apart = np.abs(steps.value - of.best[steps.instance])
        return steps.only((apart <= allowed[steps.instance]).astype(np.bool_) & counted[steps.instance])

    return [near(row.steps) for row in of.rows]


def searches(results: Results, names: Sequence[str], clock: str) -> Searches:
    """Return the searches of these contenders on all instances; searches that decided end at a time of that clock.

    Of several repeats that with the worst value counts. Improvements have wall times.
    """
    limit, known = results.limits.of(clock), results.best_known
    assert known is not None
    goal = next(c.best.of for c in results.contenders if c.best)
    rows = tuple(row_of(results.by_name[name], limit, clock) for name in names)
    return Searches(rows, tuple(known.values[1:]), goal[1:], limit)


def row_of(c: ContenderResults, limit: float, clock: str) -> SearchRow:
    """Return the searches of a contender; a value without a trajectory gets one of that value alone."""
    assert c.best is not None
    quality, proved = c.best.quality[1:], c.decided[1:]
    end = np.where(proved, c.seconds_by_instance(clock)[1:], limit)
    course, reached = c.best.courses, np.where(np.isnan(c.best.to_best[1:]), end, c.best.to_best[1:])
    alone = np.setdiff1d(np.flatnonzero(quality.some), course.instance - 1)
    instance = np.concatenate([course.instance - 1, alone])
    seconds = np.concatenate([course.seconds, np.minimum(reached[alone], limit)])
    value = np.concatenate([course.value, -integers(quality.number[alone])])
    return SearchRow(quality, proved, end, by_instance(instance, seconds, value))
