"""Connection to a journal: metadata, contenders, places and reference samples of its run."""

import json
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

from harness.model.contender import Contender
from harness.model.errors import BadUsage
from harness.model.lease import Part, Place, Sample
from harness.model.settings import RunSettings
from harness.storing import schema
from harness.storing.lock import Watch, WriteLock
from harness.storing.problems import Problems
from harness.storing.remembering import Derivations

MANY = 100  # rows that are worth a statement of their own
PARAMETERS = 300  # parameters of a statement that inserts several rows; old versions of SQLite take 999


class Connection:
    """Connection to a journal."""

    def __init__(self, path: Path, db: sqlite3.Connection, lock: WriteLock | None = None) -> None:
        self.path, self.db, self.lock = path, db, lock
        self.problems = Problems(db, path)
        self.checkpointed = time.monotonic()
        self.shown: list[Part] | None = None  # instances to which queries are restricted
        self.watch = Watch(path, db) if lock else None
        self.conditions: list[str] = []  # which the outcomes that queries show satisfy
        self.source = schema.STORED  # table or view of the outcomes that queries read
        self.memory = Derivations(db)  # what the user's cache holds of this content

    def damaged(self, why: str) -> BadUsage:
        """Return the error for stored data that this tool does not write."""
        return BadUsage(f"{self.path}: a damaged journal: {why}")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit the statements of the block, or roll them back; note if others have written. Raises BadUsage."""
        with schema.transaction(self.db, self.path):
            if self.watch:
                self.watch.look()
            yield

    def put(self, **facts: Any) -> None:
        """Store metadata of the run in one transaction, and copy everything committed to the journal's own file."""
        rows = [(key, json.dumps(value)) for key, value in facts.items()]
        with self.transaction():
            self.db.executemany("insert or replace into meta values (?, ?)", rows)
        self.checkpoint()

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

    def meta(self) -> dict[str, Any]:
        """Return all metadata of the run."""
        return {key: json.loads(value) for key, value in self.db.execute("select key, value from meta")}

    def fact(self, key: str, default: Any = None) -> Any:
        """Return one metadatum of the run, `default` if it is missing."""
        found = self.db.execute("select value from meta where key = ?", (key,)).fetchone()
        return default if found is None else json.loads(found[0])

    @property
    def imported(self) -> bool:
        """True if the results are imported: those of others, on instances known by name alone."""
        return self.fact("imported") is not None

    def settings(self) -> RunSettings:
        """Return the settings of the run."""
        return RunSettings.from_dict(self.meta()["settings"])

    def add_contenders(self, contenders: Sequence[Contender], setups: Sequence[int | None] = ()) -> None:
        """Append contenders to the stored ones; numbers start at 0."""
        (first,) = self.db.execute("select count(*) from contenders").fetchone()
        rows = [
            (first + i, c.name, json.dumps(asdict(c)), c.version, setups[i] if setups else None)
            for i, c in enumerate(contenders)
        ]
        with self.transaction():
            self.db.executemany("insert into contenders values (?, ?, ?, ?, ?)", rows)

    def contenders(self) -> list[Contender]:
        """Return the contenders by number, with the versions that their workers reported."""
        found = self.db.execute("select fields, version from contenders order by id")
        return [Contender(**json.loads(fields) | {"version": version}) for fields, version in found]

    def named_contenders(self) -> list[Contender]:
        """Return the contenders by number as named on the command line, without worker-reported versions."""
        found = self.db.execute("select fields from contenders order by id")
        return [Contender(**json.loads(fields)) for (fields,) in found]

    def set_opened(self, contender: int, version: str, setup: int) -> None:
        """Store what a worker reported: its version and nanoseconds of setup."""
        with schema.as_bad_usage(self.path):
            self.db.execute("update contenders set version = ?, setup = ? where id = ?", (version, setup, contender))

    def setups(self) -> list[int | None]:
        """Return the nanoseconds of setup by contender."""
        return [setup for (setup,) in self.db.execute("select setup from contenders order by id")]

    def max_id(self, table: str) -> int:
        """Return the highest id of a table, 0 if it is empty."""
        return int(self.db.execute(f"select coalesce(max(id), 0) from {table}").fetchone()[0])

    def add_places(self, places: Sequence[Place]) -> list[int]:
        """Store places and return their ids."""
        found = []
        with self.transaction():
            for p in places:
                row = (json.dumps(p.host), p.core, json.dumps(p.versions), json.dumps(p.environment))
                found.append(self.db.execute("insert into places values (null, ?, ?, ?, ?)", row).lastrowid or 0)
        return found

    def places(self) -> list[Place]:
        """Return all places, in order of id."""
        return list(self.numbered_places().values())

    def numbered_places(self) -> dict[int, Place]:
        """Return all places by id."""
        rows = self.db.execute("select id, host, core, versions, environment from places order by id")
        return {i: Place(json.loads(h), core, json.loads(v), json.loads(e)) for i, h, core, v, e in rows}

    def places_used(self) -> dict[int, Place]:
        """Return the places that have leases, by id."""
        used = {place for (place,) in self.db.execute("select distinct place from leases")}
        return {i: place for i, place in self.numbered_places().items() if i in used}

    def hosts(self) -> list[dict[str, Any]]:
        """Return the distinct machines of all places, in order of id."""
        found: list[dict[str, Any]] = []
        for place in self.places():
            if place.host not in found:
                found.append(place.host)
        return found or [self.meta()["host"]]

    def add_samples(self, samples: Sequence[Sample]) -> None:
        """Store reference samples that belong to no lease."""
        with self.transaction():
            self.db.executemany("insert into reference values (null, null, ?, ?)", samples)

    def placed_samples(self) -> Iterator[tuple[int | None, int]]:
        """Yield place (None without a lease) and wall time (ns) of each reference sample, in running order."""
        query = "select l.place, r.wall from reference r left join leases l on l.id = r.lease order by r.id"
        return iter(self.db.execute(query))

    def samples(self) -> list[Sample]:
        """Return all reference samples (nanoseconds of wall and CPU time), in running order."""
        return [(wall, cpu) for wall, cpu in self.db.execute("select wall, cpu from reference order by id")]


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
