"""Journals as the verbs take them that run nothing, and the baselines among them."""

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from backends.answer import Int64Array
from harness.model.errors import BadUsage
from harness.storing.journal import Journal

BASELINES = Path("results/baselines")


@contextmanager
def opened(path: Path | str, write: bool = False) -> Iterator[Journal]:
    """A journal that a run has at least begun to fill. Raises BadUsage, also where it turns out to be damaged."""
    path = Path(path)
    try:
        with Journal.open(path, write) as journal:
            if "state" not in journal.meta():
                raise BadUsage(f"{path}: it was stopped before its puzzles were in: run it anew")
            yield journal
    except sqlite3.Error as e:
        raise BadUsage(f"{path}: {e}") from e


def copy(journal: Journal, path: Path) -> None:
    """A copy of all that is committed, put in place as a whole. Raises BadUsage where it can't be written."""
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(part)) as db:
            journal.db.backup(db)
            db.execute("pragma journal_mode = delete")  # one file, so that the move below moves all of it
        part.replace(path)
    except (OSError, sqlite3.Error) as e:
        part.unlink(missing_ok=True)
        raise BadUsage(f"{path}: {e.strerror if isinstance(e, OSError) else e}") from e


def baseline(name: str) -> Path:
    """Where the baseline of that name lies. Raises BadUsage on a name that is no file name."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
        raise BadUsage(f"{name!r} can't name a baseline: use letters, digits, . _ and -")
    return BASELINES / f"{name}.sqlite"


def writable(path: Path) -> None:
    """Raises BadUsage where a file can't be put in that place, so that this is found before a run and not after it."""
    folder = next(p for p in path.absolute().parents if p.exists())
    if path.is_dir():
        raise BadUsage(f"{path}: is a directory")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise BadUsage(f"{path}: permission denied")


def save_baseline(journal: Journal, name: str) -> Path:
    """Keep the journal as a baseline, in place of an older one of that name."""
    copy(journal, baseline(name))
    return baseline(name)


def stored_verdicts(journal: Journal) -> list[Int64Array]:
    """Each contender's verdicts as they are stored."""
    return [journal.columns(c, "verdict")["verdict"] for c in range(len(journal.contenders()))]
