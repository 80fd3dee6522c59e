"""A summary as text: the ranking, in the format asked for, and all that is said under it.

In a terminal that is too narrow the columns that tell least give way; CSV has all of them, as plain numbers.
"""

from collections.abc import Callable
from typing import Any

from harness.model.outcome import PHASES
from harness.reporting.tables import (
    Seconds,
    agreement_line,
    disagreement_lines,
    figure,
    grid,
    megabytes,
    number,
    page,
    seconds,
    trouble_lines,
)

COUNTS = {  # in a summary -> in a table
    "unsatisfiable": "unsat",
    **{k: k for k in ("timeout", "memory", "unknown", "unsupported", "error", "wrong", "certified")},
    "refused": "bad proof",
}
# Left out where no contender has any.
SOMETIMES = ("peak", "memory", "unknown", "unsupported", "certified", "bad proof", "encode", "load", "decode")
# Given up, in this order, where a terminal is too narrow; of counts only those that are all 0.
SPARED = (
    *("unsat", "timeout", "error", "wrong", *reversed(PHASES), "peak", "p95", "max", "vs best", "mean", "puzzles/s"),
    "median",
)


def ratio(value: Seconds) -> str:
    return "-" if value is None else f"{figure(value)}x"


def rate(value: Seconds) -> str:
    return "-" if value is None else figure(value)


SHOW: dict[str, Callable[[Any], str]] = {
    **dict.fromkeys(("median", "mean", "p95", "max", "PAR-2", *PHASES), seconds),
    "puzzles/s": rate,
    "vs best": ratio,
    "peak": megabytes,
}


def row(c: dict[str, Any], best: Seconds) -> dict[str, Any]:
    """One contender's line by column, as numbers: seconds, bytes, None where there is nothing to say."""
    return {
        "contender": c["name"],
        "solved": c["solved"],
        **{column: c[key] for key, column in COUNTS.items()},
        **{k: c["seconds"][k] for k in ("median", "mean", "p95", "max")},
        "puzzles/s": c["puzzles_per_second"],
        "PAR-2": c["par2"],
        "vs best": c["par2"] / best if c["par2"] and best else None,
        "peak": c["peak"],
        **{p: c["phases"][p] for p in PHASES},
    }


def contender_table(summary: dict[str, Any], fmt: str = "table", width: int | None = None) -> str:
    """The ranking: fastest by PAR-2 first where it tells, in the order named otherwise; empty columns are left out.

    In a terminal of `width` columns, what does not fit is left out too, and named.
    """
    puzzles = summary["agreement"]["puzzles"]
    best = min((c["par2"] for c in summary["contenders"] if c["par2"]), default=None)
    ranked = sorted(summary["contenders"], key=lambda c: (c["wrong"] > 0, c["par2"] is None, c["par2"] or 0))
    rows = [row(c, best) for c in ranked]
    if fmt == "csv":
        names = [c["name"] for c in summary["corpora"]]
        rows = [{"corpora": ";".join(names), "puzzles": puzzles} | r for r in rows]
        return grid(list(rows[0]), [[number(value) for value in r.values()] for r in rows], fmt)
    dull = {column for column in SOMETIMES if not any(r[column] for r in rows)}
    texts = [{k: SHOW.get(k, str)(v) for k, v in r.items() if k not in dull} for r in rows]
    for text in texts:
        text["solved"] += f"/{puzzles}"
    gone = narrowed(texts, width) if fmt == "table" and width else []
    table = grid(list(texts[0]), [list(text.values()) for text in texts], fmt)
    if not gone:
        return table
    zero = [column for column in gone if column in COUNTS.values()]
    rest = [column for column in gone if column not in zero]
    parts = [f"all 0: {', '.join(zero)}"] * bool(zero)
    parts += [f"left out to fit {width} columns: {', '.join(rest)} (--format csv has all)"] * bool(rest)
    return f"{table}\n{' | '.join(parts)}"


def narrowed(rows: list[dict[str, str]], width: int) -> list[str]:
    """Take columns away until a table of these fits; which they were."""
    gone: list[str] = []
    for column in SPARED:
        wide = [max(len(k), *(len(r[k]) for r in rows)) for k in rows[0]]
        if sum(wide) + 2 * (len(wide) - 1) <= width:
            break
        if column in rows[0] and (column not in COUNTS.values() or all(r[column] == "0" for r in rows)):
            gone.append(column)
            for r in rows:
                del r[column]
    return gone


def report(summary: dict[str, Any], fmt: str = "table") -> str:
    """Everything under the header of a run."""
    if fmt == "csv":
        return contender_table(summary, fmt)
    lines = [contender_table(summary, fmt, page()), "", agreement_line(summary), *disagreement_lines(summary)]
    lines += trouble_lines(summary)
    lines.append(f"journal:   {summary['journal']}")
    lines += [f"warning: {text}" for text in summary["warnings"]]
    if summary["interrupted"]:
        again = f"python -m harness run --resume {summary['journal']}"
        lines.append(f"interrupted: this table is partial; go on with `{again}`")
    return "\n".join(lines)
