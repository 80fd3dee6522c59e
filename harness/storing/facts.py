"""Metadata of a run in its journal, and its contenders."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from harness.model.contender import Contender
from harness.model.settings import RunSettings
from harness.storing import schema
from harness.storing.connection import Connection

WORKERS, KNOWN = "workers", "known"  # entry in the metadata of an import whose files state workers
SEEDS = "seeds"  # the same of one whose files state a seed for each repeat
FAMILIES = "families"  # metadata: the families of instances, by name, under the field or file that states them


class RunFacts:
    """Metadata of a run: JSON by key."""

    def __init__(self, connection: Connection) -> None:
        self.connection, self.db = connection, connection.db

    def put(self, **facts: Any) -> None:
        """Store metadata of the run in one transaction, and copy everything committed to the journal's own file."""
        rows = [(key, json.dumps(value)) for key, value in facts.items()]
        with self.connection.transaction():
            self.db.executemany("insert or replace into meta values (?, ?)", rows)
        self.connection.checkpoint()

    def all(self) -> dict[str, Any]:
        """Return all metadata of the run."""
        return {key: json.loads(value) for key, value in self.db.execute("select key, value from meta")}

    def get(self, key: str, default: Any = None) -> Any:
        """Return one metadatum of the run, `default` if it is missing."""
        found = self.db.execute("select value from meta where key = ?", (key,)).fetchone()
        return default if found is None else json.loads(found[0])

    @property
    def imported(self) -> bool:
        """True if the results are imported: those of others, on instances known by name alone."""
        return self.get("imported") is not None

    @property
    def workers_known(self) -> bool:
        """True if it is known which worker ran what: each repeat of a contender has workers of its own."""
        imported = self.get("imported")
        return imported is None or imported.get(WORKERS) == KNOWN

    def settings(self) -> RunSettings:
        """Return the settings of the run."""
        return RunSettings.from_dict(self.all()["settings"])


class Contenders:
    """Contenders of a run, numbered from 0."""

    def __init__(self, connection: Connection) -> None:
        self.connection, self.db = connection, connection.db

    def add(self, contenders: Sequence[Contender], setups: Sequence[int | None] = ()) -> None:
        """Append contenders to the stored ones; numbers start at 0."""
        (first,) = self.db.execute("select count(*) from contenders").fetchone()
        rows = [
            (first + i, c.name, json.dumps(asdict(c)), c.version, setups[i] if setups else None)
            for i, c in enumerate(contenders)
        ]
        with self.connection.transaction():
            self.db.executemany("insert into contenders values (?, ?, ?, ?, ?)", rows)

    def all(self) -> list[Contender]:
        """Return the contenders by number, with the versions that their workers reported."""
        found = self.db.execute("select fields, version from contenders order by id")
        return [Contender(**json.loads(fields) | {"version": version}) for fields, version in found]

    def named(self) -> list[Contender]:
        """Return the contenders by number as named on the command line, without worker-reported versions."""
        found = self.db.execute("select fields from contenders order by id")
        return [Contender(**json.loads(fields)) for (fields,) in found]

    def set_opened(self, contender: int, version: str, setup: int) -> None:
        """Store what a worker reported: its version and nanoseconds of setup."""
        with schema.as_bad_usage(self.connection.path):
            self.db.execute("update contenders set version = ?, setup = ? where id = ?", (version, setup, contender))

    def setups(self) -> list[int | None]:
        """Return the nanoseconds of setup by contender."""
        return [setup for (setup,) in self.db.execute("select setup from contenders order by id")]
