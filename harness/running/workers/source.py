"""File of an instance in its worker: checked, and decompressed, when the contender is opened."""

import shutil
import tempfile
from pathlib import Path

from harness.model.host import digest
from harness.model.outcome import SourceDigest
from harness.running.workers.problem_file import ChangedFile
from puzzles.readers.compressed import is_compressed, open_binary

ENDINGS = {"xcsp3": "xml"}  # where it is not the format's name


class WorkerSource:
    """The file that a program gets: that of the instance, or its decompressed content in the run's folder.

    path  None if there is no such file here, so that the program gets a written one
    note  says so
    """

    def __init__(self, source: SourceDigest) -> None:
        original = Path(source.path)
        self.path: Path | None = original
        self.note = ""
        found = digest(original)
        if found is None:
            self.path, self.note = None, f"{source.path} can't be read here: the program got a written file instead"
        elif found != source.digest:
            raise ChangedFile(f"{source.path} has changed since it was read: start a new run")
        elif is_compressed(original):
            self.folder = tempfile.TemporaryDirectory(prefix="source-")
            self.path = Path(self.folder.name, f"instance.{ENDINGS.get(source.format, source.format)}")
            with open_binary(original) as packed, self.path.open("wb") as file:
                shutil.copyfileobj(packed, file, 1 << 20)
