"""Drawings below a line that states their family, as `show` and `solve` print them.

    #: queens 4             each block of lines below is a board of this family
    . . . .
    . Q . .

Queens and magic squares are rows of squares. In a killer a part without a clue is no cage, and its squares are in none.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

from puzzles.boards import kinds as boards
from puzzles.readers.boards.lookahead import Line
from puzzles.readers.boards.notations import framed

KILLER = "killer"
DRAWN = ("magic", "queens", KILLER)


def family_of(raw: str) -> str:
    """Return the family and its size, where a `#:` line states one whose boards are drawn; else ''."""
    text = raw.strip().removeprefix("#:").strip()
    stated = raw.lstrip().startswith("#:") and text.partition(" ")[0] in {*DRAWN} & {*boards.names()}
    return text if stated else ""


def recognise(opening: Sequence[Line]) -> bool:
    """Return True if one of the first lines states the family of the boards below it."""
    return any(family_of(raw) for _, raw in opening)


def translate(lines: Iterator[Line]) -> Iterator[Line]:
    """Yield a line for each board, and blank lines for others. Raises ParseError."""
    family, block = "", list[Line]()
    for number, raw in lines:
        family = family_of(raw) or family
        if family.partition(" ")[0] == KILLER:
            rest = chain([(number, raw)], lines)
            yield from framed.translate(((at, "" if family_of(text) else text) for at, text in rest), loose=True)
        elif raw.strip() and raw.strip()[0] != "#":
            block.append((number, raw))
        else:
            yield from board_of(family, block)
            block = []
            yield number, "" if family_of(raw) else raw
    yield from board_of(family, block)


def board_of(family: str, block: Sequence[Line]) -> Iterator[Line]:
    """Yield the line of the board whose rows are a block of lines."""
    if block:
        yield block[0][0], f"{family} {' '.join(raw.strip() for _, raw in block)}"
