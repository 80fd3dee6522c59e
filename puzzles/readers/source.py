"""Sources of text: numbered lines of a file or of the command line, decoded lazily.

Files are read in blocks and lines have a maximum length, so memory is bounded for any file. Readers raise ParseError
without a location; puzzles.formats converts it to BadInput, which names file and line.
"""

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from io import BufferedReader
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from puzzles.errors import BadInput, printable_path

HEADER_STATES = ", but the header states "  # in notes on files that have other numbers
STDIN = Path("/dev/stdin")
BLOCK_BYTES = 1 << 18
NOT_SUPPORTED = "not supported"  # start of a note on an instance of which a part is not read
MAX_LINE_BYTES = 1 << 22  # a Latin square of order 100 with all its candidates takes 3 million
LINE_END = re.compile(r"\r*\n|\r")  # Unix, Windows and classic Mac OS
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
SQLITE = b"SQLite format 3\0"  # first bytes of a journal


class Source:
    """Lines numbered from 1.

    `label` is for messages, `name` for names of puzzles; readers set `line`, the number of the current line. `notify`
    receives each note on what readers accept although it is not in order, once. `format` is set for a file of one
    instance that programs can read too; `exact` is False if it says more than the instance, or less. Objectives are
    dropped with `ignore_objective`. `size` is about the number of the file's bytes, 0 if nobody knows;
    `weights` are those of literals; `texts` are blocks of its lines, in place of `lines`, for readers that take many at
    once.
    """

    def __init__(
        self, label: str, name: str, lines: Iterator[tuple[int, str]], notify: Callable[[str], object] = str
    ) -> None:
        self.label = label
        self.name = name
        self.lines = lines
        self.line = 0
        self.notify = notify
        self.notes: set[str] = set()
        self.exact = True
        self.format = ""
        self.ignore_objective = False
        self.size = 0
        self.weights: Mapping[int, Fraction] = {}
        self.texts: Iterator[tuple[int, str]] | None = None

    def note(self, text: str, as_it_is: bool = False) -> None:
        """Send a note about the source to the user, once; `as_it_is`: programs read the same instance in it."""
        if text not in self.notes:
            self.notes.add(text)
            self.exact &= as_it_is
            self.notify(f"{self.label}: {text}")

    def keeps_objective(self) -> bool:
        """Return True unless --ignore-objective drops the objective: then the file states more than the instance."""
        self.exact &= not self.ignore_objective
        return not self.ignore_objective

    def bad_input(self, why: str, line: int | None = None, column: int = 0) -> BadInput:
        """Return the error for a line, by default the current one; line 0 is the whole file, column 0 the line."""
        at = self.line if line is None else line
        position = f"{at}:{column}" if column else str(at)
        return BadInput(f"{self.label}:{position}: {why}" if at else f"{self.label}: {why}")


def from_file(path: Path) -> Source:
    """Return a source for a file, without lines; standard input has one name everywhere."""
    return Source(path.name if path == STDIN else printable_path(path), printable_path(path.name), iter(()))


def from_text(text: str, name: str) -> Source:
    """Return the lines of a string as a source."""
    return Source(name, name, enumerate(unified(text).split("\n"), 1))


def unified(text: str) -> str:
    """Return a text with the line ends of Unix, without a byte order mark."""
    return LINE_END.sub("\n", text.removeprefix("\ufeff"))


@contextmanager
def opened(path: Path, source: Source) -> Iterator["BufferedReader[Any]"]:
    """Open a file, decompressed if it is compressed. Raises BadInput, also for system errors in the block."""
    from puzzles.readers.compressed import open_binary  # which imports this module

    if path != STDIN and not may_be_file(path):
        why = "is a pipe, socket or device: save its content to a file, or pass it as standard input, with the name -"
        raise source.bad_input(why, 0)
    try:
        with open_binary(path) as file:
            yield file
    except OSError as e:
        if not os.path.lexists(path):
            raise source.bad_input("no such file", 0) from None
        raise source.bad_input(f"can't be read: {(e.strerror or type(e).__name__).lower()}", 0) from None


def may_be_file(path: Path) -> bool:
    """Return True for a file, and where a path can't be looked at: an error tells then why."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return True


def lines_of(file: BinaryIO, source: Source) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines of a file. Raises BadInput."""
    return lines_of_texts(texts_of(file, source))


def lines_of_texts(texts: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Return the numbered lines of all texts of a file."""
    return enumerate(chain.from_iterable(text.split("\n") for _, text in texts), 1)


def texts_of(file: BinaryIO, source: Source) -> Iterator[tuple[int, str]]:
    """Yield texts of whole lines, without the last line end, each with its first line's number. Raises BadInput."""
    before = 0  # lines in earlier blocks
    rest = b""
    block = file.read(BLOCK_BYTES)
    if not block:
        raise source.bad_input("is empty", 0)
    if block.startswith(SQLITE):
        raise source.bad_input("an SQLite file, not puzzles: if it is a journal, `report` reads it", 0)
    while block:
        head, newline, tail = block.rpartition(b"\n")
        if newline:
            text = _decoded(rest + head, source, before)
            yield before + 1, text
            before += text.count("\n") + 1
            rest = tail
        else:
            rest += block
        if len(rest) > MAX_LINE_BYTES:
            raise source.bad_input(f"a line longer than {MAX_LINE_BYTES} bytes: not a file of puzzles", before + 1)
        block = file.read(BLOCK_BYTES)
    if rest:
        yield before + 1, _decoded(rest, source, before)


def _decoded(raw: bytes, source: Source, before: int) -> str:
    """Decode whole lines, with carriage returns removed; `before` is the number of earlier lines."""
    if b"\0" in raw:
        line = before + raw.count(b"\n", 0, raw.index(b"\0")) + 1
        raise source.bad_input("has null bytes: a binary file, or text that is not UTF-8", line)
    try:
        text = raw.decode()
    except UnicodeDecodeError as e:
        raise source.bad_input(
            f"byte {raw[e.start]:#04x} is not UTF-8: a binary file, or text in another encoding",
            before + raw.count(b"\n", 0, e.start) + 1,
        ) from None
    if "\r" not in text:
        return text
    source.exact = False  # minisat+ reads no line ends of Windows
    return LINE_END.sub("\n", text.rstrip("\r"))
