"""Comparisons as text: tables, and the lines below them."""

from collections.abc import Mapping, Sequence
from typing import Any

from harness.reporting.comparing.calls import Call, Thresholds
from harness.reporting.comparing.comparison import COLUMNS, KINDS, VALUE_COLUMNS
from harness.reporting.printable import line_below, terminal_width, wrapped
from harness.reporting.results import CLOCK_NAMES, CLOCKS
from harness.reporting.tables import (
    PROOFS_REQUIRED,
    csv_value,
    format_number,
    format_seconds,
    format_table,
    plural,
    table_width,
    terminal_cell,
)

SHARES = {"solved": "solved", "solved_far": "solved far from limits"}  # measures of asks decided: more is better
MOST_NAMED = 5  # single instances named on one line
ABOUT = "times are after / before, geometric mean over puzzles [99 % interval, ? if there is too little data]"


def verdict(c: dict[str, Any]) -> str:
    """Return the call of a comparison, with the number of puzzles that became slower, and the measures that did."""
    if "other_machines" in c:
        return "different machines"
    worse = [name for name, m in c["measures"].items() if m["call"] == Call.REGRESSED]
    worse = [f"{SHARES.get(name, name)} regressed" for name in worse if name != "solved_far" or "solved" not in worse]
    if c["slower"] and c["call"] != Call.REGRESSED:
        worse = [f"regressed on {plural(len(c['slower']), 'instance')}", *worse]
    if worse and c["call"] in (Call.SAME, Call.INCONCLUSIVE):
        return ", ".join(worse)
    return ", ".join([c["call"], *worse])


def text(result: dict[str, Any], fmt: str) -> str:
    """Return the table, a line for each changed puzzle, and the warnings; for CSV the table alone."""
    if fmt in ("csv", "github"):
        return table(result, fmt)
    return "\n".join([table(result, fmt, terminal_width()), "", *map(wrapped, lines_below(result, fmt))])


def table(result: dict[str, Any], fmt: str, width: int | None = None) -> str:
    """Return a table with one line per comparison, shortened if a terminal of `width` characters is too narrow."""
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
    """Return rows as a table in which columns are joined as far as `width` requires."""
    below: list[str] = []
    if table_width(rows) > width and all(row["before"] == row["after"] for row in rows):
        rows = [{"contender": row["before"]} | without(row, ("before", "after")) for row in rows]
    zero = [kind for kind in KINDS if all(row[kind] == "0" for row in rows)]
    if table_width(rows) > width and zero:
        rows, below = [without(row, zero) for row in rows], [f"all 0: {', '.join(zero)}"]
    if table_width(rows) > width and len(number := {row["puzzles"] for row in rows}) == 1:
        rows, below = [without(row, ("puzzles",)) for row in rows], [f"puzzles: {number.pop()}", *below]
    left = list(rows[0]).index("verdict") + 1
    return "\n".join([format_table(list(rows[0]), [list(row.values()) for row in rows], "table", left), *below])


def without(row: dict[str, str], columns: Sequence[str]) -> dict[str, str]:
    """Return a row without these columns."""
    return {name: cell for name, cell in row.items() if name not in columns}


def lines_below(result: dict[str, Any], fmt: str = "table") -> list[str]:
    """Return a line on the times, a line for each changed puzzle, and the warnings."""
    lines = [line for c in result["comparisons"] for line in (*notes(c), *measure_notes(c, result["thresholds"]))]
    rules = [ABOUT, *[f"proofs: {PROOFS_REQUIRED}"] * result["proofs_required"]]
    below = [*rules, *dict.fromkeys(lines), *(f"warning: {text}" for text in result["warnings"])]
    return [line_below(line, fmt) for line in below]


def notes(c: dict[str, Any]) -> list[str]:
    """Return the lines below the table about one comparison."""
    lines, after = [], c["after"]["contender"]
    if c["before"]["version"] != c["after"]["version"]:
        sides = (f"{key} {c[key]['contender']}: {c[key]['version']}" for key in ("before", "after"))
        lines.append(f"versions: {'; '.join(sides)}")
    lines += machine_notes(c)
    for kind in KINDS:
        lines += [f"{kind}: {after}: {name}" for name in c[kind]]
    lines += [f"{kind}: {after}: {named(c[kind])}" for kind in ("slower", "faster") if c[kind]]
    if c["call"] == Call.INCONCLUSIVE and c["times"] and "other_machines" not in c:
        more = c["repeats_to_decide"]
        what = f"about {more} repeats (-r {more}) would decide" if more else "more puzzles, not repeats, would decide"
        lines.append(f"inconclusive: {c['before']['contender']}, {after}: {what}")
    return lines


