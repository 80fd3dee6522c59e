"""Journal: the result of a run as a crash-safe SQLite file, written lease by lease.

The schema is in docs/journal.md. Instances are stored first, so bad input is found before anything is solved, and the
run reads them back block by block: a million need no more memory than a thousand. Reports and all later stages depend
on the journal alone; only this package runs SQL or decodes stored data.

    connection   metadata, contenders, places             instances   corpora, instances, claims
    problems     problems, loaded when needed             outcomes    leases, their outcomes, certifications
    schema       tables, and how the file is opened       validation  checks on opening, with documents
    lock         one writer at a time, watched          remembering  what was derived, in the user's cache
"""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Self

from harness.model.errors import BadUsage
from harness.storing import schema
from harness.storing.lock import WriteLock
from harness.storing.outcomes.table import OutcomeTable
from harness.storing.remembering import Derivations, identity
from harness.storing.side_tables import definition, may_be_missing
from harness.storing.validation import validated


class Journal(OutcomeTable):
    """Open journal, to be used in a with statement."""

    @classmethod
    def create(cls, path: Path) -> Self:
        """Create a journal, locked for writing. Raises BadUsage."""
        with schema.as_bad_usage(path), ExitStack() as stack:
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = WriteLock.acquire(path)
            stack.callback(lock.release)
            db = schema.create_database(path)
            stack.pop_all()
        return cls(path, db, lock=lock)

    @classmethod
    def open(cls, path: Path, write: bool = False) -> Self:
        """Open an existing journal, for writing with a lock. Raises BadUsage, also on a damaged or crafted file."""
        with schema.opening(path), ExitStack() as stack:
            lock, found = None, identity(path)
            if write and path.is_file():
                lock = WriteLock.acquire(path)
                stack.callback(lock.release)
            db = schema.open_database(path, write)
            stack.callback(db.close)
            if not write and db.execute("pragma journal_mode").fetchone() == ("wal",):
                db.execute("begin")  # one snapshot of what another process is writing, which this does not block
            memory = Derivations(db) if write else Derivations.of(path, db, found)
            problems = validated(db, path, known=memory.verdicts is not None)
            if write:
                for name in may_be_missing():
                    db.executescript(f"drop table if exists temp.{name}; create {definition(name)};")
            stack.pop_all()
        journal = cls(path, db, lock)
        journal.problems, journal.memory = problems, memory
        return journal

    def copy(self, path: Path) -> None:
        """Copy all committed data to `path`, replacing it atomically. Raises BadUsage if that fails."""
        part = path.with_name(path.name + ".part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(part)) as db:
                self.db.backup(db)
                db.execute("pragma journal_mode = delete")  # a single file, so that the rename moves all data
            part.replace(path)
        except (OSError, sqlite3.Error) as e:
            part.unlink(missing_ok=True)
            raise BadUsage(f"{path}: {e.strerror if isinstance(e, OSError) else e}") from e

    @property
    def lost(self) -> bool:
        """True if the journal was deleted, moved or replaced while in use; the open file can still be used."""
        return self.watch is not None and not self.watch.in_place()

    def save_lost(self) -> Path:
        """Write the content of a lost journal to a file beside it, and use that from now on. Raises BadUsage."""
        assert self.watch
        path = self.watch.free_path()
        self.copy(path)
        self.path = path
        return path

    def discard(self) -> None:
        """Close and remove an incomplete new journal."""
        self.db.close()
        for suffix in ("", "-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
        self.unlock()

    def unlock(self) -> None:
        """Release the lock for writing, if this journal has it."""
        if self.lock:
            self.lock.release()
            self.lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        """Close the journal and merge its write-ahead log. Raises BadUsage in place of an error of SQLite."""
        if self.watch and self.lost:
            self.watch.close_lost()
        else:
            schema.close_database(self.db)
        self.unlock()
        if isinstance(error, sqlite3.Error):
            raise BadUsage(f"{self.path}: {error}") from error


@contextmanager
def open_journal(path: Path | str, write: bool = False) -> Iterator[Journal]:
    """Open a journal with all its puzzles. Raises BadUsage, also on damage found later, while the journal is used."""
    path = Path(path)
    with Journal.open(path, write) as journal:
        if "state" not in journal.meta():
            raise BadUsage(f"{path}: interrupted while loading puzzles: start a new run")
        yield journal
