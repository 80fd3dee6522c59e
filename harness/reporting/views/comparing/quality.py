"""Compare two sides by the values of objectives: better, worse or same, and who was first.

value   the lower median over repeats, to be minimised; that there is no solution, if proved, is better than nothing
target  the worse of both values in a repeat: the best value that both have reached
first   of the same value: the side that decided earlier where both decided, that alone decided, else the side that
        reached the value earlier, of medians over repeats on the wall clock
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from harness.model.outcome import NANO
from harness.model.trajectory import StepKind
from harness.reporting.frame.objectives import Value
from harness.reporting.frame.pairing import Side, on_other_machines
from harness.reporting.statistics.estimates import Floats, Ratio, middle, paired_ratio, widen
from harness.reporting.statistics.times import Times, effects
from harness.reporting.views.comparing.change import between_workers, run_margin_and_drift
from harness.reporting.views.comparing.values import ValuePairs, medians, pair
from puzzles.problem.arrays import BoolArray

SOONEST = 1e-6  # seconds: a ratio of times needs more than 0
Course = list[tuple[int, int]]  # nanoseconds and values of improvements


@dataclass(frozen=True)
class QualityChange:
    """Values of both sides by instance, and the seconds until both had the same one, NaN where unknown.

    goal    bool[n], instances with an objective that both sides were asked
    ends    seconds until the side had decided the instance, NaN where it did not
    ratio   of the seconds to the same value, after / before; None without any
    """

    goal: BoolArray
    before: Sequence[Value]
    after: Sequence[Value]
    decided: tuple[BoolArray, BoolArray]
    seconds: tuple[Floats, Floats]
    ends: tuple[Floats, Floats]
    ratio: Ratio | None

    @cached_property
    def sign(self) -> Floats:
        """1 where after is worse, -1 where it is better, 0 for the same, NaN where neither has a value or a proof."""
        signs = [
            sign(x, y, p, q)
            for x, y, p, q in zip(self.before, self.after, *(d.tolist() for d in self.decided), strict=True)
        ]
        return np.where(self.goal, np.array(signs, np.float64), np.nan)

    @cached_property
    def first(self) -> Floats:
        """Of instances with the same value: -1 where after was first, 1 where before was, 0 for a draw; else NaN."""
        one, other = self.decided
        both = np.where(one & other, np.sign(self.ends[1] - self.ends[0]), np.sign(self.seconds[1] - self.seconds[0]))
        order = np.where(one & ~other, 1.0, np.where(other & ~one, -1.0, both))
        return np.where(self.sign == 0, order, np.nan)


def sign(before: Value, after: Value, proved: bool, also: bool) -> float:
    """Return the sign of a change of values, NaN if neither side has a value or a proof that there is none."""
    if before is None and after is None:
        return float(proved and not also) - float(also and not proved) if proved or also else np.nan
    if before is None or after is None:
        return -1.0 if before is None else 1.0
    return float(np.sign(pair(before, after)))


def quality(a: Side, b: Side, values: ValuePairs) -> QualityChange:
    """Compare two sides by their values."""
    asked = [np.asarray(flags.any(axis=0)) for flags in values.asked]
    goal: BoolArray = asked[0] & asked[1]
    targets = target_rows(values)
    reached = seconds_to(a, targets), seconds_to(b, targets)
    seconds = middle(reached[0]), middle(reached[1])
    ends = a.times("wall").seconds, b.times("wall").seconds
    decided = a.of.decided[a.ids], b.of.decided[b.ids]
    before, after = medians(values.before, values.asked[0]), medians(values.after, values.asked[1])
    return QualityChange(goal, before, after, decided, seconds, ends, ratio(a, b, reached, seconds))


def target_rows(values: ValuePairs) -> list[list[Value]]:
    """Return the worse value of each repeat that both sides have, None where one has no value."""
    rows = zip(values.before, values.after, *values.asked, strict=False)
    return [
        [max(x, y) if p and q and x is not None and y is not None else None for x, y, p, q in zip(*row, strict=True)]
        for row in rows
    ]


def seconds_to(side: Side, targets: Sequence[Sequence[Value]]) -> Floats:
    """Return float64[repeats, n], seconds until a side reached the targets, NaN without one."""
    found, known = np.full((len(targets), len(side.ids)), np.nan), courses(side)
    for repeat, row in enumerate(targets):
        for i, (puzzle, target) in enumerate(zip(side.ids.tolist(), row, strict=True)):
            if target is not None:
                course = known.get((repeat, puzzle), ())
                when = next((ns for ns, value in course if value <= target), None)
                found[repeat, i] = max(SOONEST, when / NANO) if when is not None else np.nan
    return found


def courses(side: Side) -> dict[tuple[int, int], Course]:
    """Return the improvements of a side by repeat and instance, with the value that its answer ended with."""
    journal, number = side.results.journal, side.of.number
    found: dict[tuple[int, int], Course] = {}
    columns = (column.tolist() for column in journal.objectives.step_columns(number))
    for repeat, puzzle, kind, ns, value in zip(*columns, strict=True):
        if kind != StepKind.BOUNDED:
            found.setdefault((repeat, puzzle), []).append((ns, value))
    for row in journal.objectives.values(number):
        if row.value is not None:
            found.setdefault((row.repeat, row.puzzle), []).append((row.reached or row.wall, row.value))
    return found


def ratio(a: Side, b: Side, reached: Sequence[Floats], seconds: tuple[Floats, Floats]) -> Ratio | None:
    """Return the ratio of seconds to the same value, with its interval; None without pairs, or on unlike machines."""
    both = ~np.isnan(seconds[0]) & ~np.isnan(seconds[1])
    if not both.any() or on_other_machines(a.results, b.results):
        return None
    one = a.of.one_worker or b.of.one_worker
    before, after = (Times(asks, each, effects(asks, each, one)) for asks, each in zip(reached, seconds, strict=True))
    separate, rest, drift = a.results is not b.results, 0.0, 0.0
    if separate:
        rest, drift = run_margin_and_drift(a.results.samples, b.results.samples, "wall")
    margin = between_workers(before.effects, after.effects, [], separate)
    narrow = paired_ratio(seconds[0][both], seconds[1][both], a.of.block[a.ids][both])
    return widen(narrow, float(np.hypot(margin, rest)), drift)


def quality_entry(found: QualityChange, names: Sequence[str]) -> dict[str, Any]:
    """Return the comparison of values as `--json` writes it, but for the ratio of times."""
    sign, first = found.sign, found.first
    listed = {"better": -1, "worse": 1}
    by_name = {word: [names[i] for i in np.flatnonzero(sign == s).tolist()] for word, s in listed.items()}
    one, other = (flags & found.goal for flags in found.decided)
    return {
        "puzzles": int(found.goal.sum()),
        **by_name,
        "same": int((sign == 0).sum()),
        "neither": int((found.goal & np.isnan(sign)).sum()),
        "decided": {
            "both": int((one & other).sum()),
            "before": int((one & ~other).sum()),
            "after": int((other & ~one).sum()),
        },
        "first": {"before": int((first == 1).sum()), "after": int((first == -1).sum())},
    }
