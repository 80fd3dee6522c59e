"""Decide if lines of 16, 25 or 49 cells are whole small boards or rows of one large board.

The lines that follow decide, or the layout must be stated.

    width   number of cells in a line: the squares of the small layout, the values of the large one

A mark that only the large layout has means rows. A repeated value means boards, since a row holds each value once, and
so do fewer lines than the large board has rows.
"""

from collections.abc import Iterable

from puzzles.boards.layout import Layout
from puzzles.errors import ParseError
from puzzles.readers.boards import marks


def are_rows(small: Layout, large: Layout, cells: marks.Cells, following: Iterable[str]) -> bool:
    """Return True if lines as wide as `cells` are rows of `large`, else False. Raises ParseError."""
    width, checked = len(cells), 0
    while len(cells) == width:
        try:
            masks = marks.domains(small, cells)
        except ParseError:
            return True
        known = [mask for mask in masks if mask & mask - 1 == 0]
        if len(set(known)) < len(known):
            return False
        checked += 1
        if checked == width:
            raise ParseError(
                f"{width} lines of {width} may be rows of one board or one board each:"
                f" state --as '{large.name}' for rows, --as '{small.name}' for boards"
            )
        text = next(iter(following), None)
        if text is None or ":" in text:
            return False
        words = text.replace("|", " ").split()
        cells = words if isinstance(cells, list) else "".join(words)
    return False
