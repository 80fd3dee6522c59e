"""Boards in strings of three quotes, as Python and TOML have them: what stands between the quotes is the board."""

import re
from collections.abc import Iterator, Sequence

from puzzles.errors import ParseError, brief
from puzzles.readers.boards.lookahead import Line

START = re.compile(r"(?:[\w.\[\]'\" ]+=)?[\s(\[]*[rRbBuU]?(\"\"\"|\'\'\')\\?")
BETWEEN = re.compile(r"[\s,;()\[\]]*|\s*[\w.\[\]'\" ]+=[\s(\[]*")


def recognise(opening: Sequence[str]) -> bool:
    """Return True if the first line, or the one after an open bracket, begins a string of three quotes."""
    first = opening[1:2] if opening and BETWEEN.fullmatch(opening[0]) else opening[:1]
    return any(START.match(line) for line in first)


def translate(lines: Iterator[Line]) -> Iterator[Line]:
    """Yield the lines of the strings, and blank lines for those between them. Raises ParseError."""
    quote, start = "", 0
    for number, raw in lines:
        text = raw.removeprefix("\ufeff")
        if not quote:
            match = START.match(text)
            if not match:
                if not BETWEEN.fullmatch(text) and text.lstrip()[:1] != "#":
                    raise ParseError(f"{brief(text)}: expected a board in three quotes, as the lines before it", number)
                yield number, ""
                continue
            quote, start, text = match[1], number, text[match.end() :]
        board, closed, rest = text.partition(quote)
        if closed and not BETWEEN.fullmatch(rest) and rest.lstrip()[:1] != "#":
            raise ParseError(f"{brief(rest)} after the quotes: write each board on lines of its own", number)
        quote = "" if closed else quote
        yield number, board
    if quote:
        raise ParseError("the string that starts here is not closed: is the file truncated?", start)
