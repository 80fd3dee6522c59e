"""Compare two contenders of one journal, or of two journals: correctness first, then time.

`regressed` and `improved` need an effect above the threshold and an interval that excludes "no change", on either
clock. CPU time is more reliable on a busy machine; only wall time shows a solver that waits. Single instances that
changed beyond all noise are found by themselves (single.py).

Between journals the speed of the machine may have changed. The interval then covers the ratio with and without
correction for the drift of the reference work that each run timed, and is widened by BETWEEN_RUN_SD, the scatter of
repeated runs that remains.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from backends.answer import BoolArray, Int8Array, Int64Array
from harness.model.errors import BadUsage
from harness.model.lease import Sample
from harness.reporting.comparing.planning import repeats_to_decide
from harness.reporting.comparing.single import changed
from harness.reporting.results import CLOCKS, ContenderResults, Results, State
from harness.reporting.statistics import (
    BETWEEN_WORKER_SD,
    LEVEL,
    Floats,
    Ratio,
    cluster_sums,
    paired_ratio,
    widen,
    worker_margin,
    z_score,
)
from harness.reporting.times import Times, others_deviation
from harness.storing.hashes import ids_by_content

THRESHOLD = 0.05
BETWEEN_RUN_SD = 0.04  # standard deviation of the log ratio of two separate runs of one solver: benchmarks/honesty.md


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


def between_workers(before: Floats, after: Floats, others: list[Floats], separate: bool) -> float:
    """Return the half-width due to variation between workers, from the effects by repeat of both sides.

    Within a run, drift cancels by pairing, and `others`, effects of all contenders, show how much workers differ.
    """
    if separate:
        old, new = (worker_margin(side[~np.isnan(side)], share=0.5**0.5) for side in (before, after))
        return float(np.hypot(old, new))
    n = min(len(before), len(after))
    both = after[:n] - before[:n]
    return worker_margin(both[~np.isnan(both)], max(BETWEEN_WORKER_SD, others_deviation(others)))


def run_margin_and_drift(before: Sequence[Sample], after: Sequence[Sample], clock: str) -> tuple[float, float]:
    """Return the half-width due to separate runs, infinite without reference work, and their drift.

    The drift is that of the lower quartile: other programs slow down some passes by half, but seldom most of them.
    The standard error of a normal lower quartile is 2.02 times its distance from the median over the root of the
    sample size; the part of the drift that exceeds this error is returned.
    """
    if not before or not after:
        return float("inf"), 0.0
    which = 1 if clock == "cpu" else 0
    logs = [np.log([max(s[which], 1) for s in samples]) for samples in (before, after)]
    quartiles = [np.quantile(x, [0.25, 0.5]).tolist() for x in logs]
    errors = [2.02 * (middle - low) / len(x) ** 0.5 for x, (low, middle) in zip(logs, quartiles, strict=True)]
    drift = quartiles[1][0] - quartiles[0][0]
    significant = max(0.0, abs(drift) - float(np.hypot(*errors)))
    return z_score(LEVEL) * BETWEEN_RUN_SD, float(np.copysign(significant, drift))


@dataclass(frozen=True)
class Side:
    """One contender of one journal, restricted to the common puzzles, in an order that both sides share.

    ids  int64[n], the journal's own ids of these puzzles
    """

    results: Results
    of: ContenderResults
    ids: Int64Array

    @property
    def name(self) -> str:
        return self.of.contender.name

    @property
    def version(self) -> str:
        return self.of.contender.version

    def times(self, clock: str) -> Times:
        """Return the times of the common puzzles on a clock."""
        return self.of.times[clock].at(self.ids)


@dataclass(frozen=True)
class Comparison:
    """Changes from `before` to `after`: flags bool[n] by puzzle, `ratios` by clock.

    slower, faster  changed beyond all noise, on either clock
    repeats         number that would decide an inconclusive comparison, None if it is decided or none would
    """

    before: Side
    after: Side
    ratios: dict[str, Ratio]
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
        return 4 if self.undecided.any() or not self.ratios else 0


def conflicts(a: ContenderResults, b: ContenderResults, at: Int64Array, on: Int64Array) -> BoolArray:
    """Return bool[n], true where one side's complete count contradicts the other's answer."""
    claim_a, claim_b, shown_a, shown_b = a.complete_count[at], b.complete_count[on], a.given[at], b.given[on]
    said_a, said_b = claim_a >= 0, claim_b >= 0
    found: BoolArray = (
        said_a & (shown_b > claim_a) | said_b & (shown_a > claim_b) | said_a & said_b & (claim_a != claim_b)
    )
    return found


class StateChanges(NamedTuple):
    """Flags bool[n] by puzzle, as `Comparison` has them."""

    wrong: BoolArray
    undecided: BoolArray
    lost: BoolArray
    gained: BoolArray


def state_changes(old: Int8Array, new: Int8Array) -> StateChanges:
    """Return the changes from states to states, int8[n]."""
    wrong = new == State.WRONG
    undecided = (new > State.DECIDED) & ~wrong | (new == State.NONE) & (old != State.NONE)
    lost = (old == State.DECIDED) & undecided
    gained = (old != State.DECIDED) & (old != State.NONE) & (new == State.DECIDED)
    return StateChanges(wrong, undecided, lost, gained)


def by_ratio(before: Floats, after: Floats) -> tuple[Int64Array, Floats]:
    """Return positions and ratios after / before where both have a time, not NaN, the largest ratio first."""
    both = np.flatnonzero(~np.isnan(before) & ~np.isnan(after))
    ratio = after[both] / before[both]
    order = np.argsort(-ratio, kind="stable")
    return both[order], ratio[order]


@dataclass(frozen=True)
class ClockChange:
    """Change of times on one clock: ratio with its whole interval, single instances, and repeats that would decide."""

    ratio: Ratio
    slower: BoolArray
    faster: BoolArray
    repeats: int | None


def clock_change(a: Side, b: Side, clock: str, threshold: float) -> ClockChange | None:
    """Compare the times of two sides on one clock; None if no puzzle has times on both.

    Times that are shares of a batch's are added up again, by cluster, and show no single instances.
    """
    before, after, block = a.times(clock), b.times(clock), a.of.block[a.ids]
    both = a.of.decided[a.ids] & b.of.decided[b.ids] & ~np.isnan(before.seconds) & ~np.isnan(after.seconds)
    if not both.any():
        return None
    slower, faster = np.zeros(len(both), np.bool_), np.zeros(len(both), np.bool_)
    x, y, clusters = before.seconds[both], after.seconds[both], block[both]
    if a.of.amortised or b.of.amortised:
        x, y, clusters = cluster_sums(x, clusters), cluster_sums(y, clusters), np.unique(clusters)
    else:
        slower[both], faster[both] = changed(before.asks[:, both], after.asks[:, both], clock)
    separate, rest, drift = a.results is not b.results, 0.0, 0.0
    if separate:
        rest, drift = run_margin_and_drift(a.results.samples, b.results.samples, clock)
    others = [c.times[clock].effects for c in a.results.contenders]
    workers = between_workers(before.effects, after.effects, others, separate)
    narrow = paired_ratio(x, y, clusters)
    ratio = widen(narrow, float(np.hypot(workers, rest)), drift)
    repeats = repeats_to_decide(before, after, both, narrow, float(np.hypot(rest, drift)), threshold)
    return ClockChange(ratio, slower, faster, repeats)


def compare(a: Side, b: Side, threshold: float = THRESHOLD) -> Comparison:
    """Compare two sides whose `ids` correspond element by element."""
    conflict = conflicts(a.of, b.of, a.ids, b.ids)
    wrong, undecided, lost, gained = state_changes(a.of.state[a.ids], b.of.state[b.ids])
    changes = {clock: change for clock in CLOCKS if (change := clock_change(a, b, clock, threshold))}
    ratios = {clock: change.ratio for clock, change in changes.items()}
    call = overall([classify(r, threshold) for r in ratios.values()])
    slower, faster = np.zeros_like(wrong), np.zeros_like(wrong)
    for change in changes.values():
        slower |= change.slower
        faster |= change.faster
    enough = [c.repeats for c in changes.values() if c.repeats is not None and call is Call.INCONCLUSIVE]
    repeats = min(enough, default=None)
    return Comparison(a, b, ratios, call, conflict, wrong, lost, gained, undecided, slower, faster & ~slower, repeats)


def sides(a: Results, b: Results, pairs: Sequence[tuple[str, str]]) -> list[tuple[Side, Side]]:
    """Return the two sides of each pair, on the instances that both journals hold. Raises BadUsage."""
    if a is b:
        at = on = np.arange(1, a.size + 1)
    else:
        by_name = a.journal.imported != b.journal.imported
        left, right = ids_by_content(a.journal, by_name), ids_by_content(b.journal, by_name)
        common = [key for key in left if key in right]
        if not common:
            raise BadUsage(f"{a.journal.path} and {b.journal.path} have no puzzle in common")
        at, on = np.array([left[k] for k in common]), np.array([right[k] for k in common])
    return [(side(a, x, at), side(b, y, on)) for x, y in pairs]


def side(results: Results, name: str, ids: Int64Array) -> Side:
    """Return one contender of a journal."""
    return Side(results, results.by_name[name], ids)
