"""Searches in columns: the same courses as one step after the other gives."""

from itertools import groupby
from operator import itemgetter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from harness.model.outcome import NANO
from harness.model.quality import Quality
from harness.model.trajectory import StepKind
from harness.reporting.frame.objectives import worst_of
from harness.reporting.statistics.courses import Course, TimedValue, courses_of, integers
from harness.storing.outcomes.objectives import StepColumns

SIZE = 5
Row = tuple[int, int, int, int]  # repeat, instance, kind, value
VALUES = st.integers(-3, 3) | st.sampled_from([1 << 62, -(1 << 63), 1 << 70])
ROWS = st.lists(st.tuples(st.integers(0, 2), st.integers(1, SIZE - 1), st.sampled_from(list(StepKind)), VALUES))


def one_by_one(rows: list[Row], values: list[int | None]) -> tuple[dict[int, Course], dict[int, Course]]:
    """Return values and bounds over time as courses_of states them, step by step; the step's number is its time."""
    found, raised = dict[int, Course](), dict[int, Course]()
    for (_, puzzle), group in groupby(enumerate(rows), key=lambda each: each[1][:2]):
        steps = [(kind, TimedValue(ns / NANO, value)) for ns, (_, _, kind, value) in group]
        bounds = tuple(step for kind, step in steps if kind == StepKind.BOUNDED)
        course: list[TimedValue] = []
        for kind, step in steps:
            if kind != StepKind.BOUNDED and (not course or step.value < course[-1].value):
                course.append(step)
        counts = bool(course) and course[-1].value == values[puzzle] and puzzle not in found
        if counts:
            found[puzzle] = tuple(course)
        if bounds and (counts or puzzle not in raised):
            raised[puzzle] = bounds
    return found, raised


@given(ROWS, st.lists(st.none() | VALUES, min_size=SIZE, max_size=SIZE))
def test_courses_are_those_of_steps_one_by_one(rows: list[Row], values: list[int | None]) -> None:
    rows = sorted(rows, key=itemgetter(0, 1))
    repeat, puzzle, kind, value = (list(column) for column in zip(*rows, strict=True)) if rows else ([], [], [], [])
    at, of, kinds, ns = (np.array(column, np.int64) for column in (repeat, puzzle, kind, range(len(rows))))
    found = courses_of(StepColumns(at, of, kinds, ns, integers(value)), Quality.of_values(values))
    assert tuple(map(dict, found)) == one_by_one(rows, values)


@given(st.lists(st.tuples(st.integers(1, SIZE - 1), st.none() | VALUES)))
def test_the_worst_of_the_repeats_counts(rows: list[tuple[int, int | None]]) -> None:
    qualities = worst_of(
        np.array([i for i, _ in rows], np.int64), Quality.of_values([value for _, value in rows]), SIZE
    )
    for i, value in enumerate(qualities.values):
        every = [own for puzzle, own in rows if puzzle == i]
        assert value == (None if not every or None in every else max(own for own in every if own is not None))
