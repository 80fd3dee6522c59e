"""Searches for the best solution, in columns: what scores of optimisation are computed from.

All values are to be minimised. Time runs from the beginning of an ask to the limit.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from harness.reporting.objectives import TimedValue, Value
from harness.reporting.results import ContenderResults, Results
from harness.reporting.statistics import Floats
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
class Searches:
    """Searches by contender and instance; `known` are the best values that anybody has, None without a solution.

    goal  bool[instances], True where there is an objective
    """

    rows: tuple[tuple[Search, ...], ...]
    known: tuple[Value, ...]
    goal: BoolArray
    limit: float

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.known)

    @cached_property
    def solved(self) -> BoolArray:
        return np.array([[one.solved for one in row] for row in self.rows], np.bool_).reshape(self.shape)

    @cached_property
    def proved(self) -> BoolArray:
        return np.array([[one.proved for one in row] for row in self.rows], np.bool_).reshape(self.shape)

    @cached_property
    def ends(self) -> Floats:
        return np.array([[one.end for one in row] for row in self.rows], np.float64).reshape(self.shape)

    def column(self, i: int) -> Sequence[Search]:
        """Return the searches of all contenders on an instance."""
        return [row[i] for row in self.rows]


def searches(results: Results, names: Sequence[str], clock: str) -> Searches:
    """Return the searches of these contenders on all instances; the end of what was decided is a time of that clock.

    Of several repeats that with the worst value counts. Improvements have wall times.
    """
    limit, known = results.limits.of(clock), results.best_known
    assert known is not None
    goal = next(c.best.of for c in results.contenders if c.best)
    rows = tuple(tuple(row_of(results.by_name[name], limit, clock)) for name in names)
    return Searches(rows, tuple(known.values[1:]), goal[1:], limit)


def row_of(c: ContenderResults, limit: float, clock: str) -> Iterator[Search]:
    """Yield the searches of a contender, by instance."""
    assert c.best is not None
    values, times, proved = c.best.merit.values, c.seconds_by_instance(clock), c.decided
    for i in range(1, len(c.state)):
        value, end = values[i], float(times[i]) if proved[i] else limit
        reached = end if np.isnan(c.best.to_best[i]) else float(c.best.to_best[i])
        alone = () if value is None else (TimedValue(min(reached, limit), value),)
        yield Search(value, bool(proved[i]), end, c.best.courses.get(i, alone))
