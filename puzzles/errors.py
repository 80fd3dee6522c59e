"""Errors of a user's input, which the command line prints as one line."""

import os
from pathlib import Path


class BadInput(ValueError):
    """User input that can't be read. The text is one line: FILE:LINE or FILE:LINE:COLUMN, and the expected input."""


class MissingPackage(BadInput):
    """A package that reads files of a format is not installed. The text names a file and the package."""


class BadLayout(ValueError):
    """Parameters are invalid for a family; the text says which are expected."""


class ParseError(ValueError):
    """An error in input, before its file is known.

    `line` is set unless it is the current line; `column`, from 1, if it is known; `cell` is an index in a board.
    """

    def __init__(self, why: str, line: int | None = None, column: int = 0, cell: int | None = None) -> None:
        super().__init__(why)
        self.line = line
        self.column = column
        self.cell = cell


def brief(text: str) -> str:
    """Quote text for a message: on one line, control characters escaped, about 40 characters at most."""
    return repr(text) if len(text) <= 40 else f"{text[:37]!r}..."


def plural(n: int, word: str) -> str:
    """Return a number with its noun: 1 file, 2,000 files."""
    return f"{n:,} {word}{'' if n == 1 else 's'}"


def printable_path(path: Path | str) -> str:
    """Return a path as text that can always be encoded: bytes outside UTF-8 become \\xNN, so names stay distinct."""
    text = os.fspath(path)
    return text if text.isascii() else os.fsencode(text).decode(errors="backslashreplace")
