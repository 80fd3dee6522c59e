"""Comparisons as `--json` writes them (docs/ci-gate.md) and as text."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from backends.answer import BoolArray
from harness.model.errors import BadUsage
from harness.reporting.advice import comparison_warnings
from harness.reporting.comparing.compare import THRESHOLD, Call, Comparison, by_ratio, classify, compare
from harness.reporting.comparing.pairing import pair_up, paired_times, sides
from harness.reporting.machines.types import Machines
from harness.reporting.printable import markdown_text, printable
from harness.reporting.results import CLOCKS, Results
from harness.reporting.statistics import Ratio
from harness.reporting.tables import (
    csv_value,
    format_number,
    format_seconds,
    format_table,
    plural,
    table_width,
    terminal_cell,
    terminal_width,
    wrapped,
)

KINDS = ("conflict", "wrong", "lost", "gained")
COLUMNS = ("puzzle", "before", "after", "ratio", "change")
CLOCK_NAMES = {"cpu": "CPU time", "wall": "wall time"}
MOST_NAMED = 5  # single instances named on one line
ABOUT = "times are after / before, geometric mean over puzzles [99 % interval, ? if there is too little data]"


def compared(
    a: Results, b: Results, named: Sequence[str] = (), threshold: float = THRESHOLD
) -> tuple[list[Comparison], dict[str, Any]]:
    """Compare two journals, or contenders of one; return comparisons and what `--json` writes. Raises BadUsage."""
    if a.settings.count != b.settings.count:
        raise BadUsage(
            f"{a.journal.path} and {b.journal.path} have different --count: run one of them again"
            " with the --count of the other"
        )
    pairs = sides(a, b, pair_up(a, b, named))
    found = [compare(x, y, threshold) for x, y in pairs]
    codes = {c.exit for c in found}
    return found, {
        "schema": 1,
        "threshold": threshold,
        "comparisons": [summary(c, threshold) for c in found],
        "warnings": comparison_warnings(a, b, len(pairs[0][0].ids)),
        "exit": next((code for code in (1, 3, 4) if code in codes), 0),
    }


def summary(found: Comparison, threshold: float) -> dict[str, Any]:
    """Return a comparison as `--json` writes it."""
    a, b = found.before, found.after

    def names(flags: BoolArray) -> list[str]:
        return b.results.names(b.ids[flags])

    return {
        "before": {"contender": a.name, "version": a.version, "journal": str(a.results.journal.path)},
        "after": {"contender": b.name, "version": b.version, "journal": str(b.results.journal.path)},
        "call": found.call,
        "repeats_to_decide": found.repeats,
        "times": {clock: ratio_entry(r, threshold) for clock, r in found.ratios.items()},
        **machine_facts(found, threshold),
        "puzzles": len(a.ids),
        **{k: names(getattr(found, k)) for k in (*KINDS, "undecided")},
        "slower": extremes(found, found.slower),
        "faster": extremes(found, found.faster),
        "exit": found.exit,
    }


def ratio_entry(r: Ratio, threshold: float) -> dict[str, Any]:
    """Return the ratio on one clock; ends of an unknown interval are None."""
    value, low, high = r.values()
    return {
        "ratio": value,
        "low": low if np.isfinite(low) else None,
        "high": high if np.isfinite(high) else None,
        "pairs": r.pairs,
        "call": classify(r, threshold),
    }


def machine_facts(found: Comparison, threshold: float) -> dict[str, Any]:
    """Return what there is to say on machines, nothing if both sides ran on one type."""
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


def instances(found: Comparison, clock: str) -> list[dict[str, Any]]:
    """Return the times of each puzzle that both decided, the largest ratio after / before first."""
    x, y = (times.seconds for times in paired_times(found.before, found.after, clock))
    order, ratios = by_ratio(x, y)
    changes = np.where(found.slower, "slower", np.where(found.faster, "faster", ""))[order].tolist()
    names = found.after.results.names(found.after.ids[order])
    rows = zip(names, x[order].tolist(), y[order].tolist(), ratios.tolist(), changes, strict=True)
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows]


def extremes(found: Comparison, flags: BoolArray) -> list[dict[str, Any]]:
    """Return name and ratio of flagged puzzles, on the clock that shows more, the largest change first."""
    at = np.flatnonzero(flags)
    a, b = found.before, found.after
    pairs = (paired_times(a, b, clock) for clock in CLOCKS)
    logs = np.array([np.log(after.seconds[at] / before.seconds[at]) for before, after in pairs])
    most = np.take_along_axis(logs, np.nanargmax(np.abs(logs), axis=0)[None], axis=0)[0] if len(at) else logs[0]
    order = np.argsort(-np.abs(most), kind="stable")
    ratios = np.exp(most[order]).tolist()
    return [{"puzzle": n, "ratio": r} for n, r in zip(b.results.names(b.ids[at[order]]), ratios, strict=True)]


def verdict(c: dict[str, Any]) -> str:
    """Return the call of a comparison, with the number of puzzles that became slower."""
    if "other_machines" in c:
        return "different machines"
    if c["call"] == Call.REGRESSED or not c["slower"]:
        return str(c["call"])
    single = f"regressed on {plural(len(c['slower']), 'instance')}"
    return single if c["call"] in (Call.SAME, Call.INCONCLUSIVE) else f"{c['call']}, {single}"


def text(result: dict[str, Any], fmt: str) -> str:
    """Return the table, a line for each puzzle that changed, and the warnings; the table alone as CSV."""
    if fmt in ("csv", "github"):
        return table(result, fmt)
    return "\n".join([table(result, fmt, terminal_width()), "", *map(wrapped, lines_below(result, fmt))])


def table(result: dict[str, Any], fmt: str, width: int | None = None) -> str:
    """Return a table with one line for each comparison, shortened if a terminal of `width` characters is too narrow."""
    rows = []
    for c in result["comparisons"]:
        times = [cell for clock in CLOCKS for cell in interval_cells(c["times"].get(clock), fmt)]
        who = [c["before"]["contender"], c["after"]["contender"], verdict(c)]
        rows.append([*who, *times, str(c["puzzles"]), *(str(len(c[kind])) for kind in KINDS)])
    heads = [CLOCK_NAMES[clock] for clock in CLOCKS]
    if fmt == "csv":
        heads = [f"{clock}{end}" for clock in CLOCKS for end in ("", " low", " high")]
    names = ["before", "after", "verdict", *heads, "puzzles", *KINDS]
    if fmt == "table" and width:
        return fitted([dict(zip(names, map(terminal_cell, row), strict=True)) for row in rows], width)
    return format_table(names, rows, fmt, left=3)


def fitted(rows: Sequence[dict[str, str]], width: int) -> str:
    """Return rows as a table that says the same in fewer columns, as far as they do not fit."""
    below = ""
    if table_width(rows) > width and all(row["before"] == row["after"] for row in rows):
        rows = [{"contender": row["before"]} | without(row, ("before", "after")) for row in rows]
    zero = [kind for kind in KINDS if all(row[kind] == "0" for row in rows)]
    if table_width(rows) > width and zero:
        rows, below = [without(row, zero) for row in rows], f"\nall 0: {', '.join(zero)}"
    left = list(rows[0]).index("verdict") + 1
    return format_table(list(rows[0]), [list(row.values()) for row in rows], "table", left) + below


def without(row: dict[str, str], columns: Sequence[str]) -> dict[str, str]:
    """Return a row without these columns."""
    return {name: cell for name, cell in row.items() if name not in columns}


def lines_below(result: dict[str, Any], fmt: str = "table") -> list[str]:
    """Return a line on the times, a line for each puzzle that changed, and the warnings."""
    lines = [line for c in result["comparisons"] for line in notes(c)]
    below = [ABOUT, *dict.fromkeys(lines), *(f"warning: {text}" for text in result["warnings"])]
    return list(map(markdown_text if fmt == "markdown" else printable, below))


def notes(c: dict[str, Any]) -> list[str]:
    """Return the lines below the table about one comparison."""
    lines, after = [], c["after"]["contender"]
    if c["before"]["version"] != c["after"]["version"]:
        lines.append(f"versions: {c['before']['version']} before, {c['after']['version']} after")
    lines += machine_notes(c)
    for kind in KINDS:
        lines += [f"{kind}: {after}: {name}" for name in c[kind]]
    lines += [f"{kind}: {after}: {named(c[kind])}" for kind in ("slower", "faster") if c[kind]]
    if c["call"] == Call.INCONCLUSIVE and c["times"] and "other_machines" not in c:
        more = c["repeats_to_decide"]
        what = f"about {more} repeats (-r {more}) would decide" if more else "more puzzles, not repeats, would decide"
        lines.append(f"inconclusive: {c['before']['contender']}, {after}: {what}")
    return lines


def machine_notes(c: dict[str, Any]) -> list[str]:
    """Return the lines about the machines of a comparison, none if both sides ran on one type."""
    lines, who = [], f"{c['before']['contender']}, {c['after']['contender']}"
    if sides := c.get("other_machines"):
        before, after = ("; ".join(m["name"] for m in sides[key]) for key in ("before", "after"))
        lines.append(
            f"different machines: {who}: {before} before, {after} after: the ratio is also that of the machines"
        )
    for clock, test in c.get("heterogeneity", {}).items():
        parts = [(m["name"], m["times"][clock]) for m in c["by_machine"] if clock in m["times"]]
        each = "; ".join(f"{interval_cells(times, 'table')[0]} on {name}" for name, times in parts)
        lines.append(f"mixed hosts: {who}: {CLOCK_NAMES[clock]} {each}: {agreement_text(test, clock in c['times'])}")
    if number := c.get("unpaired"):
        lines.append(f"not paired: {who}: {plural(number, 'puzzle')}, on different machines: run both in one run")
    return lines


def agreement_text(test: dict[str, float] | None, pooled: bool) -> str:
    """Return what the test of heterogeneity shows of the ratios of several machine types."""
    if test is None:
        return "too little data to test if they agree"
    return (
        f"they {'agree, pooled' if pooled else 'differ, not pooled'} (Cochran's Q {test['q']:.1f}, p {test['p']:.2g})"
    )


def named(changes: Sequence[dict[str, Any]]) -> str:
    """Return names and ratios of the first MOST_NAMED puzzles, and the number of the others."""
    shown = ", ".join(f"{c['puzzle']} ({format_number(c['ratio'])}x)" for c in changes[:MOST_NAMED])
    rest = len(changes) - MOST_NAMED
    return shown + (f" and {plural(rest, 'other')}; --instances has all" if rest > 0 else "")


def instance_csv(result: dict[str, Any]) -> str:
    """Return the `instances` of all comparisons as one CSV table."""
    rows = [
        [c["before"]["contender"], c["after"]["contender"], *map(csv_value, row.values())]
        for c in result["comparisons"]
        for row in c["instances"]
    ]
    return format_table(("contender before", "contender after", *COLUMNS), rows, "csv")


def instance_table(c: dict[str, Any], clock: str, fmt: str) -> str:
    """Return the `instances` of one comparison as a table, with a line above it."""
    rows = c["instances"]
    slower, faster = sum(row["ratio"] > 1 for row in rows), sum(row["ratio"] < 1 for row in rows)
    before, after = c["before"]["contender"], c["after"]["contender"]
    of = plural(len(rows), "puzzle")
    title = f"{CLOCK_NAMES[clock]} by puzzle: {before} is faster on {slower} of {of}, {after} on {faster}"
    return f"{title}\n\n{format_table(COLUMNS, [instance_cells(row) for row in rows], fmt)}"


def instance_cells(row: dict[str, Any]) -> list[str]:
    """Return one puzzle of the table of instances."""
    return [
        row["puzzle"],
        *(format_seconds(row[side]) for side in ("before", "after")),
        f"{format_number(row['ratio'])}x",
        row["change"],
    ]


def interval_cells(times: dict[str, Any] | None, fmt: str) -> list[str]:
    """Return a ratio and its interval as one cell, 1.10x [1.07, 1.13], or as three cells for CSV."""
    ends = ("ratio", "low", "high")
    if fmt == "csv":
        return ["" if times is None or times[end] is None else str(times[end]) for end in ends]
    if times is None:
        return ["-"]
    if times["high"] is None:
        return [f"{times['ratio']:.3f}x [?]"]
    return [f"{times['ratio']:.3f}x [{times['low'] or 0:.3f}, {times['high']:.3f}]"]
