"""Text of a summary: the ranking of contenders, then agreement, trouble and warnings.

If the terminal is too narrow, the least informative columns are dropped; CSV has all columns, as plain numbers.
"""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from harness.model.outcome import OUTSIDE, PHASES
from harness.reporting.frame.certifications import certify_lines
from harness.reporting.frame.entries import ContenderEntry, Summary, field_of
from harness.reporting.frame.results import CLOCK_NAMES
from harness.reporting.frame.summary import on_clock
from harness.reporting.views.objectives_text import has_objectives, objective_table
from harness.reporting.views.run_lines import (
    agreement_line,
    alarm_lines,
    disagreement_lines,
    flattening_lines,
    limits_text,
    malformed_lines,
    trouble_lines,
)
from harness.reporting.writing.directions import VERSUS, Direction, direction
from harness.reporting.writing.fitting import Step, omit, omit_zeros, shorten_heads, shorten_names
from harness.reporting.writing.printable import line_below, terminal_width, wrapped
from harness.reporting.writing.table import ALL, Cell, Column, Readers, ResultTable, Unit, table_of
from harness.reporting.writing.writers import written
from puzzles.errors import plural

COUNTS = {  # key in a summary -> column in a table
    "unsatisfiable": "unsat",
    **{k: k for k in ("timeout", "memory", "unknown", "unsupported", "error", "wrong", "certified")},
    "refused": "bad proof",
}
OTHER_CLOCK = {"wall": "CPU", "cpu": "wall"}  # column with the mean on the other clock
OPTIONAL = (  # columns shown only if some contender has a value
    "unsat",
    "peak",
    "peak of",
    "memory",
    "unknown",
    "unsupported",
    "certified",
    "formula certified",
    "bad proof",
    "unchecked",
    "no proof",
    "encode",
    "load",
    "decode",
    *OUTSIDE,
)
# Dropped in this order if the terminal is too narrow; counts only if all are 0. Before the second part names of
# contenders are shortened, before the third one a heading.
DROP_FIRST = ("sat", "timeout", "error", "wrong", *OUTSIDE, *reversed(PHASES), "peak of", "peak", "max", "p95")
DROP_NEXT = ("puzzles/s", *OTHER_CLOCK.values(), "mean")
DROP_LAST = (VERSUS, "median")
SHORT_HEADS = {"unsupported": "unsup."}


def peak_of(asks: Mapping[str, int]) -> str:
    """Return the processes that a peak covers, in words; for several kinds of asks with the number of each."""
    return "/".join(asks) if len(asks) < 2 else ", ".join(f"{name} {n:,}" for name, n in asks.items())


OBJECTIVE_COLUMNS = ("optimal", "infeasible", "feasible", "none", "best", "gap", "to_best", "improvements", "dropped")
TIMES = ("median", "mean", "p95", "max", "PAR-2", *OTHER_CLOCK.values(), *PHASES, *OUTSIDE)
UNITS = {
    **dict.fromkeys(TIMES, Unit.SECONDS),
    **dict.fromkeys(("puzzles/s", "CPU/wall"), Unit.NUMBER),
    "peak": Unit.BYTES,
    VERSUS: Unit.RATIO,
}
BESIDE = ("contender", "peak of", "corpora", "puzzles", "limit", "CPU limit")  # columns that state no result


def unit_of(column: str) -> Unit:
    """Return the unit of a column."""
    return UNITS.get(VERSUS if column.startswith(f"{VERSUS} ") else column, Unit.NONE)


def versus_best(contenders: Sequence[ContenderEntry], clock: str, column: str) -> dict[str, dict[str, float | None]]:
    """Return, for each contender, a column with the ratio of its PAR-2 to the best PAR-2."""
    par2 = {c["name"]: on_clock(c, clock)["par2"] for c in contenders}
    best = min(filter(None, par2.values()), default=None)
    return {name: {column: value / best if value and best else None} for name, value in par2.items()}


def versus_best_by_machine(summary: Summary, clock: str) -> dict[str, dict[str, float | None]]:
    """Return, for each contender, the ratio of its PAR-2 to the best; on several machine types a column for each."""
    if "machines" not in summary:
        return versus_best(summary["contenders"], clock, VERSUS)
    columns = [versus_best(m["contenders"], clock, f"{VERSUS} {m['number']}") for m in summary["machines"]]
    return {name: {k: v for by_name in columns for k, v in by_name[name].items()} for name in columns[0]}


def contender_row(c: ContenderEntry, versus: dict[str, float | None], clock: str) -> dict[str, Any]:
    """Return one contender's values by column: seconds, bytes, or None where not available; `versus`: ratios.

    Phases split the mean wall time, so they are left out beside CPU times.
    """
    timed = on_clock(c, clock)
    return {
        "contender": c["name"],
        "solved": c["solved"],
        "sat": c["satisfiable"],
        **{column: field_of(c, key) for key, column in COUNTS.items()},
        **{k: timed["seconds"][k] for k in ("median", "mean", "p95", "max")},
        OTHER_CLOCK[clock]: (c if clock == "cpu" else c["cpu"])["seconds"]["mean"],
        "puzzles/s": timed["puzzles_per_second"],
        "PAR-2": timed["par2"],
        **versus,
        "cores": c.get("cores", 1),
        "CPU/wall": c.get("cores_used"),
        "peak": c["peak"],
        "peak of": peak_of(c["peak_of"]),
        **({p: c["phases"][p] for p in PHASES} if clock == "wall" else {}),
        **({p: (c.get("outside") or {}).get(p) for p in OUTSIDE} if clock == "wall" else {}),
        "unchecked": c["unchecked"],
        "formula certified": c["certified_formula"],
        "no proof": c["proofless"],
    }


