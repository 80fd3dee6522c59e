"""Known answers to instances: one SQLite file of the user, with a record for each instance, by its content.

key          content hash of an instance, as golden files have it, or `gbd:` and GBD's hash of a CNF file
status       satisfiable, unsatisfiable, optimal (value is the best one), feasible (value is that of a solution),
             counted (value is the number of models, or the sum of their weights, which may be a fraction)
solutions    0, 1, 2+ or 1+, as in golden files; '' with an objective       bound  that no value is beyond, or ''
certificate  what confirmed the answer: proof, corpus, ...; ''           source  the journal or file that it is from
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from harness.model.errors import BadUsage

APPLICATION = 0x6B6E6F77  # in the file's header: no other database is changed
TABLE = (
    "create table if not exists known (key text primary key, name text not null, status text not null,"
    " value text not null, bound text not null, solutions text not null, certificate text not null,"
    " source text not null)"
)


class Record(NamedTuple):
    """Known answer to an instance; values are integers as text, as the source states them."""

    key: str
    name: str
    status: str
    value: str = ""
    bound: str = ""
    solutions: str = ""
    certificate: str = ""
    source: str = ""

    def words(self) -> str:
        """Return the answer for a message."""
        value = f" {self.value}" if self.value else ""
        several = self.status == "satisfiable" and self.solutions != "1+"
        return f"{self.status}{value}{f', {self.solutions} solutions' if several else ''}"


@contextmanager
def connected(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a file of known answers, created if it is missing. Raises BadUsage."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(path)) as db, db:
            (application,) = db.execute("pragma application_id").fetchone()
            (tables,) = db.execute("select count(*) from sqlite_master").fetchone()
            if application != APPLICATION and tables:
                raise BadUsage(f"{path}: another SQLite database, not a file of known answers")
            db.execute(f"pragma application_id = {APPLICATION}")
            db.execute(TABLE)
            yield db
    except (sqlite3.Error, OSError) as e:
        raise BadUsage(f"{path}: no file of known answers: {e}") from None


def found(path: Path, keys: Iterable[str]) -> dict[str, Record]:
    """Return the records of keys. Raises BadUsage."""
    with connected(path) as db:
        rows = (db.execute("select * from known where key = ?", (key,)).fetchone() for key in keys)
        return {row[0]: Record(*row) for row in rows if row}


def store(path: Path, records: Iterable[Record]) -> int:
    """Store records in the place of those with their keys; return how many. Raises BadUsage."""
    rows = list(records)
    with connected(path) as db:
        db.executemany("insert or replace into known values (?, ?, ?, ?, ?, ?, ?, ?)", rows)
    return len(rows)
