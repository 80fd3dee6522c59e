"""Known answers of others: a database of GBD, or a CSV table with a column `hash`, of GBD's hashes.

status, result   sat, satisfiable, unsat, unsatisfiable, yes, no, optimal, feasible; other words are unknown
value, best      integer: the value of the best solution, of an instance with an objective
"""

import csv
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

from harness.model.errors import BadUsage
from harness.storing.known import Record
from puzzles.files import read_text
from puzzles.readers.source import SQLITE

HASH = re.compile(r"[0-9a-f]{32}")
NUMBER = re.compile(r"[+-]?[0-9]{1,4000}")
STATUSES = {
    **dict.fromkeys(("sat", "satisfiable", "yes", "true"), "satisfiable"),
    **dict.fromkeys(("unsat", "unsatisfiable", "no", "false"), "unsatisfiable"),
    **dict.fromkeys(("optimal", "optimum found", "opt"), "optimal"),
    **dict.fromkeys(("feasible", "best known"), "feasible"),
}
COUNTS = {"satisfiable": "1+", "unsatisfiable": "0"}
STATUS, VALUE = ("status", "result"), ("value", "best")
TABLE = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def read_known(path: Path) -> tuple[list[Record], int]:
    """Return the records of a file, and the number of its rows that state nothing. Raises BadUsage."""
    try:
        with path.open("rb") as file:
            database = file.read(len(SQLITE)) == SQLITE
        rows = list(database_rows(path) if database else csv_rows(path))
    except (OSError, sqlite3.Error, UnicodeDecodeError, csv.Error) as e:
        raise BadUsage(f"{path}: can't be read: {e}") from None
    found = [record for row in rows if (record := record_of(row, str(path)))]
    return found, len(rows) - len(found)


def csv_rows(path: Path) -> Iterator[Mapping[str, str]]:
    """Yield the rows of a table. Raises BadUsage."""
    reader = csv.DictReader(read_text(path).splitlines())
    if "hash" not in (reader.fieldnames or ()):
        raise BadUsage(f"{path}:1: no column 'hash'")
    for number, row in enumerate(reader, 2):
        if not HASH.fullmatch(row["hash"] or ""):
            raise BadUsage(f"{path}:{number}: {str(row['hash'])[:40]!r} is no hash of GBD, which has 32 digits")
        yield {name: text or "" for name, text in row.items() if isinstance(name, str) and not isinstance(text, list)}


def database_rows(path: Path) -> Iterator[Mapping[str, str]]:
    """Yield the features of each hash: columns of `features`, and tables of those with several values."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        tables = {name for (name,) in db.execute("select name from sqlite_master where type = 'table'")}
        if "features" not in tables:
            raise BadUsage(f"{path}: no database of GBD: it has no table 'features'")
        cursor = db.execute("select * from features")
        names = [column[0] for column in cursor.description]
        rows = {row["hash"]: row for row in (dict(zip(names, values, strict=True)) for values in cursor)}
        for table in tables & {*STATUS, *VALUE, "filename"}:
            for key, value in db.execute(f"select hash, value from {table}"):
                if key in rows:
                    rows[key][table] = value
        yield from ({name: str(value) for name, value in row.items()} for row in rows.values())


def record_of(row: Mapping[str, str], source: str) -> Record | None:
    """Return the record of a row, None if it states nothing that is known."""
    word = next((row[name].strip().lower() for name in STATUS if row.get(name)), "")
    value = next((row[name].strip() for name in VALUE if NUMBER.fullmatch(row.get(name, "").strip())), "")
    status = STATUSES.get(word, "")
    if status == "satisfiable" and value:
        status = "feasible"
    if not HASH.fullmatch(row["hash"]) or not status or (status in ("optimal", "feasible") and not value):
        return None
    value = str(int(value)) if value and status != "unsatisfiable" else ""
    bound = value if status == "optimal" else ""
    name = row.get("filename") or row["hash"]
    return Record(f"gbd:{row['hash']}", name, status, value, bound, COUNTS.get(status, ""), "", source)
