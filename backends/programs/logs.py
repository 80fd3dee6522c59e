"""Files that receive what the programs of an ask print, as it arrives: STEM.out and STEM.err.

A worker that is killed leaves what its program has printed until then.
"""

import contextlib
from io import FileIO
from pathlib import Path

OUT, ERR = ".out", ".err"
MOST_BYTES = 1 << 27  # of a file: more than a program may print on standard output


class ProgramLogs:
    """Files of the present ask; none unless `begin` has named them. After an error nothing more of the ask is kept."""

    def __init__(self) -> None:
        self.stem: Path | None = None
        self.files: dict[str, FileIO] = {}

    def begin(self, stem: Path | None) -> None:
        """Begin the files of an ask, replacing files of the same name; without a name no output is kept."""
        for file in self.files.values():
            file.close()
        self.stem, self.files = stem, {}

    def started(self) -> None:
        """Create the file of standard output: a program has started."""
        self.add(OUT, b"")

    def add(self, ending: str, chunk: bytes) -> None:
        """Append output of a program."""
        if self.stem is None:
            return
        try:
            if ending not in self.files:
                self.files[ending] = FileIO(self.stem.with_name(self.stem.name + ending), "w")
            if self.files[ending].tell() < MOST_BYTES:
                self.files[ending].write(chunk)
        except OSError:
            self.begin(None)


LOGS = ProgramLogs()  # files of this process's programs


def read_log(stem: Path, ending: str) -> bytes | None:
    """Return the content of a file, None if there is none; a link is not followed."""
    path = stem.with_name(stem.name + ending)
    with contextlib.suppress(OSError):
        if path.is_file() and not path.is_symlink():
            return path.read_bytes()
    return None
