"""Table of chosen columns for a paper: booktabs, numbers aligned by siunitx, the best in bold, and a caption."""

from collections.abc import Sequence
from typing import Any

from harness.model.errors import BadUsage
from harness.reporting.frame.entries import Summary
from harness.reporting.frame.results import CLOCK_NAMES
from harness.reporting.views.run_lines import limits_text
from harness.reporting.views.summary_table import contender_row, objective_columns, unit_of, versus_best_by_machine
from harness.reporting.writing.booktabs import UNITS, floating, latex_text
from harness.reporting.writing.directions import VERSUS, best
from harness.reporting.writing.labels import short_names
from harness.reporting.writing.table import Unit
from puzzles.errors import plural

SCALES = (("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3), ("s", 1.0))
MOST_SHOWN = 10_000  # of a unit: larger times take the next one
OF_DECIDED = ("median", "mean", "p95", "max", "CPU", "wall", "puzzles/s")  # bold only if all decided all instances
DIGITS = 3
USUAL = ("solved", "sat", "unsat", "optimal", "gap", "PAR-2", VERSUS, "median")
OPTIONAL = {"sat": "unsat", "unsat": "unsat", "optimal": "optimal", "gap": "gap"}  # shown if the other has a value
SETUP = r"\sisetup{detect-weight}"


def paper_table(summary: Summary, clock: str, columns: Sequence[str] = ()) -> str:
    """Return the ranking by PAR-2 with these columns of the report, or the usual ones, as LaTeX.

    Raises BadUsage on an unknown column.
    """
    versus = versus_best_by_machine(summary, clock)
    rows = [contender_row(c, versus[c["name"]], clock) | objective_columns(c) for c in summary["contenders"]]
    known = [name for name in rows[0] if name not in ("contender", "peak of")]
    if unknown := [name for name in columns if name not in known]:
        raise BadUsage(f"--columns {unknown[0]}: known are {', '.join(known)}")
    columns = columns or usual_columns(rows)
    wrong = {c["name"] for c in summary["contenders"] if c["wrong"]}
    rows.sort(key=lambda row: (row["contender"] in wrong, row["PAR-2"] is None, row["PAR-2"] or 0))
    bad = [row["contender"] in wrong for row in rows]
    alike = all(row["solved"] == summary["agreement"]["puzzles"] for row in rows if row["contender"] not in wrong)
    shown = [column_texts(name, [row[name] for row in rows], bad, alike or name not in OF_DECIDED) for name in columns]
    names, left = short_names([row["contender"] for row in rows])
    body = zip(
        (latex_text(text) + " (wrong)" * (name in wrong) for name, text in names.items()),
        *(column[1:] for column in shown),
        strict=True,
    )
    lines = [" & ".join(cells) + r" \\" for cells in body]
    heads = " & ".join(["contender", *(f"{{{column[0]}}}" for column in shown)]) + r" \\"
    numbers = "".join(f"S[table-format={form(column[1:])}]" for column in shown)
    start = [SETUP, rf"\begin{{tabular}}{{@{{}}l{numbers}@{{}}}}", r"\toprule", heads, r"\midrule"]
    inside = [*start, *lines, r"\bottomrule", r"\end{tabular}"]
    caption = latex_text(caption_text(summary, clock, left))
    return floating(inside, caption, "results", 1 + len(columns), "booktabs,siunitx")


def usual_columns(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return the columns that a table has if none are named: few, and none without a value."""
    versus = [name for name in rows[0] if name.startswith(VERSUS)]
    names = [each for name in USUAL for each in (versus if name == VERSUS else [name])]
    return [name for name in names if name not in OPTIONAL or any(row[OPTIONAL[name]] for row in rows)]


def column_texts(name: str, values: Sequence[Any], wrong: Sequence[bool], bold: bool) -> list[str]:
    """Return heading and cells of a column; times have one unit, and with `bold` the best of right contenders is."""
    known = [v for v, bad in zip(values, wrong, strict=True) if v is not None and not bad]
    first = best(name, known) if bold and len(set(known)) > 1 else None
    head, scale = latex_text(name), 1.0
    if unit_of(name) is Unit.SECONDS:
        unit, scale = next(((u, s) for u, s in SCALES if max(known, default=0) < MOST_SHOWN * s), SCALES[-1])
        head = f"{head} ({UNITS.get(unit, unit)})"
    cells = ["{--}" if v is None else number(v / scale) if isinstance(v, float) else f"{v}" for v in values]
    marks = [first is not None and v == first and not bad for v, bad in zip(values, wrong, strict=True)]
    return [head, *(rf"\bfseries {cell}" if mark else cell for cell, mark in zip(cells, marks, strict=True))]


def number(value: float) -> str:
    """Return a number with three significant digits, without an exponent."""
    rounded = float(f"{value:.{DIGITS}g}")
    whole = len(str(int(rounded))) if rounded >= 1 else 0
    text = f"{rounded:.{max(0, DIGITS - whole) if rounded >= 1 or not rounded else 9}f}"
    return text if rounded >= 1 else text.rstrip("0").rstrip(".") or "0"


def form(cells: Sequence[str]) -> str:
    """Return how many digits the numbers of a column have before and after the point."""
    parts = [cell.removeprefix(r"\bfseries ").partition(".") for cell in cells if not cell.startswith("{")]
    return f"{max((len(p[0]) for p in parts), default=1)}.{max((len(p[2]) for p in parts), default=0)}"


def caption_text(summary: Summary, clock: str, left: Sequence[str]) -> str:
    """Return the caption: number of instances, limit, clock, machine, and what bold and short names mean."""
    host = summary["host"]
    machine = f", {host['cpu']}" if "cpu" in host else ""
    short = f" Names without {' and '.join(left)}." if left else ""
    puzzles = plural(summary["agreement"]["puzzles"], summary["unit"])
    return f"{puzzles}, limit {limits_text(summary, clock)}; {CLOCK_NAMES[clock]}{machine}. Bold: best.{short}"
