"""Write benchmarks/README.md: the prose of README.in.md, with the figures of recorded/*.json.

{{where NAME}}                      date, machine, versions, commit and command of the latest record of a benchmark
{{table NAME}}                      its figures, a row for each case and way
{{table NAME: FIGURE}}              one figure of it: a row for each case, a column for each way
{{value NAME | CASE | WAY | FIGURE}}

A record that was carried over was measured before benchmarks wrote records, and says so.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from figures import Figure, table

FOLDER = Path(__file__).resolve().parent
README, TEMPLATE, RECORDED = FOLDER / "README.md", FOLDER / "README.in.md", FOLDER / "recorded"
PLACEHOLDER = re.compile(r"\{\{(where|table|value) ([^}]+)\}\}")
Record = Mapping[str, Any]


def records(folder: Path = RECORDED) -> dict[str, Record]:
    """Return the latest record of each benchmark, one that was carried over if there is no other."""
    every = [
        item for path in sorted(folder.glob("*.json")) for item in json.loads(path.read_text())["benchmarks"].items()
    ]
    return dict(sorted(every, key=lambda item: (bool(item[1]["commit"]), item[1]["date"])))


def figures(record: Record) -> list[Figure]:
    return [Figure(**figure) for figure in record["figures"]]


def where(record: Record) -> str:
    """Return a line with the origin of a record."""
    machine = f"{record['machine']['cpu']}, {record['machine']['cores']} cores"
    names = {"python": "Python", "numpy": "NumPy", "numba": "Numba", "ortools": "OR-Tools"}
    used = [f"{names.get(name, name)} {v}" for name, v in record["versions"].items() if v and name != "crosscheck"]
    load = f"load average {' to '.join(f'{x:g}' for x in record['load'])}" if record["load"] else ""
    commit = f"commit {record['commit']}" if record["commit"] else "carried over from before figures were recorded"
    parts = ", ".join(filter(None, (record["date"], machine, load, *used, commit)))
    command = re.sub(r"\{.+?\}", "PATH", record["command"])
    return f"`python benchmarks/{command}`\n({parts}):" if command else f"({parts})"


def filled(template: str, known: Mapping[str, Record]) -> str:
    """Return the template with its placeholders replaced. Raises KeyError for a benchmark or figure that is missing."""

    def text(match: re.Match[str]) -> str:
        kind, words = match.groups()
        if kind == "where":
            return where(known[words])
        if kind == "table":
            name, _, figure = words.partition(": ")
            return table(figures(known[name]), figure)
        name, *key = words.split(" | ")
        return {(f.case, f.way, f.name): f"{f.text} {f.unit}".strip() for f in figures(known[name])}[tuple(key)]

    return PLACEHOLDER.sub(text, template)


def write_readme() -> None:
    README.write_text(filled(TEMPLATE.read_text(), records()))
