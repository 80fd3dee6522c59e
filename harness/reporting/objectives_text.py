"""Table of values that contenders reached on instances with an objective, below the ranking by times."""

from typing import Any

from harness.reporting.labels import short_names
from harness.reporting.tables import drop_columns, format_number, format_seconds, format_table, table_width

COLUMNS = ("contender", "optimal", "infeasible", "feasible", "none", "best value known", "mean gap", "time to best")
SHORT_HEADS = {"infeasible": "infeas.", "best value known": "best", "time to best": "to best", "mean gap": "gap"}
LOST = "unread"  # improvements that were overwritten before they were read; a column if there are any
DROP = (LOST, "to best", "gap")  # in this order, if the terminal is too narrow


def has_objectives(summary: dict[str, Any]) -> bool:
    """Return True if a contender was asked for the best solution of some instance."""
    return any(c["objective"] for c in summary["contenders"])


def percent(share: float | None) -> str:
    """Format a share as a percentage with three digits."""
    return "-" if share is None else f"{format_number(100 * share)} %" if share else "0"


def objective_row(c: dict[str, Any]) -> dict[str, str]:
    """Return one contender's texts by column."""
    goal = c["objective"]
    counts = {name: f"{goal[name]:,}" for name in ("infeasible", "feasible", "none")}
    return {
        "contender": c["name"],
        "optimal": f"{goal['optimal']:,}/{goal['instances']:,}",
        **counts,
        "best value known": f"{goal['best']:,}",
        "mean gap": percent(goal["gap"]),
        "time to best": format_seconds(goal["to_best"]),
        LOST: f"{goal['dropped']:,}",
    }


def objective_table(summary: dict[str, Any], fmt: str = "table", width: int | None = None) -> str:
    """Return the table, contenders with wrong answers last; a column of zeros is left out but for `optimal`.

    For a terminal of `width` characters names and headings are shortened, and then columns left out.
    """
    shown = [c for c in summary["contenders"] if c["objective"]]
    shown.sort(key=lambda c: (c["wrong"] > 0, -c["objective"]["optimal"], c["objective"]["gap"] or 0.0))
    rows = [objective_row(c) for c in shown]
    empty = {name for name in ("infeasible", LOST) if all(row[name] == "0" for row in rows)}
    names = [name for name in (*COLUMNS, LOST) if name not in empty]
    texts = [{name: row[name] for name in names} for row in rows]
    if fmt == "table" and width:
        texts = narrowed(texts, width)
    return format_table(list(texts[0]), [list(row.values()) for row in texts], fmt)


def narrowed(rows: list[dict[str, str]], width: int) -> list[dict[str, str]]:
    """Return rows of a table that fits a width, if it can: shorter names and headings first, then fewer columns."""
    if table_width(rows) > width:
        names, _ = short_names([row["contender"] for row in rows])
        rows = [row | {"contender": names[row["contender"]]} for row in rows]
    if table_width(rows) > width:
        rows = [{SHORT_HEADS.get(name, name): text for name, text in row.items()} for row in rows]
    drop_columns(rows, width, DROP)
    return rows
