"""Formats of results for other tools: one file each, and a table of the formats that `export` writes.

A format of one text is written to a stream row by row; PATHS go to a file, FOLDERS to several files of a folder.
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from harness.model.errors import BadUsage

if TYPE_CHECKING:
    from harness.storing.journal import Journal

TEXTS = ("csv", "json", "markdown", "satcomp", "latex")
PATHS = ("parquet",)
FOLDERS = ("benchexec", "mkplot", "aslib")
FORMATS = (*TEXTS, *PATHS, *FOLDERS)
TIDY = ("csv", "json", "markdown")


def writer(name: str) -> "Callable[[Journal, Any], None]":
    """Return the function (journal, stream, path or folder) that writes a format."""
    module = "tidy" if name in TIDY else name
    write: Callable[[Journal, Any], None] = getattr(import_module(f"{__name__}.{module}"), f"write_{name}")
    return write


def export(journal: "Journal", name: str, stream: TextIO, output: str | None) -> None:
    """Write a journal in a format: to the file or folder `output`, or to a stream without it. Raises BadUsage."""
    if output is None and name not in TEXTS:
        raise BadUsage(f"{name} needs -o {'FOLDER' if name in FOLDERS else 'FILE'}")
    if output is None:
        writer(name)(journal, stream)
        return
    from harness.storing.schema import refuse_journal
    from puzzles.files import replacing_text

    path = Path(output)
    try:
        refuse_journal(path)
        if name in FOLDERS:
            if path.exists() and not path.is_dir():
                raise BadUsage(f"{path}: is a file, and {name} writes a folder: choose another name")
            path.mkdir(parents=True, exist_ok=True)
        if name not in TEXTS:
            writer(name)(journal, path)
            return
        with replacing_text(path, newline="") as file:
            writer(name)(journal, file)
    except OSError as e:
        raise BadUsage(f"{e.filename or path}: {e.strerror}") from e
