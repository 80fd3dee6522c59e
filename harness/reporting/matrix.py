"""Matrix of a measure: one field of the contenders as rows, another as columns."""

from collections.abc import Callable
from typing import Any

from harness.model.errors import BadUsage
from harness.reporting.measures import DEFAULT_MEASURE, DEFAULT_PIVOT, FIELDS, MEASURES, TIMES
from harness.reporting.tables import csv_value, format_number, format_seconds, format_table, plural


def requested(measure: str | None, fields: str | None, only: bool = False) -> tuple[str, str, str] | None:
    """Return measure, row and column field that the arguments ask for, or None. Raises BadUsage."""
    if measure is None and fields is None and not only:
        return None
    if measure is not None and measure not in MEASURES:
        raise BadUsage(f"--matrix {measure}: known are {', '.join(MEASURES)}")
    return (measure or DEFAULT_MEASURE, *parse_pivot(fields or DEFAULT_PIVOT))


def parse_pivot(text: str) -> tuple[str, str]:
    """Parse 'ROWS,COLUMNS' into two fields. Raises BadUsage."""
    down, _, across = text.partition(",")
    if not {down, across} <= set(FIELDS) or down == across:
        raise BadUsage(f"--pivot {text!r} is not ROWS,COLUMNS, two of {', '.join(FIELDS)}")
    return down, across


def column_groups(columns: list[str], draw: Callable[[list[str]], str], width: int | None) -> list[list[str]]:
    """Split columns into groups, as large as fit `width` characters when drawn."""
    groups: list[list[str]] = [[]]
    for column in columns:
        if width and groups[-1] and draw([*groups[-1], column]).index("\n") > width:
            groups.append([])
        groups[-1].append(column)
    return groups


def matrix(summary: dict[str, Any], measure: str, down: str, across: str, fmt: str, width: int | None = None) -> str:
    """Return the matrix as text: in each cell the best contender's value, or WRONG if one was wrong.

    A matrix wider than a terminal of `width` characters is split into several.
    """
    value, show = MEASURES[measure], format_seconds if measure in TIMES else format_number
    cells: dict[tuple[str, str], float] = {}
    wrong: set[tuple[str, str]] = set()
    for c in summary["contenders"]:
        place, found = (FIELDS[down](c), FIELDS[across](c)), value(c)
        if c["wrong"]:
            wrong.add(place)
        elif found is not None:
            cells[place] = min(cells.get(place, found), found)
    rows = list(dict.fromkeys(FIELDS[down](c) for c in summary["contenders"]))
    columns = list(dict.fromkeys(FIELDS[across](c) for c in summary["contenders"]))

    def best(places: list[tuple[str, str]]) -> float | None:
        return min((cells[p] for p in places if p in cells), default=None)

    of_row = {r: best([(r, c) for c in columns]) for r in rows}
    of_column = {c: best([(r, c) for r in rows]) for c in columns}

    def cell(r: str, c: str) -> str:
        if fmt == "csv":
            return "wrong" if (r, c) in wrong else csv_value(cells.get((r, c)))
        if (r, c) in wrong:
            return "WRONG"
        if (r, c) not in cells:
            return "-"
        found, marks = cells[r, c], ""
        if len(columns) > 1:
            marks += "<" if found == of_row[r] else " "
        if len(rows) > 1:
            marks += "^" if found == of_column[c] else " "
        return show(found) + marks

    def draw(some: list[str]) -> str:
        return format_table([f"{down} \\ {across}", *some], [[r, *(cell(r, c) for c in some)] for r in rows], fmt)

    if fmt == "csv":
        return draw(columns)
    parts = column_groups(columns, draw, width if fmt == "table" else None)
    first, pieces = 1, []
    for part in parts:
        which = f"columns {first} to {first + len(part) - 1} of {len(columns)}, {plural(len(rows), 'row')}:\n"
        pieces.append(which * (len(parts) > 1) + draw(part))
        first += len(part)
    table = "\n\n".join(pieces)
    legend = ["< best of its row"] * (len(columns) > 1) + ["^ best of its column"] * (len(rows) > 1)
    return f"{table}\n\n{measure} of {down} by {across}{': ' if legend else ''}{', '.join(legend)}"
