"""Sudoku of any box shape: rows, columns and boxes of n = R*C squares, n values; squares A1 to I9."""

import re
from collections.abc import Sequence
from itertools import product
from math import isqrt
from random import Random

from puzzles.boards.family import Family, columns, symbols
from puzzles.boards.layout import Layout
from puzzles.errors import BadLayout

MAX_BOX_SIDE = 8  # boxes up to 8x8: 4,096 squares, 64 values


def parse_box(parameters: str, family: str = "sudoku") -> tuple[int, int]:
    """Parse rows and columns of a family's box: '2x3' -> (2, 3), '' -> (3, 3). Raises BadLayout."""
    match = re.fullmatch(r"([0-9]{1,2})x([0-9]{1,2})", parameters or "3x3")
    if not match or not all(1 <= int(g) <= MAX_BOX_SIDE for g in match.groups()):
        root = isqrt(int(match[1])) if match and match[1] == match[2] else 0
        suggestion = (
            f"; a {match[0]} board is '{family} {root}x{root}'"
            if match and root > 1 and root**2 == int(match[1])
            else ""
        )
        raise BadLayout(
            f"{family} {parameters!r}: a box is ROWSxCOLUMNS, such as '{family} 2x3', up to 8x8{suggestion}"
        )
    return int(match[1]), int(match[2])


def row_name(r: int) -> str:
    """Return the name of a row: A..Z, then AA, AB, ..."""
    return chr(65 + r) if r < 26 else row_name(r // 26 - 1) + chr(65 + r % 26)


def build(parameters: str, alphabet: str | None) -> Layout:
    rows, cols = parse_box(parameters)
    n = rows * cols
    span = range(n)
    row_units = [tuple(r * n + c for c in span) for r in span]
    column_units = [tuple(r * n + c for r in span) for c in span]
    boxes = [
        tuple(r * n + c for r, c in product(range(top, top + rows), range(left, left + cols)))
        for top, left in product(range(0, n, rows), range(0, n, cols))
    ]
    units = tuple(dict.fromkeys(row_units + column_units + boxes))
    names = tuple(f"{row_name(r)}{c + 1}" for r, c in product(span, span))
    return Layout(f"sudoku {rows}x{cols}", names, symbols(n, alphabet), units)


def guess(squares: int) -> str | None:
    """Guess square boxes from the size: 16, 81, 256, up to 4096 squares."""
    root = isqrt(isqrt(squares))
    return f"{root}x{root}" if 2 <= root <= MAX_BOX_SIDE and root**4 == squares else None


def draw(layout: Layout, cells: Sequence[str]) -> str:
    rows, cols = parse_box(layout.name.split()[1])
    return columns(cells, rows * cols, (rows, cols))


def symmetry(layout: Layout, random: Random) -> tuple[int, ...]:
    """Permute bands, rows in a band, stacks, columns in a stack; transpose only if boxes are square."""
    rows, cols = parse_box(layout.name.split()[1])
    n = rows * cols

    def lines(group: int, groups: int) -> list[int]:
        order = random.sample(range(groups), groups)
        return [g * group + i for g in order for i in random.sample(range(group), group)]

    row_of, column_of = lines(rows, cols), lines(cols, rows)
    flip = rows == cols and random.random() < 0.5
    image = ((row_of[c], column_of[r]) if flip else (row_of[r], column_of[c]) for r, c in product(range(n), range(n)))
    return tuple(r * n + c for r, c in image)


FAMILY = Family("sudoku", "sudoku ROWSxCOLUMNS (of a box; 3x3 if left out)", build, guess, draw, symmetry)
