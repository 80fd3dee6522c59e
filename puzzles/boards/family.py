"""A family of layouts, and what the families share: symbols, symmetries of square boards, drawings in rows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import isqrt
from random import Random

from puzzles.boards.layout import Layout
from puzzles.errors import BadLayout


@dataclass(frozen=True)
class Family:
    """A family of layouts: its name, usage and functions.

    build     parameters ('2x3') and an alphabet, if stated -> layout; raises BadLayout
    guess     number of squares -> parameters if the size determines them, else None
    draw      layout, one text per square -> a drawing of the board, several lines
    symmetry  layout, a seeded Random -> image of each square under a random symmetry of the units
    """

    name: str
    usage: str
    build: Callable[[str, str | None], Layout]
    guess: Callable[[int], str | None]
    draw: Callable[[Layout, Sequence[str]], str]
    symmetry: Callable[[Layout, Random], tuple[int, ...]]


def no_size(squares: int) -> str | None:
    """Guess nothing: the `guess` of a family whose parameters do not follow from a number of squares."""
    return None


def turned(layout: Layout, random: Random) -> tuple[int, ...]:
    """Return a random rotation or reflection that keeps the units: `symmetry` of a family without others."""
    return random.choice(dihedral(layout))


def symbols(count: int, alphabet: str | None) -> tuple[str, ...]:
    """Return one symbol per value: the alphabet, or digits from 1 then letters, or numbers past 35."""
    if alphabet is not None:
        if len(alphabet) != count or len(set(alphabet)) != count or not alphabet.isalnum():
            raise BadLayout(f"alphabet {alphabet!r} needs {count} different letters or digits")
        return tuple(alphabet)
    if count <= 9:
        return tuple(str(v) for v in range(1, count + 1))
    if count <= 35:
        return tuple("123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:count])
    return tuple(str(v) for v in range(1, count + 1))


def dihedral(layout: Layout) -> list[tuple[int, ...]]:
    """Return the rotations and reflections of a square board that map its units onto units, the identity first."""
    n = isqrt(len(layout.squares))
    images = []
    for flip, up, left in product((False, True), repeat=3):
        ends = [(n - 1 - r if up else r, n - 1 - c if left else c) for r, c in product(range(n), range(n))]
        images.append(tuple(c * n + r if flip else r * n + c for r, c in ends))
    units = set(map(frozenset, layout.units))
    return [image for image in images if {frozenset(image[s] for s in unit) for unit in units} == units]


def columns(cells: Sequence[str], width: int, every: tuple[int, int] = (0, 0)) -> str:
    """Format cells in rows of `width`, columns aligned, with rules after `every` rows, columns (0: none)."""
    if set(map(len, cells)) == {1} and " " not in cells:  # as on most boards, of which there may be thousands
        return form(len(cells), width, every) % tuple(cells)
    return aligned(cells, width, every)


@cache
def form(size: int, width: int, every: tuple[int, int]) -> str:
    """Return the drawing of `size` cells of one character, with %s in the place of each cell."""
    return aligned("\0" * size, width, every).replace("\0", "%s")


def aligned(cells: Sequence[str], width: int, every: tuple[int, int]) -> str:
    """Format cells of any length as `columns` does."""
    box_rows, box_columns = every
    step = box_columns or max(width, 1)
    wide = [max(map(len, cells[c::width]), default=0) for c in range(width)]
    rule = "-+-".join("-" * (sum(wide[c : c + step]) + len(wide[c : c + step]) - 1) for c in range(0, width, step))
    lines = []
    for r in range(0, len(cells), width):
        if box_rows and r and r // width % box_rows == 0:
            lines.append(rule)
        row = [cell.center(w) for cell, w in zip(cells[r : r + width], wide, strict=False)]
        lines.append(" | ".join(" ".join(row[c : c + step]) for c in range(0, len(row), step)).rstrip())
    return "\n".join(lines)
