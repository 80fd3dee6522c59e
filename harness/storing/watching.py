"""Watch over a journal that this process writes: commits of other processes, and the file under its name.

The lock keeps other processes of this tool from writing, but a solver runs as the user and may write the journal by
SQL, delete it or put another file in its place. SQLite goes on with the file that it has opened, so nothing fails.
"""

import ctypes
import os
import sqlite3
from itertools import count
from pathlib import Path

Identity = tuple[int, int]  # device and inode


def identity(path: Path) -> Identity | None:
    """Return device and inode of a file, None if there is none."""
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

    changes  number of times at which others were found to have written it since the last look
    log      identity of the write-ahead log, None until it is first seen
    """

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        self.path, self.log_path, self.db = path, path.with_name(path.name + "-wal"), db
        self.version, self.file = data_version(db), identity(path)
        self.log: Identity | None = None
        self.changes = 0

    def look(self) -> None:
        """Count a change by others; inside a transaction, so that none can come before its end."""
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
        """Return a path beside the journal for what it holds, if it is lost."""
        names = (f"{self.path.stem}-saved{f'-{i}' * (i > 1)}{self.path.suffix}" for i in count(1))
        return next(path for path in map(self.path.with_name, names) if not path.exists())

    def close_lost(self) -> None:
        """Close the connection to a journal that is not in its place.

        SQLite removes the log by its name, which may be that of another journal by now: then the connection stays open
        until the process ends.
        """
        if identity(self.log_path) in (None, self.log):
            self.db.close()
        else:
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(self.db))
