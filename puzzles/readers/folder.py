"""Folders of instances, and patterns such as `sat/*.cnf`: their files, and notes on these.

Wildcards of a pattern are those of a shell, and ** stands for folders of any depth.

root  the folder that a corpus is, or the part of a pattern before its first wildcard; names of instances begin there
"""

import glob
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import takewhile
from pathlib import Path

from puzzles.errors import BadInput, printable_path
from puzzles.readers.source import NOT_SUPPORTED

EXPECTED = "expected.csv"  # claims on the files
NOT_INSTANCES = ("readme", "license", "copying", "changelog")  # starts of names
SHOWN = 3  # notes of a kind, for as many files
BOARD = re.compile(r"[0-9._*xX|,\s]*")  # text that is a board, with * for an open square


class FolderNotes:
    """Notes on the files of a corpus: of each kind SHOWN, and the number of the rest.

    Notes are of one kind if they differ only in numbers. What is not supported is always named.
    """

    def __init__(self, corpus: Path, notify: Callable[[str], object]) -> None:
        self.label, self.notify, self.file = printable_path(corpus), notify, ""
        self.kinds: Counter[str] = Counter()

    def send(self, note: str) -> None:
        """Send a note on the file in hand, unless there were enough of its kind."""
        text = note.removeprefix(f"{self.file}: ")
        kind = re.sub(r"[0-9]+", "N", text)
        self.kinds[kind] += 1
        if self.kinds[kind] <= SHOWN or text.startswith(NOT_SUPPORTED):
            self.notify(note)

    def close(self) -> None:
        """Send the number of files whose notes were not shown."""
        for kind, count in self.kinds.items():
            if count > SHOWN and not kind.startswith(NOT_SUPPORTED):
                more = count - SHOWN
                self.notify(f"{self.label}: {more} more {'file' if more == 1 else 'files'}: {kind}")


def is_pattern(path: Path) -> bool:
    """Return True if a path has wildcards and names no file; a typed board such as 1**2 is no pattern."""
    text = str(path)
    return glob.has_magic(text) and not (os.path.lexists(path) or BOARD.fullmatch(text) or "***" in text)


def root_of(path: Path) -> Path:
    """Return the folder in which the names of a corpus' instances begin."""
    return Path(*takewhile(lambda part: not glob.has_magic(part), path.parts)) if is_pattern(path) else path


def instance_files(path: Path) -> list[Path]:
    """Return the files of a folder and of its folders, or those that a pattern matches, by name.

    Hidden files, claims and documentation are left out. Raises BadInput if a folder can't be read, so that none of its
    instances is missed.
    """
    root = root_of(path)
    try:
        matched = map(Path, glob.glob(str(path), recursive=True)) if is_pattern(path) else [path]
        inside = {file for match in matched for file in (match, *files_below(match))}
        return sorted(file for file in inside if is_instance(file.relative_to(root)) and file.is_file())
    except OSError as e:
        raise BadInput(f"{printable_path(e.filename)}: can't be read: {(e.strerror or '').lower()}") from None


def files_below(folder: Path) -> Iterator[Path]:
    """Yield the entries of a folder and of its folders that are no folders, without hidden ones. Raises OSError."""

    def refuse(error: OSError) -> None:
        if not isinstance(error, NotADirectoryError):
            raise error

    for parent, folders, files in os.walk(folder, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(parent, name) for name in files)


def is_instance(path: Path) -> bool:
    """Return True unless a file's name says that it is no instance."""
    name = path.name.lower()
    hidden = any(part.startswith(".") for part in path.parts)
    return not (hidden or name == EXPECTED or name.endswith(".md") or name.startswith(NOT_INSTANCES))
