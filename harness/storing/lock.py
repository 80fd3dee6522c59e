"""Lock of a journal, so that one process at a time writes it, and watch over a journal that this process writes.

The lock is on a file beside the journal, since the journal's own file locks belong to SQLite; readers take no lock. The
system releases the lock whenever the process ends; the next process locks the file that a killed one left behind. The
lock keeps only this tool from writing: a solver runs as the user, and may write the journal by SQL, delete it or put
another file in its place. SQLite goes on with the file that it has opened, so nothing fails. Therefore there is a
watch.
"""

import ctypes
import fcntl
import os
import sqlite3
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Self

from harness.model.errors import NameTaken

Identity = tuple[int, int]  # device and inode


class WriteLock:
    """Lock for writing, held until `release` or the end of the process."""

    def __init__(self, path: Path, fd: int) -> None:
        self.path, self.fd = path, fd

    @classmethod
    def acquire(cls, journal: Path) -> Self:
        """Lock a journal. Raises NameTaken if another process has locked it, OSError if it can't be locked."""
        path = journal.with_name(journal.name + "-lock")
        while True:
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if path.exists() and os.path.samestat(os.fstat(fd), path.stat()):
                    return cls(path, fd)  # else its holder has removed it meanwhile
            except BlockingIOError:
                os.close(fd)
                raise NameTaken(f"{journal}: another process is writing to it: wait until that has ended") from None
            except BaseException:
                os.close(fd)
                raise
            os.close(fd)

    def release(self) -> None:
        """Remove the file and release the lock."""
        with suppress(OSError):
            if os.path.samestat(os.fstat(self.fd), self.path.stat()):  # else it was deleted, and is another's by now
                self.path.unlink()
        os.close(self.fd)


def identity(path: Path) -> Identity | None:
    """Return device and inode of a file, None if there is no file."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def data_version(db: sqlite3.Connection) -> int:
    """Return a number that changes when another connection writes the database."""
    return int(db.execute("pragma data_version").fetchone()[0])


class Watch:
    """Watch over an open journal.

    changes  number of looks that found that another program had written the journal
    log      identity of the write-ahead log, None until it is first seen
    """

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        self.path, self.log_path, self.db = path, path.with_name(path.name + "-wal"), db
        self.version, self.file = data_version(db), identity(path)
        self.log: Identity | None = None
        self.changes = 0

    def look(self) -> None:
        """Count a change by others; called inside a transaction, so that no other follows before its end."""
        version = data_version(self.db)
        self.changes += version != self.version
        self.version = version

    def in_place(self) -> bool:
        """Return True if the journal and its log are the files under their names."""
        if identity(self.path) != self.file:
            return False
        log = identity(self.log_path)
        self.log = self.log or log
        return log == self.log

    def free_path(self) -> Path:
        """Return a free path beside a lost journal for its content."""
        names = (f"{self.path.stem}-saved{f'-{i}' * (i > 1)}{self.path.suffix}" for i in count(1))
        return next(path for path in map(self.path.with_name, names) if not path.exists())

    def close_lost(self) -> None:
        """Close the connection to a lost journal.

        SQLite removes the log by name, and another journal's log may have this name by now: then the connection stays
        open until the process ends.
        """
        if identity(self.log_path) in (None, self.log):
            self.db.close()
        else:
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(self.db))
