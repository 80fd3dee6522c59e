"""Grid of characters on which the terminal's plots are drawn, with axes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from harness.reporting.statistics.estimates import Floats
from harness.reporting.writing.printable import writable
from puzzles.problem.arrays import Int64Array

Label = tuple[float, str]  # position from 0 to 1, and text
DOTS = np.array([[0x40, 0x80], [0x04, 0x20], [0x02, 0x10], [0x01, 0x08]])  # bits of a braille character, from below
BRAILLE = 0x2800


@dataclass(frozen=True)
class Charset:
    """Characters of frames and bars; `dots` is true if braille can be written."""

    side: str
    below: str
    corner: str
    bar: str
    eighths: str
    limit: str
    dots: bool


UNICODE = Charset("│", "─", "└", "█", " ▏▎▍▌▋▊▉", "┄", True)
ASCII = Charset("|", "-", "+", "#", " ", "-", False)


def charset() -> Charset:
    """Return the characters that standard output can write."""
    needed = (
        UNICODE.side + UNICODE.below + UNICODE.corner + UNICODE.bar + UNICODE.eighths + UNICODE.limit + chr(BRAILLE)
    )
    return UNICODE if writable(needed) else ASCII


class Canvas:
    """Characters by row, from the top, and column; positions are from 0 to 1, from the lower left."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.rows = [[" "] * width for _ in range(height)]

    def put(self, u: float, v: float, character: str) -> None:
        """Write a character at a position."""
        self.rows[self.height - 1 - cell(v, self.height)][cell(u, self.width)] = character

    def dots(self, u: Floats, v: Floats) -> None:
        """Draw points as braille dots, eight to a character."""
        x, y = cells(u, 2 * self.width), cells(v, 4 * self.height)
        grid = np.zeros((self.height, self.width), np.int64)
        np.bitwise_or.at(grid, (self.height - 1 - y // 4, x // 2), DOTS[y % 4, x % 2])
        for row, column in np.argwhere(grid):
            self.rows[row][column] = chr(BRAILLE + grid[row, column])

    def heaps(self, u: Floats, v: Floats) -> None:
        """Draw the number of points in each cell by one of three characters: 1, up to 9, more."""
        grid = np.zeros((self.height, self.width), np.int64)
        np.add.at(grid, (self.height - 1 - cells(v, self.height), cells(u, self.width)), 1)
        for row, column in np.argwhere(grid):
            self.rows[row][column] = ".o@"[int(grid[row, column] > 1) + int(grid[row, column] > 9)]


def cells(places: Floats, size: int) -> Int64Array:
    """Return the cells of positions, on an axis of `size` cells."""
    return np.clip(np.floor(places * size), 0, size - 1).astype(np.int64)


def cell(place: float, size: int) -> int:
    return int(cells(np.array(place), size))


def framed(canvas: Canvas, chars: Charset, left: Sequence[Label], below: Sequence[Label]) -> list[str]:
    """Return the lines of a canvas with its axes and their labels."""
    gutter = max((len(text) for _, text in left), default=0)
    texts = {canvas.height - 1 - cell(place, canvas.height): text for place, text in left}
    lines = [f"{texts.get(i, ''):>{gutter}} {chars.side}{''.join(row)}".rstrip() for i, row in enumerate(canvas.rows)]
    lines.append(f"{'':{gutter}} {chars.corner}{chars.below * canvas.width}")
    ticks = [" "] * (canvas.width + 1)
    taken = -2
    for place, text in below:
        start = max(0, min(cell(place, canvas.width) + 1 - len(text) // 2, len(ticks) - len(text)))
        if start > taken + 1:
            ticks[start : start + len(text)] = text
            taken = start + len(text)
    return [*lines, f"{'':{gutter}} {''.join(ticks)}".rstrip()]
