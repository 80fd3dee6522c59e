"""Baselines: journals saved under a name, to compare later journals with."""

import os
import re
from pathlib import Path

from harness.model.errors import BadUsage
from harness.storing.journal import Journal

BASELINES = Path("results/baselines")


def baseline_path(name: str) -> Path:
    """Return the path of a baseline. Raises BadUsage if the name is not usable as a file name."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
        raise BadUsage(
            f"{name!r} is not a valid baseline name: use letters, digits, . _ and -, with a letter or digit first"
        )
    return BASELINES / f"{name}.sqlite"


def check_writable(path: Path) -> None:
    """Raise BadUsage if a file can't be written there; called before a run, to fail early."""
    folder = next(p for p in path.absolute().parents if p.exists())
    if path.is_dir():
        raise BadUsage(f"{path}: is a directory")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise BadUsage(f"{path}: permission denied")


def save_baseline(journal: Journal, name: str) -> Path:
    """Save a copy of the journal as a baseline, replacing an older baseline of the name."""
    journal.copy(baseline_path(name))
    return baseline_path(name)
