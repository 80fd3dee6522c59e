"""Values of searches over time, in columns: the steps of a contender on all instances, one after another.

All values are to be minimised. They are int64 where twice each fits, else Python integers.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from harness.model.outcome import NANO
from harness.model.quality import Quality
from harness.model.trajectory import StepKind
from harness.reporting.statistics.estimates import Floats
from harness.storing.outcomes.objectives import StepColumns
from puzzles.problem.arrays import BoolArray, Int64Array

MOST_FAST = 1 << 62
Integers = npt.NDArray[Any]  # int64, or object of Python integers


class TimedValue(NamedTuple):
    """A value and the seconds after which it was found."""

    seconds: float
    value: int


Course = tuple[TimedValue, ...]


def integers(values: Sequence[int] | Integers) -> Integers:
    """Return integers of any size as int64 whose differences fit too, or as Python integers."""
    try:
        found = np.asarray(values, np.int64)
    except OverflowError:
        return np.asarray(values, object)
    fast = (found > -MOST_FAST).all() and (found < MOST_FAST).all()
    return found if fast else found.astype(object)


@dataclass(frozen=True, eq=False)
class Courses(Mapping[int, Course]):
    """Steps by instance, each in order of time; as a mapping, the course of each instance that has one.

    instance  int64[steps], ascending       seconds  float64[steps]       value  Integers[steps]
    """

    instance: Int64Array
    seconds: Floats
    value: Integers

    @cached_property
    def first(self) -> Int64Array:
        """Position of the first step of each instance that has one."""
        found: Int64Array = np.flatnonzero(np.diff(self.instance, prepend=-1))
        return found

    def only(self, kept: BoolArray) -> Self:
        """Return the steps where `kept` is True."""
        return type(self)(self.instance[kept], self.seconds[kept], self.value[kept])

    def between(self, start: int, stop: int) -> Course:
        """Return the steps at positions from `start` to before `stop`."""
        return tuple(map(TimedValue, self.seconds[start:stop].tolist(), self.value[start:stop].tolist()))

    def __getitem__(self, instance: int) -> Course:
        start, stop = np.searchsorted(self.instance, (instance, instance + 1)).tolist()
        if start == stop:
            raise KeyError(instance)
        return self.between(start, stop)

    def __iter__(self) -> Iterator[int]:
        yield from self.instance[self.first].tolist()

    def __len__(self) -> int:
        return len(self.first)


def courses_of(steps: StepColumns, worst: Quality) -> tuple[Courses, Courses]:
    """Return the values, each better than the one before, and the bounds of a contender over time.

    They are of the first repeat that ends with the contender's value, by instance; bounds without one of the first
    repeat. What a program only states counts too.
    """
    instance, value, seconds = steps.puzzle, integers(steps.value), steps.ns / NANO
    new = (np.diff(steps.repeat, prepend=-1) != 0) | (np.diff(instance, prepend=-1) != 0)
    search, first = np.cumsum(new) - 1, np.flatnonzero(new)  # number of each step's search, and the search's first step
    bounded = steps.kind == StepKind.BOUNDED
    better = np.zeros(len(search), np.bool_)
    better[~bounded] = improving(search[~bounded], value[~bounded])
    ends = np.flatnonzero(better)[np.diff(search[better], append=len(first)) != 0]  # last improvement of each search
    reached = worst.some[instance[ends]] & (worst.number[instance[ends]] == -value[ends]).astype(np.bool_)
    counting = np.zeros(len(first), np.bool_)
    of_value = ends[reached]
    counting[search[of_value[np.unique(instance[of_value], return_index=True)[1]]]] = True
    raising = np.unique(search[bounded])
    order = np.lexsort((raising, ~counting[raising], instance[first[raising]]))
    chosen = raising[order][np.flatnonzero(np.diff(instance[first[raising[order]]], prepend=-1))]
    raised = np.zeros(len(first), np.bool_)
    raised[chosen] = True
    values, bounds = better & counting[search], bounded & raised[search]
    course, bound = (by_instance(instance[at], seconds[at], value[at]) for at in (values, bounds))
    return course, bound


def improving(search: Int64Array, value: Integers) -> BoolArray:
    """Return True for each value below all earlier ones of its search; searches are numbered, ascending."""
    ranks = np.unique(value, return_inverse=True)[1].reshape(-1)
    key = ranks - search * (len(value) + 1)  # all of a search are below all of the searches before
    found: BoolArray = np.diff(np.minimum.accumulate(key), prepend=len(value)) < 0
    return found


def by_instance(instance: Int64Array, seconds: Floats, value: Integers) -> Courses:
    """Return steps in order of their instances; steps of one instance keep their order."""
    order = np.argsort(instance, kind="stable")
    return Courses(instance[order], seconds[order], value[order])