def measure_notes(c: dict[str, Any], thresholds: Mapping[str, float]) -> list[str]:
    """Return a line for each measure beside times that shows a change, or is inconclusive, and one on flips."""
    who, lines = f"{c['before']['contender']}, {c['after']['contender']}", []
    for name, m in c["measures"].items():
        if m["call"] != Call.SAME or (name not in SHARES and ("ratio" in m or m["difference"])):
            least = f"threshold {100 * Thresholds(**thresholds).of(name):g} %"
            label = SHARES.get(name, name)
            lines.append(f"{label}: {who}: {measure_text(name, m)}: {m['call']} ({least})")
    if "values" in c:
        lines.append(f"values: {who}: {values_text(c['values'])}")
    if c["flipped"]:
        share = measure_text("solved", c["measures"]["solved"]) if "solved" in c["measures"] else "not compared"
        flips = f"{plural(len(c['flipped']), 'instance')} decided in some repeats and not in others"
        within = f"asks decided {share}, tolerated up to {100 * thresholds['solved']:g} %"
        lines.append(f"flipped: {who}: {flips}: {within}")
    for kind, why in (("missing", "asked before, not after"), ("broken", "crash or error, not before")):
        if c[kind]:
            lines.append(
                f"{kind}: {c['after']['contender']}: {plural(len(c[kind]), 'instance')}: {why}: {some(c[kind])}"
            )
    return lines


def values_text(of: Mapping[str, Any]) -> str:
    """Return the comparison of values in one line, of what is after against what is before."""
    neither = f", {of['neither']} without a solution" * bool(of["neither"])
    parts = [
        f"better on {len(of['better'])}, worse on {len(of['worse'])}, same on {of['same']} of"
        f" {plural(of['puzzles'], 'puzzle')}{neither}"
    ]
    if times := of["time_to_same"]:
        parts.append(f"time to the same value {interval_cells(times, 'table')[0]} ({plural(times['pairs'], 'puzzle')})")
    decided = of["decided"]
    parts.append(f"both decided {decided['both']}, alone {decided['before']} before and {decided['after']} after")
    parts.append(f"first where the value is the same: {of['first']['before']} before, {of['first']['after']} after")
    return "; ".join(parts)


def measure_text(name: str, m: Mapping[str, Any]) -> str:
    """Return the change of a measure with its interval; fewer decided asks are a minus."""
    if name == "memory":
        return interval_cells(dict(m), "table")[0]
    sign = -1 if name in SHARES else 1
    change, *ends = (sign * 100 * m[key] for key in ("difference", "low", "high"))
    low, high = sorted(ends)
    return f"{change:+.2f} % [{low:+.2f}, {high:+.2f}]"


def some(names: Sequence[str]) -> str:
    """Return the first MOST_NAMED names, and the number of further ones."""
    rest = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {plural(rest, 'other')}" if rest > 0 else "")


def machine_notes(c: dict[str, Any]) -> list[str]:
    """Return the lines about the machines of a comparison; none if both sides ran on one type."""
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
    """Return the result of the heterogeneity test on the ratios of several machine types, in words."""
    if test is None:
        return "too little data to test if they agree"
    return (
        f"they {'agree, pooled' if pooled else 'differ, not pooled'} (Cochran's Q {test['q']:.1f}, p {test['p']:.2g})"
    )


def named(changes: Sequence[dict[str, Any]]) -> str:
    """Return names and ratios of the first MOST_NAMED puzzles, and the number of further ones."""
    shown = some([f"{c['puzzle']} ({format_number(c['ratio'])}x)" for c in changes])
    return shown + "; --instances has all" * (len(changes) > MOST_NAMED)


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


def value_table(c: dict[str, Any], fmt: str) -> str:
    """Return the values of one comparison by instance as a table, with a line above it."""
    of, before, after = c["values"], c["before"]["contender"], c["after"]["contender"]
    title = (
        f"value by puzzle: {before} is better on {len(of['worse'])} of {plural(of['puzzles'], 'puzzle')},"
        f" {after} on {len(of['better'])}"
    )
    rows = [[value_cell(key, cell) for key, cell in row.items()] for row in of["instances"]]
    return f"{title}\n\n{format_table(VALUE_COLUMNS, rows, fmt)}"


def value_cell(column: str, cell: str | int | float | None) -> str:
    """Return one cell of the table of values."""
    if cell is None:
        return "-"
    return format_seconds(float(cell)) if column.startswith("seconds") else str(cell)


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
