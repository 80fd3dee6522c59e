"""What changed between two contenders of one journal, or between two journals: correctness first, then time.

A call of `regressed` or `improved` needs an effect above the threshold and an interval that leaves no change out, on
either clock. CPU time says more on a busy machine; wall time alone sees a solver that waits.

Between journals the machine may have changed too. The interval then takes in both readings, with and without the drift
of the reference work that each run timed, and is widened by BETWEEN_RUN_SD, by which repeated runs differ even so.
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
from harness.reporting.statistics import (
    LEVEL,
    BETWEEN_WORKER_SD,
    Floats,
    Ratio,
    worker_error,
    z_score,
    paired_ratio,
    widen,
    student_factor,
    cluster_sums,
)
from harness.storing.hashes import content

THRESHOLD = 0.05
BETWEEN_RUN_SD = 0.04  # standard deviation of the log ratio of two separate runs of the same: benchmarks/honesty.md


class Call(StrEnum):
    """What is said of a contender's times."""

    REGRESSED = "regressed"
    IMPROVED = "improved"
    SAME = "same"
    INCONCLUSIVE = "inconclusive"


def call(ratio: Ratio, threshold: float) -> Call:
    """The word for one clock."""
    edge = float(np.log1p(threshold))
    if ratio.low > 0 and ratio.log >= edge:
        return Call.REGRESSED
    if ratio.high < 0 and ratio.log <= -edge:
        return Call.IMPROVED
    return Call.SAME if -edge < ratio.low and ratio.high < edge else Call.INCONCLUSIVE


def overall(calls: Sequence[Call]) -> Call:
    """One word for both clocks: the worst that is sure, and `same` where one clock is sure of it."""
    order = (Call.REGRESSED, Call.IMPROVED, Call.SAME)
    return next((word for word in order if word in calls), Call.INCONCLUSIVE)


def worker_margin(a: ContenderResults, b: ContenderResults, clock: str, paired: bool) -> float:
    """Half of the interval that the luck of workers leaves. In one run repeats are paired, so that drift cancels."""
    x, y = a.repeat_effects[clock], b.repeat_effects[clock]
    if paired:
        n = min(len(x), len(y))
        both = y[:n] - x[:n]
        error, freedom = worker_error(both[~np.isnan(both)])
    else:
        parts = [worker_error(levels[~np.isnan(levels)], BETWEEN_WORKER_SD / np.sqrt(2)) for levels in (x, y)]
        error, freedom = float(np.hypot(parts[0][0], parts[1][0])), min(parts[0][1], parts[1][1])
    return z_score(LEVEL) * student_factor(LEVEL, freedom) * error


def run_margin(before: Sequence[Sample], after: Sequence[Sample], clock: str) -> tuple[float, float]:
    """Of two journals' reference work: half of the interval to add, infinite where there is none, and the drift.

    The drift is that of the lower quartile: other programs slow down some passes by half, but seldom most of them.
    Of a normal distribution its error is 2.02 times its distance from the median, by the root of the number; the drift
    counts as far as it goes beyond that.
    """
    if not before or not after:
        return float("inf"), 0.0
    which = 1 if clock == "cpu" else 0
    logs = [np.log([max(s[which], 1) for s in samples]) for samples in (before, after)]
    quartiles = [np.quantile(x, [0.25, 0.5]).tolist() for x in logs]
    errors = [2.02 * (middle - low) / len(x) ** 0.5 for x, (low, middle) in zip(logs, quartiles, strict=True)]
    drift = quartiles[1][0] - quartiles[0][0]
    sure = max(0.0, abs(drift) - float(np.hypot(*errors)))
    return z_score(LEVEL) * BETWEEN_RUN_SD, float(np.copysign(sure, drift))