def contender_table(summary: Summary, clock: str = "wall") -> ResultTable:
    """Return the ranking by PAR-2, contenders with wrong answers last; people do not get empty columns."""
    puzzles = summary["agreement"]["puzzles"]
    par2 = {c["name"]: on_clock(c, clock)["par2"] for c in summary["contenders"]}
    versus = versus_best_by_machine(summary, clock)
    ranked = sorted(
        summary["contenders"], key=lambda c: (c["wrong"] > 0, par2[c["name"]] is None, par2[c["name"]] or 0)
    )
    rows = [contender_row(c, versus[c["name"]], clock) for c in ranked]
    shown = {column for column in rows[0] if column not in OPTIONAL or any(r.get(column) for r in rows)}
    if all(r["cores"] == 1 for r in rows):
        shown -= {"cores", "CPU/wall"}
    if "unsat" not in shown or not any(r["sat"] for r in rows):
        shown.discard("sat")  # all that is solved is satisfiable, or none of it
    of: dict[str, Any] = {"corpora": ";".join(c["name"] for c in summary["corpora"]), "puzzles": puzzles}
    limits = {"limit": summary["limit"], "CPU limit": summary["cpu_limit"]}
    goals = [objective_columns(c) if has_objectives(summary) else {} for c in ranked]
    every = [of | row | limits | goal for row, goal in zip(rows, goals, strict=True)]
    return table_of(
        [report_column(name, ALL if name in shown else Readers.PROGRAMS) for name in every[0]],
        [[Cell(v, f"{v}/{puzzles}") if name == "solved" else v for name, v in each.items()] for each in every],
        narrow=narrowing(rows[0]),
    )


def report_column(name: str, readers: Readers) -> Column:
    """Return a column of the ranking."""
    better = Direction.NEITHER if name in BESIDE else direction(name)
    return Column(name, unit_of(name), better, readers, short=SHORT_HEADS.get(name, ""), names=name == "contender")


def narrowing(columns: Iterable[str]) -> tuple[Step, ...]:
    """Return the steps that make the ranking fit a narrow terminal."""
    first = (omit_zeros(name) if name in COUNTS.values() else omit(name) for name in DROP_FIRST)
    by_machine = [column for column in columns if column.startswith(f"{VERSUS} ")]
    last = map(omit, (*DROP_LAST, *by_machine))
    return *first, shorten_names, *map(omit, DROP_NEXT), shorten_heads, *last


def objective_columns(c: ContenderEntry) -> dict[str, Any]:
    """Return a contender's results on instances with an objective, by column of the CSV."""
    goal: Mapping[str, Any] = c["objective"] or {}
    return {name.replace("_", " "): goal.get(name) for name in OBJECTIVE_COLUMNS}


def report(summary: Summary, fmt: str = "table", clock: str = "wall", more: Sequence[str] = ()) -> str:
    """Return the ranking by times of a clock and all lines below it with `more` lines, or the ranking alone as CSV."""
    table = written(contender_table(summary, clock), fmt, terminal_width())
    if fmt == "csv":
        return table
    goals = [written(objective_table(summary), fmt, terminal_width())] if has_objectives(summary) else []
    below = [*lines_below(summary, clock, fmt), *more, *headline_lines(summary, fmt), *partial_lines(summary, fmt)]
    return "\n".join(["\n\n".join([table, *goals]), "", *below])


def lines_below(summary: Summary, clock: str = "wall", fmt: str = "table") -> list[str]:
    """Return the lines of agreement, trouble and warnings, wrapped for the terminal but for paths.

    The sentence on the result, and the line that a run is not complete, follow them.
    """
    facts = ["times:     CPU time; the column wall has the mean of wall time"] if clock == "cpu" else []
    facts += [f"limit:     {limits_text(summary, clock)}"] if states_limits(summary, clock, fmt) else []
    facts += [*alarm_lines(summary), agreement_line(summary), *certify_lines(summary), *disagreement_lines(summary)]
    facts += [*malformed_lines(summary), *trouble_lines(summary), *flattening_lines(summary)]
    warnings = [f"warning: {text}" for text in summary["warnings"]]
    before, after = ([wrapped(line_below(line, fmt)) for line in lines] for lines in (facts, warnings))
    kept = (
        [f"logs:      {plural(summary['logs'], 'run')}, beside the journal (table logs)"] if summary.get("logs") else []
    )
    paths = [line_below(text, fmt) for text in (f"journal:   {summary['journal']}", *kept)]
    return [*before, *paths, *after]


def headline_lines(summary: Summary, fmt: str = "table") -> list[str]:
    """Return the sentence on who is first, with its clock, none if the summary has none."""
    if not (found := summary.get("headline")):
        return []
    return [wrapped(line_below(f"result:    {found['sentence']} ({CLOCK_NAMES[found['clock']]})", fmt))]


def states_limits(summary: Summary, clock: str, fmt: str) -> bool:
    """Return True if lines below a table state the limits: the header of a run does, but only in a `table`."""
    stand_in = summary["score_limits"][clock]["clock"] != clock
    return fmt != "table" or stand_in or bool(summary["proofs_required"])


def partial_lines(summary: Summary, fmt: str = "table") -> list[str]:
    """Return a line that a run is not complete, with the command that continues it; none for a complete run."""
    if not summary["interrupted"]:
        return []
    why = "interrupted" if summary["state"] == "interrupted" else "killed, or still running"
    resume = summary["resume"]
    hint = f"; resume with `{shlex.join(resume)}`" if resume else ""
    return [line_below(f"{why}: this table is partial{hint}", fmt)]
