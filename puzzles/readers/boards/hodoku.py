"""HoDoKu's library lines: `:TECHNIQUE:CANDIDATES:GIVENS:DELETED:ELIMINATIONS:COMMENT`, the board in the fourth field.

A square that was solved, not given, has '+' before its value; it is read as a given. Candidates that the line deletes
follow from the puzzle, and are ignored.
"""

import re
from collections.abc import Iterator, Sequence

from puzzles.errors import ParseError, brief
from puzzles.readers.boards.lookahead import Line

LIBRARY_LINE = re.compile(r":\w{4,6}(?:-\w+)?:[^:]*:([^:]*)(?::.*)?")


def recognise(opening: Sequence[str]) -> bool:
    """Return True if a file begins with a library line."""
    return bool(opening) and LIBRARY_LINE.fullmatch(opening[0]) is not None


def translate(lines: Iterator[Line]) -> Iterator[Line]:
    """Yield each board on one line; blank lines and comments stay. Raises ParseError."""
    for number, raw in lines:
        text = raw.strip()
        match = LIBRARY_LINE.fullmatch(text)
        if text and text[0] != "#" and not match:
            raise ParseError(f"{brief(text)} is no library line of HoDoKu: expected ':0000:1:BOARD:...'", number)
        disabled = text[:1] == "#" and LIBRARY_LINE.fullmatch(text[1:])  # not a directive, although it begins with '#:'
        yield number, match[1].replace("+", "") if match else "" if disabled else raw
