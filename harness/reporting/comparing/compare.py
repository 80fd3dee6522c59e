"""Compare two contenders of one journal, or of two journals: correctness first, then time.

`regressed` and `improved` need an effect above the threshold and an interval that excludes "no change", on either
clock. CPU time is more reliable on a busy machine; only wall time shows a solver that waits. Single instances that
changed beyond all noise are found separately (single.py).

On several machine types there is one ratio if the types agree, else a ratio for each type (change.py). Between journals
of different machine types no change is called: it could be due to the machines.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from harness.reporting.comparing.change import ClockChange, Mixed, clock_change
from harness.reporting.pairing import Side, on_other_machines, unpaired
from harness.reporting.results import CLOCKS, ContenderResults, State
from harness.reporting.statistics import LEVEL, Floats, Ratio, z_score
from puzzles.problem.arrays import BoolArray, Int8Array, Int64Array

THRESHOLD = 0.05


class Call(StrEnum):
    """Classification of a change in time."""

    REGRESSED = "regressed"
    IMPROVED = "improved"
    SAME = "same"
    INCONCLUSIVE = "inconclusive"


def classify(ratio: Ratio, threshold: float) -> Call:
    """Classify the ratio of one clock.

    A change at the threshold is estimated below it half the time, so up to one standard error below counts.
    """
    edge, z = float(np.log1p(threshold)), z_score(LEVEL)
    if ratio.low > 0 and ratio.log + (ratio.log - ratio.low) / z >= edge:
        return Call.REGRESSED
    if ratio.high < 0 and ratio.log - (ratio.high - ratio.log) / z <= -edge:
        return Call.IMPROVED
    return Call.SAME if -edge < ratio.low and ratio.high < edge else Call.INCONCLUSIVE


def overall(calls: Sequence[Call]) -> Call:
    """Combine the calls of both clocks: the worst conclusive one, else INCONCLUSIVE."""
    order = (Call.REGRESSED, Call.IMPROVED, Call.SAME)
    return next((word for word in order if word in calls), Call.INCONCLUSIVE)


def call_of(change: ClockChange, threshold: float) -> Call:
    """Classify the change on one clock. If machine types differ, the worst change of a type counts.

    A change is an improvement only if it is conclusive on every type.
    """
    if change.ratio:
        return classify(change.ratio, threshold)
    calls = [classify(ratio, threshold) for _, ratio in change.mixed.ratios] if change.mixed else []
    order = (Call.REGRESSED, Call.INCONCLUSIVE, Call.IMPROVED, Call.SAME)
    return next((word for word in order if word in calls), Call.INCONCLUSIVE)


@dataclass(frozen=True)
class Comparison:
    """Changes from `before` to `after`: flags bool[n] by puzzle, `ratios` by clock.

    mixed           by clock, the ratios by machine type if there are several; if they differ, `ratios` has none
    other_machines  the sides ran on different machine types, so times show no change of the contender
    unpaired        decided by both, but on different machines
    slower, faster  changed beyond all noise, on at least one clock
    repeats         repeats that would decide an inconclusive comparison, None without such a number
    """

    before: Side
    after: Side
    ratios: dict[str, Ratio]
    mixed: dict[str, Mixed]
    other_machines: bool
    unpaired: BoolArray
    call: Call
    conflict: BoolArray
    wrong: BoolArray
    lost: BoolArray
    gained: BoolArray
    undecided: BoolArray
    slower: BoolArray
    faster: BoolArray
    repeats: int | None

    @property
    def exit(self) -> int:
        """Exit code: 1 conflict or wrong, 3 regressed, slower or lost, 4 undecided puzzles or no times, else 0."""
        if self.conflict.any() or self.wrong.any():
            return 1
        if self.call is Call.REGRESSED or self.slower.any() or self.lost.any():
            return 3
        return 4 if self.undecided.any() or not (self.ratios or self.mixed) else 0


def conflicts(a: ContenderResults, b: ContenderResults, at: Int64Array, on: Int64Array) -> BoolArray:
    """Return bool[n], true where one side's complete answer contradicts the other's answer."""
    one, other = a.complete[at], b.complete[on]
    differ = one.given & other.given & ~one.merit.same(other.merit)
    return one.below(b.merit[on]) | other.below(a.merit[at]) | differ


class StateChanges(NamedTuple):
    """Flags bool[n] by puzzle, as in `Comparison`."""

    wrong: BoolArray
    undecided: BoolArray
    lost: BoolArray
    gained: BoolArray


def state_changes(old: Int8Array, new: Int8Array) -> StateChanges:
    """Return the changes from old to new states, int8[n]."""
    wrong = new == State.WRONG
    undecided = (new > State.DECIDED) & ~wrong | (new == State.NONE) & (old != State.NONE)
    lost = (old == State.DECIDED) & undecided
    gained = (old != State.DECIDED) & (old != State.NONE) & (new == State.DECIDED)
    return StateChanges(wrong, undecided, lost, gained)


def by_ratio(before: Floats, after: Floats) -> tuple[Int64Array, Floats]:
    """Return positions and ratios after / before where both times are known, the largest ratio first."""
    both = np.flatnonzero(~np.isnan(before) & ~np.isnan(after))
    ratio = after[both] / before[both]
    order = np.argsort(-ratio, kind="stable")
    return both[order], ratio[order]


def compare(a: Side, b: Side, threshold: float = THRESHOLD) -> Comparison:
    """Compare two sides whose `ids` correspond element by element."""
    conflict = conflicts(a.of, b.of, a.ids, b.ids)
    wrong, undecided, lost, gained = state_changes(a.of.state[a.ids], b.of.state[b.ids])
    changes = {clock: change for clock in CLOCKS if (change := clock_change(a, b, clock, threshold))}
    ratios = {clock: change.ratio for clock, change in changes.items() if change.ratio}
    mixed = {clock: change.mixed for clock, change in changes.items() if change.mixed}
    other = on_other_machines(a.results, b.results)
    call = Call.INCONCLUSIVE if other else overall([call_of(change, threshold) for change in changes.values()])
    slower, faster = np.zeros_like(wrong), np.zeros_like(wrong)
    for change in changes.values():
        slower |= change.slower
        faster |= change.faster
    enough = [c.repeats for c in changes.values() if c.repeats is not None and call is Call.INCONCLUSIVE]
    return Comparison(
        *(a, b, ratios, mixed, other, unpaired(a, b), call, conflict, wrong, lost, gained, undecided),
        *(slower, faster & ~slower, None if other else min(enough, default=None)),
    )
