"""Folders of instances, patterns such as `sat/*.cnf`, and lists such as `@hard.txt`: their files, and notes on these.

Wildcards of a pattern are those of a shell, and ** stands for folders of any depth. Each line of a list is a file,
folder or pattern, seen from the folder of the list; lines that begin with # are comments.

root  the folder that a corpus is, the part of a pattern before its first wildcard, or the folder of a list; names of
      instances begin there
"""

import glob
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import takewhile
from operator import attrgetter
from pathlib import Path

from puzzles.caches import remote_root
from puzzles.errors import BadInput, brief, plural, printable_path
from puzzles.files import read_text
from puzzles.readers.source import NOT_SUPPORTED

EXPECTED = "expected.csv"  # claims on the files
MAP = ".map.json"  # ending of the map of variables that `encode` writes beside a file
JOURNALS = (".sqlite", ".sqlite-lock", ".sqlite-wal", ".sqlite-shm")
NO_INSTANCE = (".md", MAP, ".py", ".pyc", *JOURNALS)  # endings of names
NOT_INSTANCES = ("readme", "license", "copying", "changelog")  # starts of names
LIST = "@"  # begins the name of a corpus that is a list
SHOWN = 3  # notes of a kind, for as many files
BOARD = re.compile(r"[0-9._*xX|,\s]*")  # text that is a board, with * for an open square


ONE = re.compile(r"(?<![0-9])(1 (?:clause|constraint|variable))\b")


class FolderNotes:
    """Notes on the files of a corpus: SHOWN notes of each kind, and the number of the others.

    Notes are of one kind if they differ only in numbers. What is not supported is always named.
    """

    def __init__(self, corpus: Path, notify: Callable[[str], object]) -> None:
        self.label, self.notify, self.file = printable_path(corpus), notify, ""
        self.kinds: Counter[str] = Counter()

    def send(self, note: str) -> None:
        """Send a note on the file in hand, unless there were enough of its kind."""
        text = note.removeprefix(f"{self.file}: ")
        kind = re.sub(r"[0-9]+", "N", ONE.sub(r"\1s", text))
        self.kinds[kind] += 1
        if self.kinds[kind] <= SHOWN or text.startswith(NOT_SUPPORTED):
            self.notify(note)

    def close(self) -> None:
        """Send the number of files whose notes were not shown."""
        for kind, count in self.kinds.items():
            if count > SHOWN and not kind.startswith(NOT_SUPPORTED):
                more = count - SHOWN
                self.notify(f"{self.label}: {plural(more, 'more file')}: {kind}")


def is_remote(text: str) -> bool:
    """Return True for the address of a file that lies elsewhere."""
    return text.startswith(("https://", "http://"))


def is_pattern(path: Path) -> bool:
    """Return True if a path has wildcards and names no file; a typed board such as 1**2 is no pattern."""
    text = str(path)
    return glob.has_magic(text) and not (os.path.lexists(path) or BOARD.fullmatch(text) or "***" in text)


def listing_of(path: Path) -> Path | None:
    """Return the file of a list that a corpus @FILE names; None for any other corpus."""
    text = str(path)
    return Path(text[1:]) if text.startswith(LIST) and len(text) > 1 and not os.path.lexists(path) else None


def absolute(path: Path) -> Path:
    """Return the path of a corpus from the root of the file system."""
    file = listing_of(path)
    return path.resolve() if file is None else Path(f"{LIST}{file.resolve()}")


def is_collection(path: Path) -> bool:
    """Return True if a corpus is a folder, a pattern or a list, of which each file has instances."""
    return path.is_dir() or is_pattern(path) or listing_of(path) is not None


def name_in(root: Path, path: Path) -> str:
    """Return the name of a file among the instances of a corpus; above its root it begins with `..`."""
    if remote_root() in path.parents:
        return path.relative_to(remote_root()).as_posix()
    above, parts = root.parts, path.parts
    if parts[: len(above)] == above and root.is_absolute() == path.is_absolute():
        return "/".join(parts[len(above) :]) or "."
    return Path(os.path.relpath(path, root)).as_posix()


def root_of(path: Path) -> Path:
    """Return the folder in which the names of a corpus' instances begin."""
    if file := listing_of(path):
        return file.parent
    return Path(*takewhile(lambda part: not glob.has_magic(part), path.parts)) if is_pattern(path) else path


def instance_files(path: Path) -> list[Path]:
    """Return the files of a folder and of its folders, or those that a pattern matches, by name, or those of a list.

    Hidden files, claims and documentation are left out, unless a list names them. Raises BadInput if a folder or a list
    can't be read, so that none of its instances is missed.
    """
    if file := listing_of(path):
        return list(dict.fromkeys(listed_files(file)))
    root = root_of(path)
    try:
        matched = map(Path, glob.glob(str(path), recursive=True)) if is_pattern(path) else [path]
        inside = {file for match in matched for file in (match, *files_below(match))}
        found = (file for file in inside if is_instance(file.relative_to(root)) and file.is_file())
        return sorted(found, key=attrgetter("parts"))
    except OSError as e:
        raise BadInput(f"{printable_path(e.filename)}: can't be read: {(e.strerror or '').lower()}") from None


def listed_files(file: Path) -> Iterator[Path]:
    """Yield the files that the lines of a list name. Raises BadInput."""
    shown = printable_path(file)
    try:
        lines = read_text(file).splitlines()
    except (OSError, UnicodeDecodeError) as e:
        why = (e.strerror or "").lower() if isinstance(e, OSError) else "not UTF-8 text"
        raise BadInput(f"{shown}: can't be read: {why}") from None
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if is_remote(text):
            yield fetched_line(text, f"{shown}:{number}")
            continue
        path = file.parent / text
        if is_collection(path) and listing_of(path) is None:
            yield from instance_files(path)
        elif os.path.lexists(path):
            yield path
        else:
            raise BadInput(f"{shown}:{number}: no such file: {brief(text)}")


def fetched_line(text: str, at: str) -> Path:
    """Return the file of an address in a list. Raises BadInput."""
    from puzzles.readers.remote import fetched  # which loads what speaks to servers

    try:
        return fetched(text)
    except BadInput as e:
        raise BadInput(f"{at}: {e}") from None


def files_below(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder and its subfolders, without hidden ones and those of journals. Raises OSError."""

    def refuse(error: OSError) -> None:
        if not isinstance(error, NotADirectoryError):
            raise error

    for parent, folders, files in os.walk(folder, onerror=refuse):
        if Path(parent) != folder and any(name.endswith(JOURNALS) for name in files):
            folders.clear()  # `results` of a run here
            continue
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(parent, name) for name in files)


def is_instance(path: Path) -> bool:
    """Return True unless a file's name says that it is no instance."""
    name = path.name.lower()
    hidden = any(part.startswith(".") for part in path.parts)
    return not (hidden or name == EXPECTED or name.endswith(NO_INSTANCE) or name.startswith(NOT_INSTANCES))