@dataclass(frozen=True)
class Side:
    """One contender of one journal, its puzzles put in the order in which both sides hold them.

    ids  int64[n], the journal's own numbers of these puzzles
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
    """What changed from `before` to `after`: flags bool[n] by puzzle, `ratios` by clock where it was read."""

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
        """1 conflict or wrong, 3 regressed or lost, 4 undecided puzzles, or no times to compare; else 0."""
        if self.conflict.any() or self.wrong.any():
            return 1
        if self.call is Call.REGRESSED or self.lost.any():
            return 3
        return 4 if self.undecided.any() or not self.ratios else 0


def conflicts(a: ContenderResults, b: ContenderResults, at: Int64Array, on: Int64Array) -> BoolArray:
    """Where one side says that it has shown all solutions and the other has shown, or says, something else."""
    claim_a, claim_b, shown_a, shown_b = a.complete_count[at], b.complete_count[on], a.shown[at], b.shown[on]
    said_a, said_b = claim_a >= 0, claim_b >= 0
    found: BoolArray = (
        said_a & (shown_b > claim_a) | said_b & (shown_a > claim_b) | said_a & said_b & (claim_a != claim_b)
    )
    return found


def times(a: Side, b: Side, clock: str) -> tuple[Floats, Floats, Int64Array]:
    """Seconds of both on the puzzles that both decided, and their clusters; sums of clusters where either shares."""
    x, y = a.of.clock(clock)[a.ids], b.of.clock(clock)[b.ids]
    both = a.of.decided[a.ids] & b.of.decided[b.ids] & ~np.isnan(x) & ~np.isnan(y)
    x, y, block = x[both], y[both], a.of.block[a.ids][both]
    if a.of.amortised or b.of.amortised:
        return cluster_sums(x, block), cluster_sums(y, block), np.arange(len(np.unique(block)))
    return x, y, block


def compare(a: Side, b: Side, threshold: float = THRESHOLD) -> Comparison:
    """Compare two sides whose `ids` go side by side."""
    conflict = conflicts(a.of, b.of, a.ids, b.ids)
    old, new = a.of.state[a.ids], b.of.state[b.ids]
    wrong = new == State.WRONG
    undecided = (new > State.DECIDED) & ~wrong | (new == State.NONE) & (old != State.NONE)
    lost = (old == State.DECIDED) & undecided
    gained = (old != State.DECIDED) & (old != State.NONE) & (new == State.DECIDED)
    apart = a.results is not b.results
    ratios = {}
    for clock in CLOCKS:
        x, y, of = times(a, b, clock)
        if len(x):
            margin, drift = worker_margin(a.of, b.of, clock, not apart), 0.0
            if apart:
                more, drift = run_margin(a.results.samples, b.results.samples, clock)
                margin = float(np.hypot(margin, more))
            ratio = widen(paired_ratio(x, y, of), margin, drift)
            ratios[clock] = ratio
    word = overall([call(r, threshold) for r in ratios.values()])
    return Comparison(a, b, ratios, word, conflict, wrong, lost, gained, undecided)


def sides(a: Results, b: Results, pairs: Sequence[tuple[str, str]]) -> list[tuple[Side, Side]]:
    """The sides of each pair of contenders, on the instances that both journals hold. Raises BadUsage."""
    if a is b:
        at = on = np.arange(1, a.size + 1)
    else:
        left, right = content(a.journal), content(b.journal)
        common = [key for key in left if key in right]
        if not common:
            raise BadUsage(f"{a.journal.path} and {b.journal.path} have no puzzle in common")
        at, on = np.array([left[k] for k in common]), np.array([right[k] for k in common])
    return [(side(a, x, at), side(b, y, on)) for x, y in pairs]


def side(results: Results, name: str, ids: Int64Array) -> Side:
    """One contender of a journal. Raises BadUsage where it took no part."""
    if name not in results.by_name:
        known = ", ".join(results.by_name)
        raise BadUsage(f"{results.journal.path}: no contender {name!r} in it: there are {known}")
    return Side(results, results.by_name[name], ids)


def pair_up(a: Results, b: Results, named: Sequence[str]) -> list[tuple[str, str]]:
    """Who is compared with whom: the two named; in one journal NAME@ENV with NAME, or the only two; else by name."""
    if named:
        return [(named[0], named[1])]
    left, right = list(a.by_name), list(b.by_name)
    if a is b:
        twins = [(name, name.partition("@")[0]) for name in left if "@" in name]
        pairs = [(x, y) for x, y in twins if y in left]
        if not pairs and len(left) == 2:
            pairs = [(left[0], left[1])]
        if not pairs:
            raise BadUsage(f"{a.journal.path}: name two of its contenders by --contenders: {', '.join(left)}")
        return pairs
    pairs = [(name, name) for name in left if name in right]
    if not pairs:
        raise BadUsage(
            f"{a.journal.path} and {b.journal.path} have no contender in common: name one of each by --contenders"
            f" ({', '.join(left)}; {', '.join(right)})"
        )
    return pairs


def summary(found: Comparison, threshold: float) -> dict[str, Any]:
    """A comparison as `--json` gives it; docs/ci-gate.md describes it."""
    a, b = found.before, found.after

    def names(flags: BoolArray) -> list[str]:
        return b.results.names(b.ids[flags])

    times = {}
    for clock, r in found.ratios.items():
        value, low, high = r.texts()
        times[clock] = {
            "ratio": value,
            "low": low if np.isfinite(low) else None,
            "high": high if np.isfinite(high) else None,
            "pairs": r.pairs,
            "call": call(r, threshold),
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
