"""Jigsaws drawn with the walls of their regions, as `show` draws them.

+---+-------+       a square is three characters wide, blank where it is open; between two squares, and on the
| 1 | .   . |       lines between rows, stands a wall or nothing
|   +---+   |
"""

from collections.abc import Iterator, Sequence
from math import isqrt

from puzzles.boards.families.jigsaw import LETTERS
from puzzles.boards.regions import parted
from puzzles.errors import ParseError
from puzzles.readers.boards.lookahead import Line
from puzzles.readers.boards.notations.rows import one_by_one

PITCH = 4
MIN_ORDER, MAX_ORDER = 4, 16
UPRIGHT, LEVEL = "|", "-"
Drawing = tuple[str, str, int]  # regions, squares, number of lines


def recognise(opening: Sequence[str]) -> bool:
    """Return True if the first lines draw a jigsaw, whose regions are not the boxes of a Sudoku."""
    found = drawing(opening)
    return found is not None and not is_boxes(found[0])


def translate(lines: Iterator[Line]) -> Iterator[Line]:
    """Yield each puzzle as a line of jigsaw, at its first line. Raises ParseError."""
    return one_by_one(lines, puzzle)


def puzzle(texts: list[Line]) -> tuple[str, int]:
    """Return the line of the first puzzle, and its number of lines of text. Raises ParseError."""
    found = drawing([raw for _, raw in texts])
    if found is None:
        raise ParseError("expected a jigsaw drawn with walls: n regions of n squares", texts[0][0])
    regions, squares, used = found
    return f"jigsaw {regions} {squares}", used


def drawing(lines: Sequence[str]) -> Drawing | None:
    """Return the first board, or None if the lines draw none with n regions of n squares."""
    width = max((len(line.rstrip()) for line in lines[:2]), default=0)
    n = width // PITCH
    if not MIN_ORDER <= n <= MAX_ORDER:
        return None
    squares: list[str] = []
    walls = set[tuple[int, int]]()  # neighbours with a wall between them
    for count, line in enumerate(lines, 1):
        text = line.rstrip().ljust(PITCH * n + 1)
        cells = [text[PITCH * c + 1 : PITCH * (c + 1)].strip() for c in range(n)]
        is_row = text[0] == UPRIGHT and not any(LEVEL in cell for cell in cells)
        if len(text) > PITCH * n + 1 or (not is_row and not set("".join(cells)) <= {LEVEL}):
            return None
        if is_row:
            at = len(squares)
            walls |= {(at + c, at + c + 1) for c in range(n - 1) if text[PITCH * (c + 1)] == UPRIGHT}
            squares += [cell or "." for cell in cells]
            continue
        walls |= {(len(squares) - n + c, len(squares) + c) for c in range(n) if cells[c]}
        if len(squares) >= n * n:
            regions = regions_of(n, walls)
            whole = regions and len(squares) == n * n and all(len(square) == 1 for square in squares)
            return (regions, "".join(squares), count) if regions and whole else None
    return None


def regions_of(n: int, walls: set[tuple[int, int]]) -> str | None:
    """Return a letter for the region of each square, None unless there are n regions of n squares."""
    found = parted(n, n * n, walls)
    letters = dict(zip(dict.fromkeys(found), LETTERS, strict=False))
    return "".join(letters[region] for region in found) if all(found.count(r) == n for r in letters) else None


def is_boxes(regions: str) -> bool:
    """Return True if regions are rectangles in rows and columns of their own, as the boxes of a Sudoku are."""
    n = isqrt(len(regions))
    wide = regions[:n].count(regions[0])
    high = n // wide
    boxes = [s // n // high * n + s % n // wide for s in range(n * n)]
    return len(set(zip(regions, boxes, strict=True))) == n
