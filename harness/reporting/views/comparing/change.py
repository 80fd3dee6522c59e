"""Change of times on one clock: its ratio, by machine type if there are several, and single instances.

Between journals the speed of the machine may have changed. The interval then covers the ratio with and without
correction for drift, which the reference work of each run shows, and is widened by BETWEEN_RUN_SD, the remaining
scatter of repeated runs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from harness.model.lease import Sample
from harness.reporting.frame.machine_types import Machines
from harness.reporting.frame.pairing import Side, on_other_machines, paired_times, strata
from harness.reporting.statistics.estimates import (
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
from harness.reporting.statistics.planning import repeats_to_decide
from harness.reporting.statistics.pooling import Pooled, pool
from harness.reporting.statistics.single import changed
from harness.reporting.statistics.times import Times, others_deviation
from puzzles.problem.arrays import BoolArray

BETWEEN_RUN_SD = 0.04  # standard deviation of the log ratio of two separate runs of one solver: benchmarks/honesty.md

REPEATS_ALONE = 5  # repeats from which the ratio of few instances has an interval


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

    Drift is measured at the lower quartile: other programs slow down some passes by half, but seldom most of them.
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


class Mixed(NamedTuple):
    """Ratios by machine type, and a test of their agreement."""

    ratios: tuple[tuple[Machines, Ratio], ...]
    pooled: Pooled


@dataclass(frozen=True)
class ClockChange:
    """Change of times on one clock: ratio with its interval, single instances, and the number of repeats that would
    decide.

    ratio   None if it differs between machine types
    mixed   the ratio of each machine type, if there are several
    """

    ratio: Ratio | None
    mixed: Mixed | None
    slower: BoolArray
    faster: BoolArray
    repeats: int | None


class Measured(NamedTuple):
    """Times of two sides, bool[n] where they are compared, and their ratio.

    narrow  with an interval over instances alone       ratio  with its whole interval
    rest    half-width that repeats do not reduce
    """

    before: Times
    after: Times
    both: BoolArray
    narrow: Ratio
    ratio: Ratio
    rest: float


def clock_change(a: Side, b: Side, clock: str, threshold: float) -> ClockChange | None:
    """Compare the times of two sides on one clock; None if no puzzle has times on both.

    Single instances are not called if times are shares of a batch's time, nor between journals of different machine
    types.
    """
    whole = measured(a, b, clock, alone=True)
    if whole is None:
        return None
    before, after, both = whole.before, whole.after, whole.both
    slower, faster = np.zeros(len(both), np.bool_), np.zeros(len(both), np.bool_)
    unlike = a.results is not b.results and (strata(a, b) or on_other_machines(a.results, b.results))
    if not (a.of.amortised or b.of.amortised or unlike):
        slower[both], faster[both] = changed(before.asks[:, both], after.asks[:, both], clock)
    mixed = by_machine(a, b, clock)
    ratio = mixed.pooled.ratio if mixed else whole.ratio
    repeats = repeats_to_decide(before, after, both, whole.narrow, whole.rest, threshold)
    return ClockChange(ratio, mixed, slower, faster, repeats)


def by_machine(a: Side, b: Side, clock: str) -> Mixed | None:
    """Return the ratio on each machine type that both sides ran on; None with one type, or none in common."""
    found = [(s.machines, m.ratio) for s in strata(a, b) if (m := measured(s.before, s.after, clock))]
    return Mixed(tuple(found), pool([ratio for _, ratio in found])) if found else None


def measured(a: Side, b: Side, clock: str, alone: bool = False) -> Measured | None:
    """Return the ratio of the times of two sides on one clock; None if no puzzle has times on both.

    Times that are shares of a batch's time are added up again, by cluster. Fewer than three clusters show no variation
    between instances: the interval then covers the variation between REPEATS_ALONE repeats or more, each with fresh
    workers, and the ratio is that of these instances (`alone`).
    """
    (before, after), block = paired_times(a, b, clock), a.of.block[a.ids]
    both = a.of.decided[a.ids] & b.of.decided[b.ids] & ~np.isnan(before.seconds) & ~np.isnan(after.seconds)
    if not both.any():
        return None
    x, y, clusters = before.seconds[both], after.seconds[both], block[both]
    if a.of.amortised or b.of.amortised:
        x, y, clusters = cluster_sums(x, clusters), cluster_sums(y, clusters), np.unique(clusters)
    separate, rest, drift = a.results is not b.results, 0.0, 0.0
    if separate:
        rest, drift = run_margin_and_drift(a.results.samples, b.results.samples, clock)
    others = [c.times[clock].effects for c in a.results.contenders]
    workers = between_workers(before.effects, after.effects, others, separate)
    narrow = paired_ratio(x, y, clusters)
    if alone and not np.isfinite(narrow.low) and min(len(before.effects), len(after.effects)) >= REPEATS_ALONE:
        narrow = Ratio(narrow.log, narrow.log, narrow.log, narrow.pairs)
    ratio = widen(narrow, float(np.hypot(workers, rest)), drift)
    return Measured(before, after, both, narrow, ratio, float(np.hypot(rest, drift)))
