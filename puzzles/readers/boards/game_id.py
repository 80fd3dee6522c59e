"""Game IDs of Solo in Simon Tatham's Portable Puzzle Collection: `3x3:4e8_2a...`, one per line.

    3x3      columns and rows of boxes: a box of 'sudoku 2x3' has 2 rows and 3 columns, and 2x3 is its ID's size
    4e8_2    after the colon: numbers, letters for 1 to 26 open squares, '_' between neighbouring numbers

IDs with '#' hold a seed of the program's generator instead of a board; `3x3x:` has diagonals; jigsaw and killer boards
are not read.
"""

import re
from collections.abc import Iterator, Sequence

from puzzles.errors import ParseError, brief
from puzzles.readers.boards.lookahead import Line

GAME_ID = re.compile(r"([0-9]{1,2})x([0-9]{1,2})([jxk]*)([a-z0-9]*)([:#])(\S*)")
TOKEN = re.compile(r"[a-z]|[0-9]+|_")
VARIANTS = {"j": "a jigsaw", "x": "a killer with diagonals", "k": "a killer"}


def recognise(opening: Sequence[str]) -> bool:
    """Return True if a file begins with a game ID."""
    return bool(opening) and GAME_ID.fullmatch(opening[0]) is not None


def translate(lines: Iterator[Line]) -> Iterator[Line]:
    """Yield each board on one line, after a `#:` line if its boxes are not square. Raises ParseError."""
    stated = False
    for number, raw in lines:
        text = raw.strip()
        if not text or text[0] == "#":
            yield number, raw
            continue
        match = GAME_ID.fullmatch(text)
        if not match:
            raise ParseError(f"{brief(text)} is no game ID of Solo: expected one such as '3x3:4e8_2...'", number)
        rows, columns = int(match[1]), int(match[2])
        cross = match[3] == "x"
        if match[3] and not cross:
            raise ParseError(f"{brief(text)} is {VARIANTS[match[3][0]]}, whose rules are not supported", number)
        if match[5] == "#":
            raise ParseError(f"{brief(text)} is a seed, not a board: copy the game ID, which has ':'", number)
        stated |= rows != columns or cross  # a `#:` line holds until the next one
        if stated:
            yield number, f"#: sudoku{'-x' * cross} {rows}x{columns}"
        yield number, " ".join(cells(match[6], (rows * columns) ** 2, number))


def cells(text: str, size: int, number: int) -> list[str]:
    """Return the words of the squares. Raises ParseError if there are not `size`."""
    found: list[str] = []
    if TOKEN.sub("", text):
        raise ParseError(f"{brief(text)}: a board of Solo has digits, letters and '_' alone", number)
    for token in TOKEN.findall(text):
        if token.isdigit():
            found.append(token)
        elif token != "_":
            found += "." * (ord(token) - ord("a") + 1)
    if len(found) != size:
        raise ParseError(f"{brief(text)} states {len(found)} squares, not {size}", number)
    return found
