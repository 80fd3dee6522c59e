"""Comparisons as `--json` writes them (docs/ci-gate.md)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from harness.model.errors import BadUsage
from harness.reporting.frame.advice import comparison_warnings, kept_between_warnings
from harness.reporting.frame.entries import ComparisonEntry, ComparisonResult, RatioEntry
from harness.reporting.frame.machine_types import Machines
from harness.reporting.frame.pairing import pair_up, paired_times, sides
from harness.reporting.frame.results import CLOCKS, Results
from harness.reporting.statistics.calls import DEFAULT, Thresholds, classify
from harness.reporting.statistics.estimates import Floats, Ratio
from harness.reporting.views.comparing.compare import Comparison, by_ratio, compare
from harness.reporting.views.comparing.measured import Measure
from harness.reporting.views.comparing.quality import quality_entry
from harness.reporting.views.luck import cause, luck_of
from puzzles.problem.arrays import BoolArray

SHARES = {"solved": "solved", "solved_far": "solved far from limits"}  # measures of asks decided: more is better
KINDS = ("conflict", "wrong", "lost", "gained")
COLUMNS = ("puzzle", "before", "after", "ratio", "change")
VALUE_COLUMNS = (
    "puzzle",
    "before",
    "after",
    "value",
    "decided before",
    "decided after",
    "seconds before",
    "seconds after",
    "first",
)


def compared(
    a: Results,
    b: Results,
    named: Sequence[str] = (),
    limits: Thresholds = DEFAULT,
    strict: bool = False,
    shift: float = 0.0,
) -> tuple[list[Comparison], ComparisonResult]:
    """Compare two journals, or contenders of one; return the comparisons and the data of `--json`. Raises BadUsage.

    strict  exit code 4 also where a call is open, or machines differ
    shift   seconds added to times before their ratio is formed: shifted geometric means
    """
    if a.settings.count != b.settings.count:
        raise BadUsage(
            f"{a.journal.path} and {b.journal.path} have different --count: run one of them again"
            " with the --count of the other"
        )
    pairs = sides(a, b, pair_up(a, b, named), shift)
    found, threshold = [compare(x, y, limits) for x, y in pairs], limits.time
    codes = {c.strict_exit if strict else c.exit for c in found}
    return found, {
        "schema": 1,
        "threshold": threshold,
        "thresholds": limits.as_dict(),
        "shift": shift,
        "proofs_required": b.proofs_required,
        "comparisons": [summary(c, threshold) for c in found],
        "warnings": [*comparison_warnings(a, b, len(pairs[0][0].ids)), *kept_between_warnings(pairs)],
        "exit": next((code for code in (1, 3, 4) if code in codes), 0),
    }


def summary(found: Comparison, threshold: float) -> ComparisonEntry:
    """Return a comparison as `--json` writes it."""
    a, b = found.before, found.after

    def names(flags: BoolArray) -> list[str]:
        return b.results.names(b.ids[flags])

    made: Any = {
        "before": {"contender": a.name, "version": a.version, "journal": str(a.results.journal.path)},
        "after": {"contender": b.name, "version": b.version, "journal": str(b.results.journal.path)},
        "call": found.call,
        "repeats_to_decide": found.repeats,
        "repeats": min(len(side.of.states) for side in (a, b)),
        "times": {clock: ratio_entry(r, threshold) for clock, r in found.ratios.items()},
        **machine_facts(found, threshold),
        **luck_facts(found),
        "puzzles": len(a.ids),
        "measures": {name: measure_entry(name, m) for name, m in found.measures.items()},
        **objective_facts(found, threshold),
        **{k: names(getattr(found, k)) for k in (*KINDS, "mended", "undecided")},
        **{k: names(getattr(found.kept, k)) for k in ("flipped", "missing", "broken")},
        "slower": extremes(found, found.slower),
        "faster": extremes(found, found.faster),
        "exit": found.exit,
    }
    entry: ComparisonEntry = made
    return entry


def ratio_entry(r: Ratio, threshold: float) -> RatioEntry:
    """Return the ratio on one clock; ends of an unknown interval are None."""
    value, low, high = r.values()
    return {
        "ratio": value,
        "low": low if np.isfinite(low) else None,
        "high": high if np.isfinite(high) else None,
        "pairs": r.pairs,
        "call": classify(r, threshold),
    }


def measure_entry(name: str, measure: Measure) -> Mapping[str, Any]:
    """Return the change of a measure: of memory a ratio, else a difference; ends of an unknown interval are None."""
    change = measure.change
    if name == "memory":
        return ratio_entry(change, measure.threshold)
    least, most = (-1.0, 1.0) if name in SHARES else (-np.inf, np.inf)
    ends = {"low": max(change.low, least), "high": min(change.high, most)}
    shown = {key: float(end) if np.isfinite(end) else None for key, end in ends.items()}
    return {"difference": change.log, **shown, "pairs": change.pairs, "call": measure.call}


def objective_facts(found: Comparison, threshold: float) -> dict[str, Any]:
    """Return the comparison by values of objectives, nothing without one."""
    if found.quality is None:
        return {}
    entry = quality_entry(found.quality, found.after.results.names(found.after.ids))
    return {"values": entry | {"time_to_same": found.quality.ratio and ratio_entry(found.quality.ratio, threshold)}}


def instance_values(found: Comparison) -> list[dict[str, Any]]:
    """Return the values of each instance with an objective as the source states them; those decided by a side first."""
    q = found.quality
    if q is None:
        return []
    journal, ids = found.after.results.journal, found.after.ids
    words = {-1.0: "better", 0.0: "same", 1.0: "worse"}
    proved = [np.where(flags, "yes", "") for flags in q.decided]
    rows = []
    for i in sorted(np.flatnonzero(q.goal).tolist(), key=lambda i: not (q.decided[0][i] or q.decided[1][i])):
        turned = journal.instances.outline_of(int(ids[i])).sign
        values = (None if v is None else turned * v for v in (q.before[i], q.after[i]))
        seconds = (None if np.isnan(s[i]) else float(s[i]) for s in q.seconds)
        first = {-1.0: "after", 1.0: "before"}.get(float(q.first[i]), "")
        row = (
            journal.instances.name(int(ids[i])),
            *values,
            words.get(float(q.sign[i]), ""),
            *(str(p[i]) for p in proved),
        )
        rows.append(dict(zip(VALUE_COLUMNS, (*row, *seconds, first), strict=True)))
    return rows


def machine_facts(found: Comparison, threshold: float) -> dict[str, Any]:
    """Return the facts about machines, nothing if both sides ran on one type."""
    facts: dict[str, Any] = {}
    if found.mixed:
        entries: dict[Machines, dict[str, Any]] = {}
        for clock, mixed in found.mixed.items():
            for machines, r in mixed.ratios:
                entries.setdefault(machines, {})[clock] = ratio_entry(r, threshold)
        facts["by_machine"] = [machines.as_dict() | {"times": times} for machines, times in entries.items()]
        tests = {clock: mixed.pooled for clock, mixed in found.mixed.items()}
        facts["heterogeneity"] = {c: {"q": t.q, "p": t.p} if t.q == t.q else None for c, t in tests.items()}
    if found.other_machines:
        sides = {"before": found.before, "after": found.after}
        facts["other_machines"] = {key: [m.as_dict() for m in of.results.machines] for key, of in sides.items()}
    if found.unpaired.any():
        facts["unpaired"] = int(found.unpaired.sum())
    return facts


def plain_seconds(found: Comparison, clock: str) -> tuple[Floats, Floats]:
    """Return the times of both sides by instance, without a shift."""
    before, after = (replace(side, shift=0.0) for side in (found.before, found.after))
    old, new = paired_times(before, after, clock)
    return old.seconds, new.seconds


def luck_facts(found: Comparison) -> dict[str, Any]:
    """Return the luck of seeds in ratios, on CPU time where it is known; nothing where repeats have one seed."""
    a, b = found.before, found.after
    of = cause(b.results) if cause(a.results) else ""
    for clock in CLOCKS if of else ():
        if shown := luck_of(b.results, *paired_times(a, b, clock)):
            return {"luck": {"of": of, "clock": clock} | shown._asdict()}
    return {}


def instances(found: Comparison, clock: str) -> list[dict[str, Any]]:
    """Return the times of each puzzle that both sides decided, the largest ratio after / before first."""
    x, y = plain_seconds(found, clock)
    order, ratios = by_ratio(x, y)
    changes = np.where(found.slower, "slower", np.where(found.faster, "faster", ""))[order].tolist()
    names = found.after.results.names(found.after.ids[order])
    rows = zip(names, x[order].tolist(), y[order].tolist(), ratios.tolist(), changes, strict=True)
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows]


def extremes(found: Comparison, flags: BoolArray) -> list[dict[str, Any]]:
    """Return name and ratio of flagged puzzles, on the clock with the larger change, the largest change first."""
    at = np.flatnonzero(flags)
    b = found.after
    pairs = (plain_seconds(found, clock) for clock in CLOCKS)
    logs = np.array([np.log(after[at] / before[at]) for before, after in pairs])
    most = np.take_along_axis(logs, np.nanargmax(np.abs(logs), axis=0)[None], axis=0)[0] if len(at) else logs[0]
    order = np.argsort(-np.abs(most), kind="stable")
    ratios = np.exp(most[order]).tolist()
    return [{"puzzle": n, "ratio": r} for n, r in zip(b.results.names(b.ids[at[order]]), ratios, strict=True)]
