"""Compare two contenders of one journal, or of two journals: correctness first, then time.

`regressed` and `improved` need an effect above the threshold and an interval that excludes "no change", on either
clock. CPU time is more reliable on a busy machine; only wall time shows a solver that waits.

Between journals the speed of the machine may have changed. The interval then covers the ratio with and without
correction for the drift of the reference work that each run timed, and is widened by BETWEEN_RUN_SD, the scatter of
repeated runs that remains.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from backends.answer import BoolArray, Int64Array
from harness.model.errors import BadUsage
from harness.model.lease import Sample
from harness.reporting.results import CLOCKS, ContenderResults, Results, State
from harness.reporting.single import changed
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
from harness.reporting.times import others_deviation
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
        sides = (worker_margin(side[~np.isnan(side)], share=0.5**0.5) for side in (before, after))
        return float(np.hypot(*sides))
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


@dataclass(frozen=True)
class Comparison:
    """Changes from `before` to `after`: flags bool[n] by puzzle, `ratios` by clock."""

    before: Side
    after: Side
    ratios: dict[str, Ratio]
    call: Call
    conflict: BoolArray
    wrong: BoolArray
    lost: BoolArray
    gained: BoolArray
    undecided: BoolArray

    @property
    def exit(self) -> int:
        """Exit code: 1 conflict or wrong, 3 regressed or lost, 4 undecided puzzles or no times, else 0."""
        if self.conflict.any() or self.wrong.any():
            return 1
        if self.call is Call.REGRESSED or self.lost.any():
            return 3
        return 4 if self.undecided.any() or not self.ratios else 0


def conflicts(a: ContenderResults, b: ContenderResults, at: Int64Array, on: Int64Array) -> BoolArray:
    """Return bool[n], true where one side's complete count contradicts the other's answer."""
    claim_a, claim_b, shown_a, shown_b = a.complete_count[at], b.complete_count[on], a.shown[at], b.shown[on]
    said_a, said_b = claim_a >= 0, claim_b >= 0
    found: BoolArray = (
        said_a & (shown_b > claim_a) | said_b & (shown_a > claim_b) | said_a & said_b & (claim_a != claim_b)
    )
    return found


def times(a: Side, b: Side, clock: str) -> tuple[Floats, Floats, Int64Array]:
    """Return seconds of both sides on puzzles that both decided, and the clusters of these.

    If the times of one side are amortised, these are sums of clusters.
    """
    x, y = a.of.clock(clock)[a.ids], b.of.clock(clock)[b.ids]
    both = a.of.decided[a.ids] & b.of.decided[b.ids] & ~np.isnan(x) & ~np.isnan(y)
    x, y, block = x[both], y[both], a.of.block[a.ids][both]
    if a.of.amortised or b.of.amortised:
        return cluster_sums(x, block), cluster_sums(y, block), np.arange(len(np.unique(block)))
    return x, y, block


def compare(a: Side, b: Side, threshold: float = THRESHOLD) -> Comparison:
    """Compare two sides whose `ids` correspond element by element."""
    conflict = conflicts(a.of, b.of, a.ids, b.ids)
    old, new = a.of.state[a.ids], b.of.state[b.ids]
    wrong = new == State.WRONG
    undecided = (new > State.DECIDED) & ~wrong | (new == State.NONE) & (old != State.NONE)
    lost = (old == State.DECIDED) & undecided
    gained = (old != State.DECIDED) & (old != State.NONE) & (new == State.DECIDED)
    separate = a.results is not b.results
    ratios = {}
    for clock in CLOCKS:
        x, y, clusters = times(a, b, clock)
        if len(x):
            margin, drift = worker_margin(a.of, b.of, clock, not separate), 0.0
            if separate:
                more, drift = run_margin_and_drift(a.results.samples, b.results.samples, clock)
                margin = float(np.hypot(margin, more))
            ratios[clock] = widen(paired_ratio(x, y, clusters), margin, drift)
    call = overall([classify(r, threshold) for r in ratios.values()])
    return Comparison(a, b, ratios, call, conflict, wrong, lost, gained, undecided)


def sides(a: Results, b: Results, pairs: Sequence[tuple[str, str]]) -> list[tuple[Side, Side]]:
    """Return the two sides of each pair, on the instances that both journals hold. Raises BadUsage."""
    if a is b:
        at = on = np.arange(1, a.size + 1)
    else:
        left, right = ids_by_content(a.journal), ids_by_content(b.journal)
        common = [key for key in left if key in right]
        if not common:
            raise BadUsage(f"{a.journal.path} and {b.journal.path} have no puzzle in common")
        at, on = np.array([left[k] for k in common]), np.array([right[k] for k in common])
    return [(side(a, x, at), side(b, y, on)) for x, y in pairs]


def side(results: Results, name: str, ids: Int64Array) -> Side:
    """Return one contender of a journal. Raises BadUsage if the journal does not have it."""
    if name not in results.by_name:
        known = ", ".join(results.by_name)
        raise BadUsage(f"{results.journal.path}: no contender {name!r}: choose from {known}")
    return Side(results, results.by_name[name], ids)


def pair_up(a: Results, b: Results, named: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of contenders to compare: those named, else a default. Raises BadUsage.

    The default within one journal is NAME@ENV with NAME, or the only two; between journals, equal names.
    """
    if named:
        return [(named[0], named[1])]
    left, right = list(a.by_name), list(b.by_name)
    if a is b:
        twins = [(name, name.partition("@")[0]) for name in left if "@" in name]
        pairs = [(x, y) for x, y in twins if y in left]
        if not pairs and len(left) == 2:
            pairs = [(left[0], left[1])]
        if not pairs:
            raise BadUsage(f"{a.journal.path}: name two contenders with --contenders OLD NEW: {', '.join(left)}")
        return pairs
    pairs = [(name, name) for name in left if name in right]
    if not pairs:
        raise BadUsage(
            f"{a.journal.path} and {b.journal.path} have no contender in common: name one of each with"
            f" --contenders OLD NEW ({', '.join(left)}; {', '.join(right)})"
        )
    return pairs


def summary(found: Comparison, threshold: float) -> dict[str, Any]:
    """Return a comparison as `--json` writes it; docs/ci-gate.md describes it."""
    a, b = found.before, found.after

    def names(flags: BoolArray) -> list[str]:
        return b.results.names(b.ids[flags])

    times = {}
    for clock, r in found.ratios.items():
        value, low, high = r.values()
        times[clock] = {
            "ratio": value,
            "low": low if np.isfinite(low) else None,
            "high": high if np.isfinite(high) else None,
            "pairs": r.pairs,
            "call": classify(r, threshold),
        }
    return {
        "before": {"contender": a.name, "version": a.version, "journal": str(a.results.journal.path)},
        "after": {"contender": b.name, "version": b.version, "journal": str(b.results.journal.path)},
        "call": found.call,
        "times": times,
        "puzzles": len(a.ids),
        **{k: names(getattr(found, k)) for k in ("conflict", "wrong", "lost", "gained", "undecided")},
        "exit": found.exit,
    }
