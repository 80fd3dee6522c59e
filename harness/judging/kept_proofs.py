"""Copies of the proofs of a run, for `--keep-proofs`."""

import contextlib
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from harness.model.contender import Contender
from harness.model.outcome import Outcomes


def file_name(puzzle: int, contender: int, name: str, repeat: int) -> str:
    """Return the name of a proof's file: instance, repeat, number and name of the contender."""
    return f"{puzzle:06}-{repeat}-{contender}-{re.sub(r'[^A-Za-z0-9.+-]+', '-', name)}.drat"


class KeptProofs:
    """Folder that receives a copy of every proof. After the first error, which `notify` gets, no more are kept."""

    def __init__(self, folder: Path, contenders: Sequence[Contender], notify: Callable[[str], None]) -> None:
        self.folder, self.contenders, self.notify = folder, contenders, notify
        self.full = False

    def keep(self, outcomes: Outcomes) -> None:
        """Copy the proofs of outcomes."""
        batch = outcomes.batch
        name = self.contenders[batch.contender].name
        for i, path in outcomes.proofs.items():
            copy = self.folder / file_name(int(batch.puzzles[i]), batch.contender, name, batch.repeat)
            if self.full:
                return
            try:
                shutil.copyfile(path, copy)
            except OSError as e:
                self.full = True
                with contextlib.suppress(OSError):
                    copy.unlink()
                self.notify(f"{copy}: {e.strerror}: this proof and all later ones are not kept")
