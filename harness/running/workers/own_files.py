"""Temporary files of a worker as it sees and removes them itself, in a folder of its own."""

import contextlib
import os
import shutil
from collections.abc import Set
from pathlib import Path


def names_in(folder: Path) -> set[str]:
    """Return the names in a folder; none if a contender has deleted it, or put a link to another in its place."""
    with contextlib.suppress(OSError):
        if not folder.is_symlink():
            return set(os.listdir(folder))
    return set()


def remove_files(folder: Path, kept: Set[str]) -> None:
    """Remove what is in a folder but `kept`: files of an ask that failed, perhaps because they filled the disk."""
    for name in names_in(folder) - kept:
        path = folder / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with contextlib.suppress(OSError):
                path.unlink()
