"""Lock of a journal: one process at a time writes it. Readers take no lock.

The lock is on a file beside the journal, since the journal's own file locks belong to SQLite. The system releases it
when its process ends, however it ends; a file that a killed process left behind is locked again by the next.
"""

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from typing import Self

from harness.model.errors import BadUsage


class WriteLock:
    """Lock for writing, held until `release` or the end of the process."""

    def __init__(self, path: Path, fd: int) -> None:
        self.path, self.fd = path, fd

    @classmethod
    def acquire(cls, journal: Path) -> Self:
        """Lock a journal. Raises BadUsage if another process has locked it, OSError if it can't be locked."""
        path = journal.with_name(journal.name + "-lock")
        while True:
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if path.exists() and os.path.samestat(os.fstat(fd), path.stat()):
                    return cls(path, fd)  # else its holder has removed it meanwhile
            except BlockingIOError:
                os.close(fd)
                raise BadUsage(f"{journal}: another process is writing to it: wait until that has ended") from None
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
