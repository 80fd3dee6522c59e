"""Lines of 16, 25 or 49: whole small boards, or rows of one large board? The lines that follow tell, or nothing does.

    wide   how many cells a line has: the squares of the small layout, the values of the large one

A mark that only the large layout has tells that lines are rows; a value twice, that they are boards, as a row would
hold it once; fewer lines than a large board has rows, the same. Else the layout must be stated.
"""

from collections import deque
from collections.abc import Iterable, Iterator

from puzzles.layout import Layout
from puzzles.readers import marks
from puzzles.readers.source import Flaw
from puzzles.readers.typed import plain

Line = tuple[int, str]


class Ahead:
    """Numbered lines, with a look at those to come."""

    def __init__(self, lines: Iterator[Line]) -> None:
        self.lines = lines
        self.held: deque[Line] = deque()

    def __iter__(self) -> Iterator[Line]:
        while True:
            while self.held:
                yield self.held.popleft()
            for line in self.lines:
                yield line
                if self.held:
                    break
            else:
                return

    def later(self) -> Iterator[str]:
        """The lines to come, none of which is taken away; what is blank or a comment is passed over."""
        i = 0
        while True:
            if i == len(self.held):
                line = next(self.lines, None)
                if line is None:
                    return
                self.held.append(line)
            text = plain(self.held[i][1]).strip()
            if text.startswith("#:"):
                return
            if text and text[0] != "#":
                yield text
            i += 1


def are_rows(small: Layout, large: Layout, cells: marks.Cells, later: Iterable[str]) -> bool:
    """Whether lines as wide as `cells` are rows of the large layout, else boards of the small. Raises Flaw."""
    wide, alike = len(cells), 0
    while len(cells) == wide:
        try:
            masks = marks.domains(small, cells)
        except Flaw:
            return True
        known = [mask for mask in masks if mask & mask - 1 == 0]
        if len(set(known)) < len(known):
            return False
        alike += 1
        if alike == wide:
            raise Flaw(
                f"{wide} lines of {wide} may be rows of one board or a board each: state --as '{large.name}' for rows,"
                f" --as '{small.name}' for boards"
            )
        text = next(iter(later), None)
        if text is None or ":" in text:
            return False
        words = text.replace("|", " ").split()
        cells = words if isinstance(cells, list) else "".join(words)
    return False
