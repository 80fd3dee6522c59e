"""Where text comes from: numbered lines of a file or of the command line, decoded as they are needed.

A file is read a block at a time, and a line has a longest length, so memory stays bounded whatever the file holds.
Readers raise Flaw where they stand; whoever opened the source turns it into BadInput, which names file and line.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

BLOCK = 1 << 18
LONGEST = 1 << 22  # bytes; a Latin square of order 100 with all its candidates takes 3 million
LINE_END = re.compile(r"\r*\n|\r")  # of Unix, Windows and the old Macintosh
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class BadInput(ValueError):
    """A user's input that can't be read: one line, FILE:LINE: what is wrong and what was expected."""


class Flaw(ValueError):
    """What is wrong, before anybody has said where. `line` if it isn't the current one, `cell` the index in a board."""

    def __init__(self, why: str, line: int | None = None, cell: int | None = None) -> None:
        super().__init__(why)
        self.line = line
        self.cell = cell


def brief(text: str) -> str:
    """Text as a message can show it: quoted, on one line, its control characters spelled out, not too long."""
    return repr(text) if len(text) <= 40 else f"{text[:37]!r}..."


def spoken(path: Path | str) -> str:
    """A path as text that can be written anywhere, whatever bytes it is made of and whatever the locale."""
    return os.fsencode(path).decode(errors="replace")


class Source:
    """Lines numbered from 1. `label` stands in messages, `name` in the names of puzzles; `line` is set by readers."""

    def __init__(self, label: str, name: str, lines: Iterator[tuple[int, str]]) -> None:
        self.label = label
        self.name = name
        self.lines = lines
        self.line = 0

    def refusal(self, why: str, line: int | None = None) -> BadInput:
        """The one line that says where and why; line 0 is the file as a whole."""
        at = self.line if line is None else line
        return BadInput(f"{self.label}:{at}: {why}" if at else f"{self.label}: {why}")


def from_file(path: Path) -> Source:
    """The lines of a file, which is opened at the first of them."""
    source = Source(spoken(path), spoken(path.name), iter(()))
    source.lines = _file_lines(path, source)
    return source


def from_text(text: str, name: str) -> Source:
    """The lines of a text that is already here."""
    return Source(name, name, enumerate(LINE_END.sub("\n", text.removeprefix("\ufeff")).split("\n"), 1))


def _file_lines(path: Path, source: Source) -> Iterator[tuple[int, str]]:
    try:
        yield from enumerate(_lines(path, source), 1)
    except OSError as e:
        if not os.path.lexists(path):
            raise source.refusal("no such file", 0) from None
        raise source.refusal(f"can't be read: {(e.strerror or type(e).__name__).lower()}", 0) from None


def _lines(path: Path, source: Source) -> Iterator[str]:
    if path.is_dir():
        raise source.refusal("is a directory, not a file of puzzles", 0)
    before = 0  # lines of earlier blocks
    rest = b""
    with path.open("rb") as file:
        block = file.read(BLOCK).removeprefix(BYTE_ORDER_MARK)
        if not block:
            raise source.refusal("is empty", 0)
        while block:
            head, newline, tail = block.rpartition(b"\n")
            if newline:
                text = _decoded(rest + head, source, before)
                lines = text.split("\n")
                yield from lines
                before += len(lines)
                rest = tail
            else:
                rest += block
            if len(rest) > LONGEST:
                raise source.refusal(f"a line longer than {LONGEST} bytes: not a file of puzzles", before + 1)
            block = file.read(BLOCK)
    if rest:
        yield from _decoded(rest, source, before).split("\n")


def _decoded(raw: bytes, source: Source, before: int) -> str:
    """Whole lines as text, without carriage returns; `before` lines came earlier."""
    if b"\0" in raw:
        line = before + raw.count(b"\n", 0, raw.index(b"\0")) + 1
        raise source.refusal("has null bytes: a binary file, or text that is not UTF-8", line)
    try:
        text = raw.decode()
    except UnicodeDecodeError as e:
        raise source.refusal(
            f"byte {raw[e.start]:#04x} is not UTF-8: a binary file, or text in another encoding",
            before + raw.count(b"\n", 0, e.start) + 1,
        ) from None
    return LINE_END.sub("\n", text.rstrip("\r")) if "\r" in text else text
