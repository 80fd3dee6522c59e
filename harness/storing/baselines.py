"""Baselines: journals kept by name, to compare later ones with."""

import os
import re
from pathlib import Path

from harness.model.errors import BadUsage
from harness.storing.journal import Journal

BASELINES = Path("results/baselines")


def baseline_path(name: str) -> Path:
    """The path of the baseline of that name. Raises BadUsage on a name that is no file name."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
        raise BadUsage(f"{name!r} can't name a baseline: use letters, digits, . _ and -")
    return BASELINES / f"{name}.sqlite"


def check_writable(path: Path) -> None:
    """Raise BadUsage where a file can't be put in that place, so that this is found before a run and not after it."""
    folder = next(p for p in path.absolute().parents if p.exists())
    if path.is_dir():
        raise BadUsage(f"{path}: is a directory")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise BadUsage(f"{path}: permission denied")


def save_baseline(journal: Journal, name: str) -> Path:
    """Keep the journal as a baseline, in place of an older one of that name."""
    journal.copy(baseline_path(name))
    return baseline_path(name)
