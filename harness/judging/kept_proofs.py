"""Copies of the proofs of a run with their formulas, for `--keep-proofs`.

INSTANCE-CONTENDER-DIGEST.cnf, or .opb, is the formula as the solver received it, and the proof has the same name with
.drat, .lrat or .pbp, so that any checker can be run on both; one in .drcp has no formula. DIGEST is of the proof.
"""

import contextlib
import hashlib
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from harness.model.contender import Contender
from harness.model.file_names import safe
from harness.model.outcome import Outcomes

DIGEST = 12  # hexadecimal digits
LONGEST = 80  # characters of the name of an instance, from its end


def file_name(instance: str, contender: str, digest: str) -> str:
    """Return the name of the files of a proof and of its formula, without the ending."""
    return f"{safe(instance[-LONGEST:])}-{safe(contender)}-{digest[:DIGEST]}"


class KeptProofs:
    """Folder that receives the files. After the first error, which `notify` receives, no more are kept.

    `name` returns the name of an instance by its id.
    """

    def __init__(
        self,
        folder: Path,
        contenders: Sequence[Contender],
        name: Callable[[int], str],
        notify: Callable[[str], None],
    ) -> None:
        self.folder, self.contenders, self.name, self.notify = folder, contenders, name, notify
        self.full = False

    def stem(self, outcomes: Outcomes, at: int) -> str:
        """Return the name of the files of a proof. Raises OSError."""
        batch = outcomes.batch
        with outcomes.proofs[at].open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return file_name(self.name(int(batch.puzzles[at])), self.contenders[batch.contender].name, digest)

    def keep_proof(self, outcomes: Outcomes, at: int) -> None:
        """Copy a proof."""
        from harness.judging.checkers.formats import START, format_of  # which imports numba, for a second

        with contextlib.suppress(OSError), outcomes.proofs[at].open("rb") as file:
            self.copy(outcomes, at, outcomes.proofs[at], format_of(file.read(START)).split()[-1].lower())

    def keep_formula(self, outcomes: Outcomes, at: int, formula: Path) -> None:
        """Copy the formula of a proof, if it was written."""
        if formula.exists():
            with formula.open("rb") as file:
                self.copy(outcomes, at, formula, "opb" if file.read(1) == b"*" else "cnf")

    def copy(self, outcomes: Outcomes, at: int, path: Path, ending: str) -> None:
        """Copy a file, or note the reason why this failed."""
        if self.full:
            return
        copy = self.folder / f"{self.stem(outcomes, at)}.{ending}"
        try:
            shutil.copyfile(path, copy)
        except OSError as e:
            self.full = True
            with contextlib.suppress(OSError):
                copy.unlink()
            self.notify(f"{copy}: {e.strerror}: this file and all later ones are not kept")
