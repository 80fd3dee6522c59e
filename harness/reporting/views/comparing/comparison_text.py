"""Comparisons as text: tables, and the lines below them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from harness.reporting.frame.entries import ComparisonEntry, ComparisonResult, field_of
from harness.reporting.frame.results import CLOCK_NAMES, CLOCKS
from harness.reporting.statistics.calls import Call, Thresholds
from harness.reporting.statistics.variation import Luck
from harness.reporting.views.comparing.comparison import COLUMNS, KINDS, SHARES, VALUE_COLUMNS
from harness.reporting.views.luck import luck_text
from harness.reporting.views.run_lines import PROOFS_REQUIRED
from harness.reporting.writing.directions import Direction
from harness.reporting.writing.fitting import omit_if_equal, omit_zeros
from harness.reporting.writing.numbers import format_number
from harness.reporting.writing.printable import terminal_width
from harness.reporting.writing.table import Cell, Column, ResultTable, Unit, table_of
from harness.reporting.writing.writers import written
from puzzles.errors import plural

FAILURES = {kind: kind for kind in ("conflict", "wrong", "lost")}
UNASKED = {"missing": "not asked", "broken": "failed"}  # reasons for exit code 4
UNKNOWN_NOISE = "one run of each instance does not tell noise from change: take -r 5, or run both in one journal"
MOST_NAMED = 5  # single instances named on one line
ABOUT = (
    "times are after / before, {} over these instances, not others like them [99 % interval, ? if there is too little"
    " data]"
)


def verdict(c: ComparisonEntry) -> str:
    """Return every reason for the exit code of a comparison, and the call of its times if that adds to them."""
    measures = [name for name, m in c["measures"].items() if m["call"] == Call.REGRESSED]
    failures = FAILURES | (UNASKED if c["exit"] == 4 else {})
    worse = [f"{len(field_of(c, kind))} {word}" for kind, word in failures.items() if field_of(c, kind)]
    if c["slower"] and c["call"] != Call.REGRESSED:
        worse.append(f"regressed on {plural(len(c['slower']), 'instance')}")
    worse += [f"{SHARES.get(m, m)} regressed" for m in measures if m != "solved_far" or "solved" not in measures]
    if "other_machines" in c:
        return ", ".join([*worse, "different machines"])
    if worse and c["call"] in (Call.SAME, Call.INCONCLUSIVE):
        return ", ".join(worse)
    worse += [f"{len(c['mended'])} mended"] if field_of(c, "mended") else []
    return ", ".join([*worse, "nothing to compare" if c["exit"] == 4 and not worse else c["call"]])


def text(result: ComparisonResult, fmt: str) -> str:
    """Return the table, a line for each changed puzzle, and the warnings; for GitHub the table alone."""
    found = table(result)
    return written(replace(found, notes=()) if fmt == "github" else found, fmt, terminal_width())


def table(result: ComparisonResult) -> ResultTable:
    """Return a table with one line per comparison."""
    times = [Column(CLOCK_NAMES[clock], key=clock, interval=True, direction=Direction.LESS) for clock in CLOCKS]
    rows = [
        [
            *(c["before"]["contender"], c["after"]["contender"], verdict(c)),
            *(interval_cell(c["times"].get(clock)) for clock in CLOCKS),
            *(c["puzzles"], *(len(field_of(c, kind)) for kind in KINDS)),
        ]
        for c in result["comparisons"]
    ]
    narrow = (merge_sides, omit_zeros(*KINDS), omit_if_equal("puzzles"))
    notes = tuple(lines_below(result))
    return table_of(("before", "after", "verdict", *times, "puzzles", *KINDS), rows, left=3, narrow=narrow, notes=notes)


def merge_sides(table: ResultTable) -> ResultTable:
    """Return one column for both sides if their contenders have equal names."""
    if any(before.value != after.value for before, after, *_ in table.rows):
        return table
    columns, rows = (Column("contender"), *table.columns[2:]), tuple(row[1:] for row in table.rows)
    return replace(table, columns=columns, rows=rows, left=table.left - 1)


def lines_below(result: ComparisonResult) -> list[str]:
    """Return a line on the times, a line for each changed puzzle, and the warnings."""
    lines = [line for c in result["comparisons"] for line in (*notes(c), *measure_notes(c, result["thresholds"]))]
    mean = f"shifted geometric mean (shift {result['shift']:g} s)" if result["shift"] else "geometric mean"
    rules = [ABOUT.format(mean), *([f"proofs: {PROOFS_REQUIRED}"] if result["proofs_required"] else [])]
    every = [c for c in result["comparisons"] if c["times"]]
    if open_ones := sum(c["call"] == Call.INCONCLUSIVE for c in every):
        rules.append(f"inconclusive: {open_ones:,} of {plural(len(every), 'comparison')}, which --strict makes exit 4")
    return [*rules, *dict.fromkeys(lines), *(f"warning: {text}" for text in result["warnings"])]


def notes(c: ComparisonEntry) -> list[str]:
    """Return the lines below the table about one comparison."""
    lines, after = [], c["after"]["contender"]
    if c["before"]["version"] != c["after"]["version"]:
        sides = (f"{key} {c[key]['contender']}: {c[key]['version']}" for key in ("before", "after"))
        lines.append(f"versions: {'; '.join(sides)}")
    lines += machine_notes(c)
    for kind in (*KINDS, "mended"):
        lines += [f"{kind}: {after}: {name}" for name in field_of(c, kind)]
    lines += [f"{kind}: {after}: {named(c[kind])}" for kind in ("slower", "faster") if c[kind]]
    if found := c.get("luck"):
        of = luck_text(found["of"], Luck(*(found[name] for name in Luck._fields)))
        lines.append(f"{of.partition(' ')[0]}: {who(c)}, {CLOCK_NAMES[found['clock']]}: {of}")
    lines += inconclusive([c])
    return lines


def who(c: ComparisonEntry) -> str:
    """Return the names of both sides, one if they are equal."""
    return ", ".join(dict.fromkeys([c["before"]["contender"], c["after"]["contender"]]))


def inconclusive(comparisons: Sequence[ComparisonEntry]) -> list[str]:
    """Return a line for each inconclusive comparison: the repeats that would decide."""
    lines = []
    for c in comparisons:
        if c["call"] == Call.INCONCLUSIVE and c["times"] and "other_machines" not in c:
            more = c["repeats_to_decide"]
            what = f"about {more} repeats (-r {more}) would decide"
            if not more:
                what = "more instances, not repeats, would decide" if c["repeats"] > 1 else UNKNOWN_NOISE
            lines.append(f"inconclusive: {who(c)}: {what}")
    return lines


def measure_notes(c: ComparisonEntry, thresholds: Mapping[str, float]) -> list[str]:
    """Return a line for each measure beside times that shows a change, or is inconclusive, and one on flips."""
    both, lines = who(c), []
    for name, m in c["measures"].items():
        if m["call"] != Call.SAME or (name not in SHARES and ("ratio" in m or m["difference"])):
            least = f"threshold {100 * Thresholds(**thresholds).of(name):g} %"
            label = SHARES.get(name, name)
            lines.append(f"{label}: {both}: {measure_text(name, m)}: {m['call']} ({least})")
    if "values" in c:
        lines.append(f"values: {both}: {values_text(c['values'])}")
    if c["flipped"]:
        share = measure_text("solved", c["measures"]["solved"]) if "solved" in c["measures"] else "not compared"
        flips = f"{plural(len(c['flipped']), 'instance')} decided more often on one side than on the other"
        within = f"share decided {share}, tolerated up to {100 * thresholds['solved']:g} %"
        lines.append(f"flipped: {both}: {flips}: {within}")
    for kind, why in (("missing", "asked before, not after"), ("broken", "crash or error, not before")):
        if names := field_of(c, kind):
            lines.append(f"{kind}: {c['after']['contender']}: {plural(len(names), 'instance')}: {why}: {some(names)}")
    return lines


def values_text(of: Mapping[str, Any]) -> str:
    """Return the comparison of values in one line, of what is after against what is before."""
    neither = f", {of['neither']} without a solution" * bool(of["neither"])
    parts = [
        f"better on {len(of['better'])}, worse on {len(of['worse'])}, same on {of['same']} of"
        f" {plural(of['puzzles'], 'instance')}{neither}"
    ]
    if times := of["time_to_same"]:
        parts.append(f"time to the same value {interval_text(times)} ({plural(times['pairs'], 'instance')})")
    decided = of["decided"]
    parts.append(f"both decided {decided['both']}, alone {decided['before']} before and {decided['after']} after")
    parts.append(f"first where the value is the same: {of['first']['before']} before, {of['first']['after']} after")
    return "; ".join(parts)


def measure_text(name: str, m: Mapping[str, Any]) -> str:
    """Return the change of a measure with its interval; fewer decided asks are a minus."""
    if name == "memory":
        return interval_text(m)
    sign = -1 if name in SHARES else 1
    change, *ends = (sign * 100 * m[key] for key in ("difference", "low", "high"))
    low, high = sorted(ends)
    return f"{change:+.2f} % [{low:+.2f}, {high:+.2f}]"


def some(names: Sequence[str]) -> str:
    """Return the first MOST_NAMED names, and the number of further ones."""
    rest = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {plural(rest, 'other')}" if rest > 0 else "")


def machine_notes(c: ComparisonEntry) -> list[str]:
    """Return the lines about the machines of a comparison; none if both sides ran on one type."""
    lines, both = [], who(c)
    if sides := c.get("other_machines"):
        before, after = ("; ".join(m["name"] for m in sides[key]) for key in ("before", "after"))
        lines.append(
            f"different machines: {both}: {before} before, {after} after: the ratio is also that of the machines"
        )
    for clock, test in c.get("heterogeneity", {}).items():
        parts = [(m["name"], m["times"][clock]) for m in c["by_machine"] if clock in m["times"]]
        each = "; ".join(f"{interval_text(times)} on {name}" for name, times in parts)
        lines.append(f"mixed hosts: {both}: {CLOCK_NAMES[clock]} {each}: {agreement_text(test, clock in c['times'])}")
    if number := c.get("unpaired"):
        lines.append(f"not paired: {both}: {plural(number, 'instance')}, on different machines: run both in one run")
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


def instance_pairs(result: ComparisonResult) -> ResultTable:
    """Return the `instances` of all comparisons as one table for programs."""
    rows = [
        [c["before"]["contender"], c["after"]["contender"], *row.values()]
        for c in result["comparisons"]
        for row in c["instances"]
    ]
    return table_of(("contender before", "contender after", *COLUMNS), rows)


def sides(c: ComparisonEntry) -> tuple[str, str]:
    """Return the names of the sides in a sentence."""
    before, after = c["before"]["contender"], c["after"]["contender"]
    return (before, after) if before != after else (f"{before} before", "after")


def instance_table(c: ComparisonEntry, clock: str) -> ResultTable:
    """Return the `instances` of one comparison."""
    rows = c["instances"]
    slower, faster = sum(row["ratio"] > 1 for row in rows), sum(row["ratio"] < 1 for row in rows)
    before, after = sides(c)
    of = plural(len(rows), "instance")
    title = f"{CLOCK_NAMES[clock]} by instance: {before} is faster on {slower} of {of}, {after} on {faster}"
    units = {"before": Unit.SECONDS, "after": Unit.SECONDS, "ratio": Unit.RATIO}
    columns = [Column(name, units.get(name, Unit.NONE)) for name in COLUMNS]
    return table_of(columns, [list(row.values()) for row in rows], title=title)


def value_table(c: ComparisonEntry) -> ResultTable:
    """Return the values of one comparison by instance."""
    of, (before, after) = c["values"], sides(c)
    title = (
        f"value by instance: {before} is better on {len(of['worse'])} of {plural(of['puzzles'], 'instance')},"
        f" {after} on {len(of['better'])}"
    )
    columns = [Column(name, Unit.SECONDS if name.startswith("seconds") else Unit.NONE) for name in VALUE_COLUMNS]
    return table_of(columns, [list(row.values()) for row in of["instances"]], title=title)


def interval_cell(times: Mapping[str, Any] | None) -> Cell:
    """Return a ratio and its interval, 1.10x [1.07, 1.13] as people read it."""
    if times is None:
        return Cell()
    ratio, low, high = (times[end] for end in ("ratio", "low", "high"))
    ends = "?" if high is None else f"{low or 0:.3f}, {high:.3f}"
    return Cell(ratio, f"{ratio:.3f}x [{ends}]", low, high)


def interval_text(times: Mapping[str, Any]) -> str:
    """Return a ratio and its interval as people read it."""
    return interval_cell(times).text(Unit.NONE)
