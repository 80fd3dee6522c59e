"""Labels beside a drawn board: each row's letters on the left, each column's number above, as squares are named.

canvas  lines of characters, each line with a brush for every character
marked  the same drawing with one character for each square, MARK + its index, at the middle of the square
"""

import re
from collections.abc import Sequence

from harness.showing.pencil import DIM, PLAIN, Canvas, Marks, assembled, pencil, pencil_size
from puzzles.boards.families import draw
from puzzles.boards.layout import Layout

MARK = 0xE000  # first private character
MOST = 0xF8FF - MARK  # private characters
NAME = re.compile(r"([A-Z]+)(\d+)")


def labelled(layout: Layout, canvas: Canvas, marked: Sequence[str]) -> Canvas:
    """Return the drawing with its labels; unchanged if the squares are not named by rows and columns."""
    names = [NAME.fullmatch(name) for name in layout.squares]
    if not canvas or len(names) > MOST or not all(names):
        return canvas
    at = {ord(c) - MARK: (k, i) for k, line in enumerate(marked) for i, c in enumerate(line) if ord(c) >= MARK}
    rows: dict[int, str] = {}  # by line
    columns: dict[str, int] = {}  # characters from the left, in the first row that has the column
    for s, name in enumerate(names):
        if name is None or s not in at:
            return canvas
        k, i = at[s]
        columns.setdefault(name[2], i)
        if rows.setdefault(k, name[1]) != name[1]:
            return canvas  # a line holds squares of two rows
    wide = max(map(len, rows.values()))
    head = heading(columns, wide + 1)
    lines = [(f"{rows.get(k, ''):<{wide}} {text}", DIM * (wide + 1) + brush) for k, (text, brush) in enumerate(canvas)]
    full = max(len(head), *(len(text) for text, _ in lines))
    return [(text.ljust(full), brush.ljust(full, PLAIN)) for text, brush in [(head, DIM * len(head)), *lines]]


def heading(columns: dict[str, int], indent: int) -> str:
    """Return the line of the columns' numbers, each in the middle of its column; a number without room is left out."""
    line = ""
    for number, i in sorted(columns.items(), key=lambda column: column[1]):
        start = indent + i - (len(number) - 1) // 2
        if start >= len(line) + bool(line.strip()):
            line = line.ljust(start) + number
    return line


def plain(text: str) -> Canvas:
    """Return a drawing without colours as a canvas."""
    return [(line, PLAIN * len(line)) for line in text.split("\n")]


def drawn(layout: Layout, texts: Sequence[str]) -> str:
    """Return a board drawn with the text of each square, and its labels."""
    marked = draw(layout, [mark(len(text), s) for s, text in enumerate(texts)])
    return "\n".join(line.rstrip() for line, _ in labelled(layout, plain(draw(layout, texts)), marked.split("\n")))


def penciled(layout: Layout, board: Sequence[int], marks: Marks) -> Canvas:
    """Draw a square board as pencil marks, with its labels."""
    wide, high = pencil_size(layout)
    blank = [(" " * wide, PLAIN * wide)]
    above, below = blank * (high // 2), blank * (high - high // 2 - 1)
    cells = [[*above, (mark(wide, s), PLAIN * wide), *below] for s in range(len(board))]
    return labelled(layout, pencil(layout, board, marks), [line for line, _ in assembled(layout, cells)])


def mark(wide: int, s: int) -> str:
    """Return blanks with the mark of square s in the middle."""
    return chr(MARK + s).center(max(wide, 1))
