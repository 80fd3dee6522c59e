"""The rows read so far of a board that is written one line per row."""

from dataclasses import dataclass, field

from puzzles.boards.layout import Layout
from puzzles.readers.boards import marks
from puzzles.readers.boards.lookahead import Lookahead
from puzzles.readers.boards.sizes import MIN_GUESSED_SQUARES


@dataclass
class BoardRows:
    """The rows read so far of a board, and the lines that follow.

    choice  width -> True if lines of that width are rows, False if they are whole boards
    part    rows between blank lines, 0 before the first blank line of the board
    since   rows since the last blank line
    """

    layout: Layout | None = None
    n: int = 0
    rows: list[marks.Cells] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    choice: dict[int, bool] = field(default_factory=dict)
    lookahead: Lookahead = field(default_factory=lambda: Lookahead(iter(())))
    part: int = 0
    since: int = 0

    def add(self, layout: Layout, cells: marks.Cells, number: int) -> None:
        """Add a row. Raises ParseError if a blank line is missing before it."""
        if not self.rows:
            self.layout, self.n, self.lines = layout, len(cells), []
        elif self.part and self.since == self.part:
            self.require_complete(
                f", and blank lines after every {self.part} rows so far, but none before line {number}"
            )
        self.rows.append(cells)
        self.lines.append(number)
        self.since += 1

    def blank(self) -> None:
        """Note a blank line or comment. Raises ParseError unless blank lines divide the board into equal bands."""
        if not self.rows or not self.since:
            return
        if self.since == 1 or self.n % self.since or self.part not in (0, self.since):
            self.require_complete()
        self.part, self.since = self.since, 0

    def require_complete(self, context: str = "") -> None:
        """Raise ParseError, at the first line of the board, if rows are missing."""
        if not self.rows:
            return
        k = round(self.n**0.5)
        if len(self.rows) == 1 and not context and abs(k * k - self.n) == 1 and self.n >= MIN_GUESSED_SQUARES - 1:
            length = f"{self.n} {'characters' if isinstance(self.rows[0], str) else 'squares'}"
            raise marks.NotRows(
                f"{length}: a {k}x{k} board has {k * k} on one line; if this is a row, {self.n} of them are needed",
                self.lines[0],
            )
        rows = f"{len(self.rows)} row{'s' * (len(self.rows) != 1)} of {self.n}"
        raise marks.NotRows(f"the board that starts here has {rows} and needs {self.n}{context}", self.lines[0])

    def texts(self) -> list[str]:
        """Return the marks of each row."""
        return ["".join(row) for row in self.rows]

    def take_cells(self) -> marks.Cells:
        """Remove all rows and return their cells."""
        rows, self.rows = self.rows, []
        self.part, self.since = 0, 0
        if any(isinstance(row, list) for row in rows):
            return [cell for row in rows for cell in row]
        return "".join(row for row in rows if isinstance(row, str))
