"""Results on instances with an objective: values, bounds and times of each contender, and figures of them.

value  of a solution, to be minimised; the best known one of an instance is the least that was checked or claimed
gap    primal gap of Berthold (2013) to the best known value: 0 if both are 0, 1 if their signs differ or there is no
       solution, else |v - best| / max(|v|, |best|)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10
from typing import Any

import numpy as np

from harness.model.outcome import NANO
from harness.model.quality import Quality, Stated
from harness.reporting.frame.entries import Number, ObjectiveEntry
from harness.reporting.statistics.courses import Courses, Integers, courses_of, integers
from harness.reporting.statistics.estimates import Floats, mean_of_both, middle_by
from harness.storing.journal import Journal
from puzzles.problem.arrays import BoolArray, Int64Array

EXACT = 1 << 53  # values below are computed in floating point
Value = int | None


@dataclass(frozen=True)
class ObjectiveResults:
    """Values of one contender by instance, over its repeats the worst; empty where there is no objective.

    of            bool[n], True where there is an objective
    quality       of its solutions, those that stand where the search was cut short too
    optimal       of the solutions that it claims to be the best
    bound         the greatest bound, of the repeat with the least one
    to_best       float64[n], seconds until the value was reached, the median over repeats; NaN without a solution
    improvements, dropped  int64[n], number of improvements that were stored, and that were overwritten unread
    courses       by instance: values over time, of the repeat whose value counts, each better than the one before
    bounds        by instance: bounds over time, of the same repeat, or of the first one if it has no value
    """

    of: BoolArray
    quality: Quality
    optimal: Quality
    bound: Stated
    to_best: Floats
    improvements: Int64Array
    dropped: Int64Array
    courses: Courses
    bounds: Courses


def objective_results(journal: Journal, number: int, size: int) -> ObjectiveResults:
    """Return the values of a contender's outcomes; outcomes without a valid solution have no value."""
    rows, n = list(journal.objectives.values(number)), size + 1
    puzzles = np.array([row.puzzle for row in rows], np.int64)
    values, bounds = Quality.of_values([row.value for row in rows]), Stated.of_values([row.bound for row in rows])
    worst, bound = worst_of(puzzles, values, n), worst_of(puzzles, bounds.quality, n, np.maximum)
    claimed = np.flatnonzero([row.optimal for row in rows])
    optimal = worst_of(puzzles[claimed], values[claimed], n)
    improvements, dropped = np.zeros(n, np.int64), np.zeros(n, np.int64)
    np.add.at(improvements, puzzles, [row.improvements for row in rows])
    np.add.at(dropped, puzzles, [row.dropped for row in rows])
    nanoseconds = np.array([row.wall if row.reached is None else row.reached for row in rows], np.int64)
    of, seconds = puzzles[values.some], nanoseconds[values.some] / NANO
    both, to_best = middle_by(of, seconds), np.full(n, np.nan)
    to_best[of[both[0]]] = mean_of_both(seconds, both)
    courses, raised = courses_of(journal.objectives.step_columns(number), worst)
    stated = Stated(bound.some.copy(), bound)
    return ObjectiveResults(
        journal.instances.with_objective, worst, optimal, stated, to_best, improvements, dropped, courses, raised
    )


def worst_of(puzzles: Int64Array, qualities: Quality, n: int, choose: Any = np.minimum) -> Quality:
    """Return the lowest quality of n instances, no solution where an outcome has none; `choose` takes one of two."""
    found, order = Quality.none(n), np.argsort(puzzles, kind="stable")
    first = np.flatnonzero(np.diff(puzzles[order], prepend=-1))
    if len(first):
        some = np.logical_and.reduceat(qualities.some[order], first)
        numbers = choose.reduceat(qualities.number[order], first)
        found[puzzles[order][first]] = Quality(some, np.where(some, numbers, 0))
    return found


def best_known(journal: Journal, contenders: Sequence[ObjectiveResults]) -> Quality:
    """Return the highest quality of each instance that was checked, or that its corpus claims of a solution."""
    known, claims = Quality.none(len(journal.instances.with_objective)), journal.claims.all()
    counts = journal.facts.settings().count_models  # estimates may be higher than the number
    of_value = claims.stated.given & claims.stated.quality.some & journal.instances.with_objective
    for quality in (*(c.optimal if counts else c.quality for c in contenders), claims.stated.quality):
        more = journal.instances.with_objective & known.below(quality)
        if quality is claims.stated.quality:
            more &= of_value & journal.claims.known_values
        known[more] = quality[more]
    return known


def gap(value: Value, best: int) -> float:
    """Return the primal gap of a value to the best known one."""
    if value is None or value * best < 0:
        return 1.0
    largest = max(abs(value), abs(best))
    return abs(value - best) / largest if largest else 0.0


def gaps_of(values: Sequence[int] | Integers, best: Sequence[int] | Integers) -> Floats:
    """Return the primal gap of each value to the best one."""
    exact = integers(values), integers(best)
    if any(column.dtype == object or (np.abs(column) >= EXACT).any() for column in exact):
        return np.array([gap(v, b) for v, b in zip(*(column.tolist() for column in exact), strict=True)], np.float64)
    v, b = (column.astype(np.float64) for column in exact)
    largest = np.maximum(np.abs(v), np.abs(b))
    shares = np.abs(v - b) / np.where(largest > 0, largest, 1.0)
    found: Floats = np.where(v * b < 0, 1.0, shares)
    return found


def gaps(quality: Quality, best: Quality) -> Floats:
    """Return the gap of each instance, NaN where no solution is known."""
    found, both = np.where(best.some, 1.0, np.nan), np.flatnonzero(quality.some & best.some)
    found[both] = gaps_of(-integers(quality.number[both]), -integers(best.number[both]))
    return found


def log10_error(quality: Quality, best: Quality) -> Number:
    """Return the mean difference of the logarithms of positive numbers of models, None without any."""
    pairs = zip(quality.number.tolist(), best.number.tolist(), (quality.some & best.some).tolist(), strict=True)
    errors = [abs(log10(v) - log10(b)) for v, b, known in pairs if known and v > 0 and b > 0]
    return sum(errors) / len(errors) if errors else None


def objective_entry(
    c: ObjectiveResults, best: Quality, asked: BoolArray, decided: BoolArray, counts: bool = False
) -> ObjectiveEntry:
    """Return a contender's part of a summary on instances with an objective; `counts` if that is to count models."""
    error: dict[str, Number] = (
        {"log10_error": log10_error(c.quality[asked & c.of], best[asked & c.of])} if counts else {}
    )
    of, some = asked & c.of, c.quality.some
    shortfall = gaps(c.quality, best)[of]
    reached = of & some & c.quality.same(best)
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
        **error,  # type: ignore[typeddict-item]
    }
