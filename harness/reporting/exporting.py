"""Raw rows of a journal for other tools: one a run of a puzzle by a contender, nothing rounded, unknown left empty."""

import csv
import json
from collections.abc import Iterator
from typing import Any, TextIO

import numpy as np

from backends.answer import Reason, Status
from harness.model.outcome import PHASES, Verdict
from harness.storing.journal import Journal
from harness.storing.schema import MEASURED
from puzzles.layout import Layout

FORMATS = ("csv", "json", "markdown")
UNITS = {"wall": "wall_ns", "cpu": "cpu_ns", "peak": "peak_bytes"} | {p: f"{p}_ns" for p in PHASES}
WHO = ("corpus", "puzzle", "contender", "version", "repeat", "verdict", "valid", "proof")
COLUMNS = (*WHO, *(UNITS.get(name, name) for name in MEASURED))
TEXTS = ("detail", "solutions")
FLAGS = ("complete", "amortised")


def solutions(layout: Layout, blob: bytes | None, found: int) -> list[str]:
    """Solutions as text: symbols side by side where each is one character, else with spaces between; ? for none."""
    if not blob:
        return []
    squares = len(layout.squares)
    kind = np.uint8 if len(blob) == squares * found else np.uint16
    between = "" if all(len(v) == 1 for v in layout.values) else " "
    symbols = dict(enumerate(layout.values))
    return [
        between.join(symbols.get(v, "?") for v in one)
        for one in np.frombuffer(blob, kind).reshape(-1, squares).tolist()
    ]


def rows(journal: Journal) -> Iterator[dict[str, Any]]:
    """Every outcome by contender, repeat and puzzle, with None where a value is not known."""
    query = (
        "select p.corpus, p.name, c.name, c.version, o.repeat, o.verdict, o.valid, o.proof,"
        f" {', '.join('o.' + m for m in MEASURED)}, o.detail, o.solutions, p.problem"
        " from outcomes o join puzzles p on p.id = o.puzzle join contenders c on c.id = o.contender"
        " order by o.contender, o.repeat, o.puzzle"
    )
    for *values, detail, blob, layout in journal.db.execute(query):
        row = dict(zip(COLUMNS, values, strict=True))
        found = row["found"]
        for name, meaning in (("verdict", Verdict), ("status", Status), ("reason", Reason)):
            row[name] = meaning(row[name]).name.lower()
        row |= {name: bool(row[name]) for name in FLAGS}
        yield row | {"detail": detail, "solutions": solutions(journal.layouts[layout], blob, found)}


def cell(value: Any) -> str:
    """A value as one cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    return ";".join(value) if isinstance(value, list) else str(value)


def write(journal: Journal, to: str, file: TextIO) -> None:
    """Write all rows in one of FORMATS."""
    names = (*COLUMNS, *TEXTS)
    if to == "csv":
        writer = csv.writer(file)  # RFC 4180: commas, doubled quotes, CRLF
        writer.writerow(names)
        writer.writerows([cell(row[name]) for name in names] for row in rows(journal))
    elif to == "json":
        between = "[\n"
        for row in rows(journal):
            file.write(between + json.dumps(row))
            between = ",\n"
        file.write("[]\n" if between == "[\n" else "\n]\n")
    else:
        file.write(f"| {' | '.join(names)} |\n|{' --- |' * len(names)}\n")
        for row in rows(journal):
            cells = (cell(row[name]).replace("|", "\\|").replace("\n", " ") for name in names)
            file.write(f"| {' | '.join(cells)} |\n")
