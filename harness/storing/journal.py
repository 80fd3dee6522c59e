"""The result of a run: a SQLite file, written lease by lease, whole after a crash. docs/journal.md has the schema.

Instances go in first, so bad input is found before anything is solved, and the run reads them back block by block: a
million need no more memory than a thousand. Everything to the right of the journal is a function of it, and nothing
outside this room runs SQL or decodes what is stored.

    connection   facts of the run, contenders, places     instances   corpora, instances, claims
    outcomes     leases and their outcomes                schema      tables; schema1: journals of the first version
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Self

from harness.model.errors import BadUsage
from harness.storing import schema
from harness.storing.outcomes import OutcomeTable
from puzzles.problem import load


class Journal(OutcomeTable):
    """An open journal; close it by using it in a with statement."""

    @classmethod
    def create(cls, path: Path) -> Self:
        """A new journal. Raises BadUsage."""
        return cls(path, schema.create_database(path))

    @classmethod
    def open(cls, path: Path, write: bool = False) -> Self:
        """An existing journal. Raises BadUsage."""
        journal = cls(path, *schema.open_database(path, write))
        for i, content in journal.db.execute("select id, content from problems order by id"):
            journal.problems[i] = load(content)
        return journal

    def copy(self, path: Path) -> None:
        """A copy of all that is committed, put in place as a whole. Raises BadUsage where it can't be written."""
        part = path.with_name(path.name + ".part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(part)) as db:
                self.db.backup(db)
                db.execute("pragma journal_mode = delete")  # one file, so that the move below moves all of it
            part.replace(path)
        except (OSError, sqlite3.Error) as e:
            part.unlink(missing_ok=True)
            raise BadUsage(f"{path}: {e.strerror if isinstance(e, OSError) else e}") from e

    def discard(self) -> None:
        """Close and remove a journal that was not even filled."""
        self.db.close()
        for suffix in ("", "-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Close; the write-ahead log is folded in."""
        schema.close_database(self.db)


@contextmanager
def open_journal(path: Path | str, write: bool = False) -> Iterator[Journal]:
    """A journal that a run has at least begun to fill. Raises BadUsage, also where it turns out to be damaged."""
    path = Path(path)
    try:
        with Journal.open(path, write) as journal:
            if "state" not in journal.meta():
                raise BadUsage(f"{path}: interrupted while loading puzzles: run it anew")
            yield journal
    except sqlite3.Error as e:
        raise BadUsage(f"{path}: {e}") from e
