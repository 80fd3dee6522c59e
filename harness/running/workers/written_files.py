"""Files that the programs of a batch write: its proofs, which are taken over, and what they have printed."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from harness.running.workers.worker_process import WorkerProcess


class WrittenFiles:
    """Folders in which the worker of the running batch writes, and a folder of the proofs that were taken from there.

    proofs, logs  folders of the running batch, None where nothing is to be written
    """

    def __init__(self, folder: Path, proof: bool, keep: bool) -> None:
        self.keep = keep
        self.proofs: Path | None = None
        self.logs: Path | None = None
        self.kept: tempfile.TemporaryDirectory[str] | None = None
        if proof:
            self.kept = tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True)
        self.taken = 0

    def begin(self, child: WorkerProcess) -> None:
        """Create the folders of a batch. Raises OSError."""
        if self.kept is not None:
            Path(self.kept.name).mkdir(0o700, exist_ok=True)  # any contender can delete it
            self.proofs = child.proof_folder()
        if self.keep:
            self.logs = child.log_folder()

    def take_proofs(self, n: int) -> dict[int, Path]:
        """Return files with the proofs of the first n puzzles of the batch; delete the other files of the worker."""
        if self.kept is None or self.proofs is None:
            return {}
        found = {}
        for i in range(n):
            path = self.proofs / str(i)
            if path.is_file() and not path.is_symlink():
                self.taken += 1
                with contextlib.suppress(OSError):
                    found[i] = path.rename(Path(self.kept.name, f"{self.taken}.proof"))
        self.drop_proofs()
        return found

    def log_stems(self, first: int, stop: int) -> Iterator[tuple[int, Path]]:
        """Yield positions of the batch, and the stem of the files of what their programs have printed."""
        if self.logs is not None:
            yield from ((i, self.logs / str(i)) for i in range(first, stop))

    def drop_proofs(self) -> None:
        """Delete the folder for the worker's proofs."""
        if self.proofs is not None:
            shutil.rmtree(self.proofs, ignore_errors=True)
            self.proofs = None

    def drop(self) -> None:
        """Delete the folders of the batch."""
        self.drop_proofs()
        if self.logs is not None:
            shutil.rmtree(self.logs, ignore_errors=True)
            self.logs = None

    def close(self) -> None:
        """Delete everything, the proofs that were taken too."""
        self.drop()
        if self.kept is not None:
            self.kept.cleanup()
