"""Results on instances with an objective: values, bounds and times of each contender, and figures of them.

value  of a solution, to be minimised; the best known one of an instance is the least that was checked or claimed
gap    primal gap of Berthold (2013) to the best known value: 0 if both are 0, 1 if their signs differ or there is no
       solution, else |v - best| / max(|v|, |best|)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from harness.model.merit import Merit, Stated
from harness.model.outcome import NANO
from harness.model.trajectory import StepKind
from harness.reporting.statistics import Floats
from harness.storing.journal import Journal
from puzzles.problem.arrays import BoolArray, Int64Array

EXACT = 1 << 53  # values below are computed in floating point
Value = int | None


class TimedValue(NamedTuple):
    """A value and the seconds after which it was found."""

    seconds: float
    value: int


Course = tuple[TimedValue, ...]


@dataclass(frozen=True)
class ObjectiveResults:
    """Values of one contender by instance, over its repeats the worst; empty where there is no objective.

    of            bool[n], True where there is an objective
    merit         of its solutions, those that stand where the search was cut short too
    bound         the greatest bound, of the repeat with the least one
    to_best       float64[n], seconds until the value was reached, the median over repeats; NaN without a solution
    improvements, dropped  int64[n], number of improvements that were stored, and that were overwritten unread
    courses       by instance: values over time, of the repeat whose value counts, each better than the one before
    bounds        by instance: bounds over time, of the same repeat, or of the first one if it has no value
    """

    of: BoolArray
    merit: Merit
    bound: Stated
    to_best: Floats
    improvements: Int64Array
    dropped: Int64Array
    courses: Mapping[int, Course]
    bounds: Mapping[int, Course]


def objective_results(journal: Journal, number: int, size: int) -> ObjectiveResults:
    """Return the values of a contender. Those without a valid solution have none."""
    n = size + 1
    values: dict[int, list[Value]] = {}
    bounds: dict[int, list[Value]] = {}
    times: dict[int, list[float]] = {}
    improvements, dropped = np.zeros(n, np.int64), np.zeros(n, np.int64)
    for row in journal.values(number):
        values.setdefault(row.puzzle, []).append(row.value)
        bounds.setdefault(row.puzzle, []).append(row.bound)
        if row.value is not None:
            times.setdefault(row.puzzle, []).append((row.wall if row.reached is None else row.reached) / NANO)
        improvements[row.puzzle] += row.improvements
        dropped[row.puzzle] += row.dropped
    to_best = np.full(n, np.nan)
    for puzzle, seconds in times.items():
        to_best[puzzle] = seconds[0] if len(seconds) == 1 else float(np.median(seconds))
    worst = [greatest(values.get(i, [])) for i in range(n)]
    least = [negated(greatest(list(map(negated, bounds.get(i, []))))) for i in range(n)]
    merit, bound = Merit.of_values(worst), Stated.of_values(least)
    courses, raised = courses_of(journal, number, worst)
    return ObjectiveResults(journal.objectives, merit, bound, to_best, improvements, dropped, courses, raised)


def courses_of(journal: Journal, number: int, values: Sequence[Value]) -> tuple[dict[int, Course], dict[int, Course]]:
    """Return the values and the bounds of a contender over time, by instance.

    They are of the first repeat that ends with the contender's value; bounds without one of the first repeat.
    What a program only states counts too.
    """
    found: dict[int, Course] = {}
    raised: dict[int, Course] = {}
    bounded = int(StepKind.BOUNDED)
    for (_, puzzle), steps in groupby(journal.true_steps(number), key=itemgetter(0, 1)):
        every = [(kind == bounded, TimedValue(ns / NANO, value)) for _, _, ns, kind, value in steps]
        bounds = [step for bound, step in every if bound]
        course: list[TimedValue] = []
        for bound, step in every:
            if not bound and (not course or step.value < course[-1].value):
                course.append(step)
        counts = bool(course) and course[-1].value == values[puzzle] and puzzle not in found
        if counts:
            found[puzzle] = tuple(course)
        if bounds and (counts or puzzle not in raised):
            raised[puzzle] = tuple(bounds)
    return found, raised


def greatest(values: Sequence[Value]) -> Value:
    """Return the greatest value, None if one is lacking or there is none."""
    known = [value for value in values if value is not None]
    return max(known) if known and len(known) == len(values) else None


def negated(value: Value) -> Value:
    return None if value is None else -value


def best_known(journal: Journal, contenders: Sequence[ObjectiveResults]) -> Merit:
    """Return the greatest merit of each instance that was checked, or that its corpus claims of a solution."""
    known, claims = Merit.none(len(journal.objectives)), journal.claims()
    of_value = claims.stated.given & claims.stated.merit.some & journal.objectives
    for merit in (*(c.merit for c in contenders), claims.stated.merit):
        more = journal.objectives & known.below(merit)
        if merit is claims.stated.merit:
            more &= of_value & journal.known_values
        known[more] = merit[more]
    return known


def gap(value: Value, best: int) -> float:
    """Return the primal gap of a value to the best known one."""
    if value is None or value * best < 0:
        return 1.0
    largest = max(abs(value), abs(best))
    return abs(value - best) / largest if largest else 0.0


def gaps_of(values: Sequence[int], best: Sequence[int]) -> Floats:
    """Return the primal gap of each value to the best one."""
    if max(map(abs, (*values, *best)), default=0) >= EXACT:
        return np.array([gap(v, b) for v, b in zip(values, best, strict=True)])
    v, b = np.array(values, np.float64), np.array(best, np.float64)
    largest = np.maximum(np.abs(v), np.abs(b))
    shares = np.abs(v - b) / np.where(largest > 0, largest, 1.0)
    found: Floats = np.where(v * b < 0, 1.0, shares)
    return found


def gaps(merit: Merit, best: Merit) -> Floats:
    """Return the gap of each instance, NaN where no solution is known."""
    found, values, known = np.where(best.some, 1.0, np.nan), merit.values, best.values
    both = np.flatnonzero(merit.some & best.some)
    found[both] = gaps_of([values[i] or 0 for i in both.tolist()], [known[i] or 0 for i in both.tolist()])
    return found


def objective_entry(c: ObjectiveResults, best: Merit, asked: BoolArray, decided: BoolArray) -> dict[str, Any]:
    """Return a contender's part of a summary on instances with an objective."""
    of, some = asked & c.of, c.merit.some
    shortfall = gaps(c.merit, best)[of]
    reached = of & some & c.merit.same(best)
    seconds = c.to_best[reached]
    return {
        "instances": int(of.sum()),
        "optimal": int((of & decided & some).sum()),
        "infeasible": int((of & decided & ~some).sum()),
        "feasible": int((of & ~decided & some).sum()),
        "none": int((of & ~decided & ~some).sum()),
        "best": int(reached.sum()),
        "gap": float(np.nanmean(shortfall)) if len(shortfall) and not np.isnan(shortfall).all() else None,
        "to_best": float(np.median(seconds)) if len(seconds) else None,
        "improvements": int(c.improvements.sum()),
        "dropped": int(c.dropped.sum()),
    }
