"""Latin squares of order n: rows and columns of n squares, n values, no boxes."""

import re
from collections.abc import Sequence
from itertools import product
from math import isqrt
from random import Random

from puzzles.boards.families.sudoku import row_name
from puzzles.boards.family import Family, columns, symbols
from puzzles.boards.layout import Layout
from puzzles.errors import BadLayout

MAX_ORDER = 100


def build(parameters: str, alphabet: str | None) -> Layout:
    if not re.fullmatch(r"[0-9]{1,3}", parameters) or not 1 <= int(parameters) <= MAX_ORDER:
        raise BadLayout(f"latin {parameters!r}: state the order, such as 'latin 5', up to {MAX_ORDER}")
    n = int(parameters)
    span = range(n)
    rows = [tuple(r * n + c for c in span) for r in span]
    cols = [tuple(r * n + c for r in span) for c in span]
    names = tuple(f"{row_name(r)}{c + 1}" for r, c in product(span, span))
    return Layout(f"latin {n}", names, symbols(n, alphabet), tuple(dict.fromkeys(rows + cols)))


def guess(squares: int) -> str | None:
    """Guess prime orders only; other orders, such as 6 or 12, may also be a Sudoku with boxes."""
    n = isqrt(squares)
    prime = 1 < n <= MAX_ORDER and all(n % k for k in range(2, isqrt(n) + 1))
    return str(n) if n * n == squares and prime else None


def draw(layout: Layout, cells: Sequence[str]) -> str:
    return columns(cells, isqrt(len(layout.squares)))


def symmetry(layout: Layout, random: Random) -> tuple[int, ...]:
    """Return a random permutation of rows and of columns, and possibly the transpose."""
    n = isqrt(len(layout.squares))
    row_of, column_of = random.sample(range(n), n), random.sample(range(n), n)
    flip = random.random() < 0.5
    return tuple(
        row_of[c] * n + column_of[r] if flip else row_of[r] * n + column_of[c] for r, c in product(range(n), range(n))
    )


FAMILY = Family("latin", "latin ORDER", build, guess, draw, symmetry)
