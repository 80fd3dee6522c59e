"""Jigsaws with their map of regions beside the board: two words in each row, of digits or letters.

    3.......4 112223333
    ...

Each is translated to the board, and the map below it.
"""

from collections.abc import Iterator, Sequence

from puzzles.errors import ParseError
from puzzles.readers.boards.lookahead import Line
from puzzles.readers.boards.normalise import normalise
from puzzles.readers.boards.region_maps import is_map_text

MIN_ORDER = 4


def columns(lines: Sequence[str]) -> tuple[str, str]:
    """Return the two boards in lines of two words, ('', '') unless there are as many lines as letters of a word."""
    words = [line.replace("|", " ").split() for line in lines]
    n = len(lines)
    if n < MIN_ORDER or any(len(row) != 2 or len(row[0]) != n or len(row[1]) != n for row in words):
        return "", ""
    return "".join(row[0] for row in words), "".join(row[1] for row in words)


def recognise(opening: Sequence[str]) -> bool:
    """Return True if the first lines are a board and a map beside it."""
    n = len(opening[0].split()[0]) if opening and opening[0].split() else 0
    return any(map(is_map_text, columns(opening[:n])))


def translate(lines: Iterator[Line]) -> Iterator[Line]:
    """Yield the rows of the left boards, then those of the right ones; blank lines and comments stay."""
    held: list[Line] = []
    for number, raw in lines:
        text = normalise(raw).strip()
        if not text or text[0] == "#":
            yield number, raw
            continue
        held.append((number, text))
        n = len(held[0][1].split()[0])
        if len(held) == n:
            if not any(map(is_map_text, columns([line for _, line in held]))):
                raise ParseError("expected a board and a map of its regions beside it, as above", held[0][0])
            for side in (0, 1):
                yield from ((at, line.replace("|", " ").split()[side]) for at, line in held)
            held = []
    if held:
        raise ParseError("the board that starts here is not complete: is the file truncated?", held[0][0])
