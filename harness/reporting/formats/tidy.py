"""Raw rows of a journal as csv, json, markdown: one per contender, repeat and puzzle, unrounded, empty if unknown."""

import csv
import json
from collections.abc import Iterator, Sequence
from typing import Any, TextIO

from backends.contract.answer import Reason, Status
from harness.model.outcome import PHASES, Verdict
from harness.reporting.printable import csv_cell, markdown_text
from harness.storing.journal import Journal
from harness.storing.schema import MEASURED

UNITS = {"wall": "wall_ns", "cpu": "cpu_ns", "peak": "peak_bytes"} | {p: f"{p}_ns" for p in PHASES}
PARTS = ("backend", "encoding", "at_most_one", "warm", "env")  # of a contender's name
AXES = ("linear", "table")  # parts too, which came later
KEYS = ("corpus", "puzzle", "contender", "version", "repeat", "verdict", "valid", "proof")
COLUMNS = (*KEYS, *(UNITS.get(name, name) for name in MEASURED))
TEXTS = ("detail", "solutions")
FLAGS = ("complete", "amortised")
NAMES = (*COLUMNS, *TEXTS, *PARTS, "count", "limit", *AXES, "cpu_limit")
STRINGS = ("corpus", "puzzle", "contender", "version", "verdict", "status", "reason", "detail", *PARTS, *AXES)
TYPES = {  # of columns
    **dict.fromkeys(NAMES, "integer"),
    **dict.fromkeys(STRINGS, "text"),
    **dict.fromkeys((*FLAGS, "warm"), "boolean"),
    "solutions": "list",
    "limit": "float",
    "cpu_limit": "float",
}


def solution_text(symbols: Sequence[str], solution: Sequence[int]) -> str:
    """Return a solution as text, spaces between longer symbols, ? for a value out of range."""
    between = "" if all(len(symbol) == 1 for symbol in symbols) else " "
    return between.join(symbols[v] if v < len(symbols) else "?" for v in solution)


def rows(journal: Journal) -> Iterator[dict[str, Any]]:
    """Yield every outcome by contender, repeat and instance, with None for unknown values.

    The columns end with the parts of the contender's name, and the count and limits (seconds of wall time, and of CPU
    time) that it was asked with.
    """
    settings = journal.settings()
    limits = settings.limits
    asked = {"count": settings.count, "limit": limits.wall, "cpu_limit": limits.cpu}
    parts = {c.name: {part: getattr(c, part) for part in (*PARTS, *AXES)} | asked for c in journal.contenders()}
    for stored in journal.rows():
        row = dict(zip(COLUMNS, (*stored.who, *stored.measured), strict=True))
        for name, meaning in (("verdict", Verdict), ("status", Status), ("reason", Reason)):
            row[name] = meaning(row[name]).name.lower()
        row |= {name: bool(row[name]) for name in FLAGS}
        texts = [solution_text(stored.values, solution) for solution in stored.solutions]
        yield row | {"detail": stored.detail, "solutions": texts} | parts[row["contender"]]


def cell(value: Any) -> str:
    """Format a value as one cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    return ";".join(value) if isinstance(value, list) else str(value)


def write_csv(journal: Journal, file: TextIO) -> None:
    """Write all rows as RFC 4180 says: commas, doubled quotes, CRLF."""
    writer = csv.writer(file)
    writer.writerow(NAMES)
    writer.writerows([csv_cell(cell(row[name])) for name in NAMES] for row in rows(journal))


def write_json(journal: Journal, file: TextIO) -> None:
    """Write all rows as a list of objects, one a line."""
    between = "[\n"
    for row in rows(journal):
        file.write(between + json.dumps(row))
        between = ",\n"
    file.write("[]\n" if between == "[\n" else "\n]\n")


def write_markdown(journal: Journal, file: TextIO) -> None:
    """Write all rows as a table."""
    file.write(f"| {' | '.join(NAMES)} |\n|{' --- |' * len(NAMES)}\n")
    for row in rows(journal):
        file.write(f"| {' | '.join(markdown_text(cell(row[name])) for name in NAMES)} |\n")
