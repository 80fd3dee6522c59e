"""Propagators of Cumulative: time table, energy, and precedences of tasks that exclude each other.

    time table   a task surely runs from its latest start to its earliest end; no task starts where it would exceed the
                 limit beside those that surely run (Lahrichi 1982)
    energy       the tasks that start and end within a span take no more than the limit over that span
    precedences  of two tasks that exclude each other and of which one can't be the first, the other is

Durations and heights count with their least numbers, the limit with its greatest.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from backends.native.propagation.store import Propagator, Scale, Store, watching
from puzzles.constraints.cumulative import Cumulative, CumulativeRow


class TaskBounds(NamedTuple):
    """Variables of a task, its earliest and latest start, and its least duration and height, both above 0."""

    start: int
    height: int
    first: int
    last: int
    duration: int
    takes: int

    @property
    def end(self) -> int:
        """Earliest end."""
        return self.first + self.duration


Segment = tuple[int, int, int]  # from, to, height that surely runs


def cumulative(constraint: Cumulative, scale: Scale) -> Iterator[Propagator]:
    for row in constraint.rows:
        starts, durations, heights, limit = row
        yield Propagator(propagate_not_negative, (*durations, *heights, limit), ())
        yield watching(propagate_cumulative, row, (*starts, *durations, *heights, limit))


def propagate_not_negative(store: Store, xs: Sequence[int]) -> bool:
    """Remove the numbers below 0."""
    mask = store.scale.at_least(0)
    return all(store.keep(x, mask) for x in xs)


def propagate_cumulative(store: Store, row: CumulativeRow) -> bool:
    starts, durations, heights, limit = row
    tasks = []
    for x, d, h in zip(starts, durations, heights, strict=True):
        duration, takes = store.low(d), store.low(h)
        if duration > 0 and takes > 0:
            tasks.append(TaskBounds(x, h, store.low(x), store.high(x), duration, takes))
    segments = time_table(tasks)
    if not store.keep(limit, store.scale.at_least(max((taken for _, _, taken in segments), default=0))):
        return False
    most = store.high(limit)
    if not fits_energy(tasks, most) or not order_exclusive(store, tasks, most):
        return False
    return all(fit(store, task, segments, most) for task in tasks) and bound_others(store, row, segments, most)


def time_table(tasks: Sequence[TaskBounds]) -> list[Segment]:
    """Return the spans of time in which some task surely runs."""
    changes: dict[int, int] = {}
    for task in tasks:
        if task.last < task.end:
            changes[task.last] = changes.get(task.last, 0) + task.takes
            changes[task.end] = changes.get(task.end, 0) - task.takes
    segments, taken, before = [], 0, 0
    for time in sorted(changes):
        if taken:
            segments.append((before, time, taken))
        taken, before = taken + changes[time], time
    return segments


def fit(store: Store, task: TaskBounds, segments: Sequence[Segment], most: int) -> bool:
    """Remove the starts at which a task would exceed the limit, and the heights with which it surely would."""
    mask, beside = store.scale.full, 0
    for begin, end, taken in segments:
        if task.last <= begin and end <= task.end:
            beside = max(beside, taken - task.takes)  # where the task itself surely runs
        elif taken + task.takes > most:
            mask &= ~(store.scale.at_least(begin - task.duration + 1) & store.scale.at_most(end - 1))
    return store.keep(task.start, mask) and store.keep(task.height, store.scale.at_most(most - beside))


def bound_others(store: Store, row: CumulativeRow, segments: Sequence[Segment], most: int) -> bool:
    """Bound the durations and heights of tasks that may take nothing: with any more they would exceed the limit."""
    starts, durations, heights, _ = row
    for x, d, h in zip(starts, durations, heights, strict=True):
        if not store.decided(x) or (store.low(d) > 0 and store.low(h) > 0):
            continue
        at = store.low(x)
        taken = next((taken for begin, end, taken in segments if begin <= at < end), 0)
        if store.low(h) + taken > most and not store.keep(d, store.scale.at_most(0)):
            return False
        if store.low(d) > 0 and not store.keep(h, store.scale.at_most(most - taken)):
            return False
    return True


def fits_energy(tasks: Sequence[TaskBounds], most: int) -> bool:
    """Return False if the tasks within some span, from an earliest start to a latest end, need more than there is."""
    by_start = sorted(tasks, key=lambda task: -task.first)
    for end in {task.last + task.duration for task in tasks}:
        energy = 0
        for task in by_start:
            if task.last + task.duration <= end:
                energy += task.duration * task.takes
                if energy > most * (end - task.first):
                    return False
    return True


def order_exclusive(store: Store, tasks: Sequence[TaskBounds], most: int) -> bool:
    """Order tasks that exclude each other where only one order is left."""
    tall = sorted((task.takes for task in tasks), reverse=True)[:2]
    if len(tall) < 2 or sum(tall) <= most:
        return True
    for one, other in combinations(tasks, 2):
        if one.takes + other.takes > most:
            if one.end > other.last:
                if other.end > one.last or not before(store, other, one):
                    return False
            elif other.end > one.last and not before(store, one, other):
                return False
    return True


def before(store: Store, one: TaskBounds, other: TaskBounds) -> bool:
    """End one task before another starts."""
    at_least, at_most = store.scale.at_least(one.end), store.scale.at_most(other.last - one.duration)
    return store.keep(other.start, at_least) and store.keep(one.start, at_most)
