"""Journal: the result of a run as a crash-safe SQLite file, written lease by lease.

Schema: docs/reference/journal.md. Instances are stored first, so bad input is found before anything is solved, and the
run reads them back block by block: a million need no more memory than a thousand. Reports and all later stages depend
on the journal alone; only this package runs SQL or decodes stored data.

    facts        metadata of the run                      contenders   by number, from 0
    places       where it ran, and reference work         corpora      files, as given
    instances    by id, from 1, with their problems       claims       of the corpora, on instances
    leases       committed with their outcomes            outcomes     read back as columns
    objectives   values, and the steps towards them       answers      failures, disputes, solutions
    proofs       certificates and certifications          logs         what programs printed
    ask_times    of query scripts
    selection    the outcomes that all queries show       memory       what was derived, in the user's cache
"""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Self

from harness.model.errors import BadUsage
from harness.storing import schema
from harness.storing.claims import Claims
from harness.storing.connection import Connection
from harness.storing.corpora import Corpora
from harness.storing.facts import Contenders, RunFacts
from harness.storing.instances import Instances
from harness.storing.lock import Watch, WriteLock
from harness.storing.outcomes.answers import NotableAnswers
from harness.storing.outcomes.ask_times import AskTimes
from harness.storing.outcomes.leases import Leases
from harness.storing.outcomes.logs import Logs
from harness.storing.outcomes.objectives import Objectives
from harness.storing.outcomes.proofs import Proofs
from harness.storing.outcomes.table import OutcomeTable
from harness.storing.places import Places
from harness.storing.problems import Problems
from harness.storing.remembering import Derivations, identity
from harness.storing.selection import OutcomeSelection
from harness.storing.side_tables import definition, may_be_missing
from harness.storing.validation import validated


class Journal:
    """Open journal, to be used in a with statement."""

    def __init__(
        self,
        path: Path,
        db: sqlite3.Connection,
        lock: WriteLock | None = None,
        problems: Problems | None = None,
        memory: Derivations | None = None,
    ) -> None:
        self.path, self.db, self.lock = path, db, lock
        self.watch = Watch(path, db) if lock else None
        self.connection = connection = Connection(path, db, self.watch)
        self.problems = problems = problems or Problems(db, path)
        self.memory = memory = memory or Derivations(db)
        self.selection = OutcomeSelection(connection)
        self.facts, self.contenders = RunFacts(connection), Contenders(connection)
        self.places = Places(connection, self.facts)
        self.corpora, self.claims = Corpora(connection, problems), Claims(connection, problems)
        self.instances = Instances(connection, problems, self.facts, self.corpora, self.selection)
        self.leases = Leases(connection, self.facts, self.instances)
        self.objectives = Objectives(connection, self.facts, self.instances)
        self.outcomes = OutcomeTable(
            connection, problems, self.contenders, self.instances, self.objectives, self.selection, memory
        )
        self.proofs, self.logs = Proofs(connection, self.facts, self.instances), Logs(connection)
        self.ask_times = AskTimes(connection)
        self.answers = NotableAnswers(connection, problems, self.instances, self.logs)

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
        return cls(path, db, lock, problems, memory)

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
        """Write the content of a lost journal to a new file beside it, and continue with that file. Raises BadUsage."""
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
        if "state" not in journal.facts.all():
            raise BadUsage(f"{path}: interrupted while loading puzzles: start a new run")
        yield journal
