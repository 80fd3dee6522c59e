"""A run as a matrix: one field of the contenders down, another across, and a measure in each cell."""

from collections.abc import Callable
from typing import Any

from harness.model.errors import BadUsage
from harness.reporting.tables import figure, grid, number, seconds

Entry = dict[str, Any]
FIELDS: dict[str, Callable[[Entry], str]] = {
    "backend": lambda c: str(c["backend"]),
    "encoding": lambda c: c["encoding"] + (f"+{c['at_most_one']}" if c["at_most_one"] != "pairwise" else ""),
    "family": lambda c: str(c["encoding"]),
    "at-most-one": lambda c: str(c["at_most_one"]),
    "warmth": lambda c: "warm" if c["warm"] else "cold",
    "env": lambda c: c["env"] or "-",
}


def of(part: str, key: str) -> Callable[[Entry], float | None]:
    """The number under a key of a part of a contender's entry."""
    return lambda c: c[part].get(key)


UNSOLVED = ("timeout", "memory", "unknown", "unsupported", "error", "wrong")
# Each: what is compared, less being better; and how it is shown.
MEASURES: dict[str, tuple[Callable[[Entry], float | None], Callable[[float], str]]] = {
    "par2": (lambda c: c["par2"], seconds),
    **{key: (of("seconds", key), seconds) for key in ("median", "mean", "p95", "max", "total")},
    **{key: (of("phases", key), seconds) for key in ("encode", "load", "solve", "decode")},
    **{key: (of("counters", key), figure) for key in ("decisions", "conflicts", "propagations")},
    "unsolved": (lambda c: sum(c[k] for k in UNSOLVED), figure),
}


def asked(measure: str | None, fields: str | None) -> tuple[str, str, str] | None:
    """Measure, rows and columns of the matrix that the arguments ask for, if they do. Raises BadUsage."""
    if measure is None and fields is None:
        return None
    if measure is not None and measure not in MEASURES:
        raise BadUsage(f"--matrix {measure}: known are {', '.join(MEASURES)}")
    return (measure or "par2", *pivot(fields or "encoding,backend"))


def pivot(text: str) -> tuple[str, str]:
    """'ROWS,COLUMNS' as two fields. Raises BadUsage."""
    down, _, across = text.partition(",")
    if not {down, across} <= set(FIELDS) or down == across:
        raise BadUsage(f"--pivot {text!r} is not ROWS,COLUMNS, two of {', '.join(FIELDS)}")
    return down, across


def pages(columns: list[str], draw: Callable[[list[str]], str], width: int | None) -> list[list[str]]:
    """The columns in groups that fit the page when drawn, each as large as can be."""
    groups: list[list[str]] = [[]]
    for column in columns:
        if width and groups[-1] and draw([*groups[-1], column]).index("\n") > width:
            groups.append([])
        groups[-1].append(column)
    return groups


def matrix(summary: dict[str, Any], measure: str, down: str, across: str, fmt: str, width: int | None = None) -> str:
    """The matrix as text. Where several contenders share a cell it holds the best; a wrong one shows as WRONG.

    One that is wider than a terminal of `width` columns is cut into some that are not.
    """
    value, show = MEASURES[measure]
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
            return "wrong" if (r, c) in wrong else number(cells.get((r, c)))
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

    def part(some: list[str]) -> str:
        return grid([f"{down} \\ {across}", *some], [[r, *(cell(r, c) for c in some)] for r in rows], fmt)

    if fmt == "csv":
        return part(columns)
    table = "\n\n".join(part(some) for some in pages(columns, part, width if fmt == "table" else None))
    legend = ["< best of its row"] * (len(columns) > 1) + ["^ best of its column"] * (len(rows) > 1)
    return f"{table}\n\n{measure} of {down} by {across}{': ' if legend else ''}{', '.join(legend)}"
