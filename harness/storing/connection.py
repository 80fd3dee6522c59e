"""Connection to a journal: transactions, rows inserted many at a time, and how the file is kept safe."""

import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

from harness.storing import schema
from harness.storing.lock import Watch

MANY = 100  # rows that are worth a statement of their own
PARAMETERS = 300  # parameters of a statement that inserts several rows; old versions of SQLite take 999


class Connection:
    """Connection to a journal, which all parts of the journal share.

    watch  None unless this process writes the journal
    """

    def __init__(self, path: Path, db: sqlite3.Connection, watch: Watch | None = None) -> None:
        self.path, self.db, self.watch = path, db, watch
        self.checkpointed = time.monotonic()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit the statements of the block, or roll them back; note if others have written. Raises BadUsage."""
        with schema.transaction(self.db, self.path):
            if self.watch:
                self.watch.look()
            yield

    def checkpoint(self) -> None:
        """Copy committed data from the write-ahead log to the journal's own file, as far as readers permit."""
        with schema.as_bad_usage(self.path):
            self.db.execute("pragma wal_checkpoint(passive)").fetchall()
        self.checkpointed = time.monotonic()

    def insert_joined(self, table: str, parts: Sequence[Mapping[str, Sequence[Any]]]) -> None:
        """Insert the rows of several groups of columns, each as `insert` takes them.

        Groups of few rows share statements; in one of many, columns of one value are part of the SQL.
        """
        few = [part for part in parts if len(next(iter(part.values()))) < MANY]
        for part in parts:
            if len(next(iter(part.values()))) >= MANY:
                self.insert(table, part)
        if few:
            self.insert(table, {name: list(chain.from_iterable(part[name] for part in few)) for name in few[0]})

    def insert(self, table: str, columns: Mapping[str, Sequence[Any]]) -> None:
        """Insert rows, given as columns in the table's order; many per statement take a third of the time."""
        row, varying = row_sql(columns)
        assert varying, "a table has a key"
        rows, step = len(varying[0]), max(1, PARAMETERS // len(varying))
        whole = rows - rows % step
        several = f"insert into {table} values {', '.join([row] * step)}"
        for at in range(0, whole, step):
            some = zip(*(values[at : at + step] for values in varying), strict=True)
            self.db.execute(several, list(chain.from_iterable(some)))
        rest = zip(*(values[whole:] for values in varying), strict=True)
        self.db.executemany(f"insert into {table} values {row}", rest)

    def max_id(self, table: str) -> int:
        """Return the highest id of a table, 0 if it is empty."""
        return int(self.db.execute(f"select coalesce(max(id), 0) from {table}").fetchone()[0])


def row_sql(columns: Mapping[str, Sequence[Any]]) -> tuple[str, list[Sequence[Any]]]:
    """Return the SQL of a row of these columns, and the columns that are its parameters.

    A column with one value in many rows, as most columns, is part of the SQL.
    """
    constant = {name: sql_number(values[0]) for name, values in columns.items() if is_constant(values)}
    row = f"({', '.join(constant.get(name, '?') for name in columns)})"
    return row, [values for name, values in columns.items() if name not in constant]


def is_constant(values: Sequence[Any]) -> bool:
    """Return True if many values are the same number or None."""
    return len(values) >= MANY and not isinstance(values[0], str | bytes) and values.count(values[0]) == len(values)


def sql_number(value: int | None) -> str:
    """Return a value as SQL."""
    return "null" if value is None else str(int(value))
