"""Compare two contenders of one journal, or of two journals: correctness first, then time.

`regressed` and `improved` need an effect above the threshold and an interval that excludes "no change", on either
clock. CPU time is more reliable on a busy machine; only wall time shows a solver that waits. Single instances that
changed beyond all noise are found separately (single.py).

On several machine types there is one ratio if the types agree, else a ratio for each type (change.py). Between journals
of different machine types no change is called: it could be due to the machines.

Instances lost and gained, with limits of time in mind, are in solved.py; memory and objectives in measured.py.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from harness.reporting.frame.pairing import Side, on_other_machines, unpaired
from harness.reporting.frame.results import CLOCKS, ContenderResults, State
from harness.reporting.statistics.calls import DEFAULT, Call, Thresholds, classify, overall
from harness.reporting.statistics.estimates import Floats, Ratio
from harness.reporting.views.comparing.change import ClockChange, Mixed, clock_change
from harness.reporting.views.comparing.measured import Measure, measures
from harness.reporting.views.comparing.quality import QualityChange, quality
from harness.reporting.views.comparing.solved import Kept, asks, countable, kept
from harness.reporting.views.comparing.values import values
from puzzles.problem.arrays import BoolArray, Int8Array, Int64Array


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
    quality         values of objectives, if there are some
    measures        changes beside those of times, by name
    kept            instances lost, gained and flipped
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
    measures: dict[str, Measure]
    quality: QualityChange | None
    conflict: BoolArray
    wrong: BoolArray
    undecided: BoolArray
    kept: Kept
    slower: BoolArray
    faster: BoolArray
    repeats: int | None

    @property
    def lost(self) -> BoolArray:
        return self.kept.lost

    @property
    def gained(self) -> BoolArray:
        return self.kept.gained

    @property
    def mended(self) -> BoolArray:
        return self.kept.mended

    @property
    def calls(self) -> list[Call]:
        """Calls of times and of all measures."""
        return [self.call, *(m.call for m in self.measures.values())]

    @property
    def incomplete(self) -> bool:
        """True if nothing was compared, instances were not asked again, or some failed by an error only after."""
        nothing = not (self.ratios or self.mixed or self.lost.any() or "objective" in self.measures)
        return bool(self.kept.missing.any() or self.kept.broken.any()) or nothing

    @property
    def exit(self) -> int:
        """Exit code: 1 conflict or wrong, 3 regressed, slower or lost, 4 incomplete, else 0."""
        if self.conflict.any() or self.wrong.any():
            return 1
        if Call.REGRESSED in self.calls or self.slower.any() or self.lost.any():
            return 3
        return 4 if self.incomplete else 0

    @property
    def strict_exit(self) -> int:
        """Exit code with 4 in the place of 0 if the call is open, or the machines differ.

        The call is that of times, and of the objective where there are no times.
        """
        timed = self.ratios or self.mixed
        call = self.call if timed or "objective" not in self.measures else self.measures["objective"].call
        return self.exit or 4 * (call is Call.INCONCLUSIVE or self.other_machines)


def conflicts(a: ContenderResults, b: ContenderResults, at: Int64Array, on: Int64Array) -> BoolArray:
    """Return bool[n], true where one side's complete answer contradicts the other's answer."""
    one, other = a.complete[at], b.complete[on]
    differ = one.given & other.given & ~one.quality.same(other.quality)
    return one.below(b.quality[on]) | other.below(a.quality[at]) | differ


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


def compare(a: Side, b: Side, limits: Thresholds = DEFAULT) -> Comparison:
    """Compare two sides whose `ids` correspond element by element."""
    conflict, threshold = conflicts(a.of, b.of, a.ids, b.ids), limits.time
    wrong, undecided, _, _ = state_changes(a.of.state[a.ids], b.of.state[b.ids])
    found, valued = asks(a, b), values(a, b)
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
        before=a,
        after=b,
        ratios=ratios,
        mixed=mixed,
        other_machines=other,
        unpaired=unpaired(a, b),
        call=call,
        measures=measures(a, b, found, valued, limits),
        quality=valued and quality(a, b, valued),
        conflict=conflict,
        wrong=wrong,
        undecided=undecided,
        kept=kept(a, b, found, countable(a, b)),
        slower=slower,
        faster=faster & ~slower,
        repeats=None if other else min(enough, default=None),
    )
