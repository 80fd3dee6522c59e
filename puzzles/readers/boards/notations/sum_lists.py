"""Killer Sudoku as a list in a program: the sum of each cage, and the rows and columns of its squares, from 0 or 1.

problem = [[3, [[1, 1], [1, 2]]],
           [15, [[1, 3], [1, 4], [1, 5]]], ...]
"""

import re
from collections.abc import Iterator, Sequence
from math import isqrt

from puzzles.errors import ParseError
from puzzles.readers.boards import arrays
from puzzles.readers.boards.arrays import Array, Items
from puzzles.readers.boards.lookahead import Line
from puzzles.readers.boards.notations.rows import cage_line, held

START = re.compile(r"[^\[({]*[\[({]\s*[\[({]\s*[0-9]+\s*,\s*[\[({]\s*[\[({]\s*[0-9]+\s*,\s*[0-9]+\s*[\])}]")


def recognise(opening: Sequence[str]) -> bool:
    """Return True if the first lines begin a list of cages."""
    return START.match(" ".join(opening[:4])) is not None


def translate(lines: Iterator[Line]) -> Iterator[Line]:
    """Yield each puzzle as a line of killer, at the line on which its list begins. Raises ParseError."""
    return arrays.translate(held(lines), killer)


def killer(array: Array, line: int) -> Iterator[Line]:
    """Yield the line of a list of cages. Raises ParseError."""
    cages = [cage_of(item, line) for item in array]
    first, last = (f(x for _, squares in cages for square in squares for x in square) for f in (min, max))
    n = last - first + 1
    if first > 1 or isqrt(n) ** 2 != n:
        raise ParseError(f"rows and columns from {first} to {last}: a killer has 4, 9 or 16, from 0 or 1", line)
    mark: dict[int, int] = {}
    for cage, (_, squares) in enumerate(cages):
        for r, c in squares:
            if mark.setdefault((r - first) * n + c - first, cage) != cage:
                raise ParseError(f"the square of row {r} and column {c} is in two cages", line)
    clues = [f"{k}={total}" for k, (total, _) in enumerate(cages)]
    yield line, cage_line(f"killer {isqrt(n)}x{isqrt(n)}", (mark.get(s, ".") for s in range(n * n)), clues)


def cage_of(item: Array, line: int) -> tuple[int, list[tuple[int, int]]]:
    """Return the sum and the squares of a cage. Raises ParseError."""
    at = item.line if isinstance(item, Items) else line
    total, squares = item if isinstance(item, Items) and len(item) == 2 else ("", "")
    pairs = [tuple(int(str(x)) for x in pair) for pair in squares if len(pair) == 2 and all(map(is_number, pair))]
    if not is_number(total) or not pairs or len(pairs) != len(squares):
        raise ParseError("expected a cage such as [3, [[1, 1], [1, 2]]]: its sum, and the rows and columns", at)
    return int(str(total)), [(r, c) for r, c in pairs]


def is_number(item: Array) -> bool:
    """Return True for a natural number."""
    return isinstance(item, str) and item.isdecimal() and len(item) < 10
