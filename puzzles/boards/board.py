"""Boards with sums or comparisons: problems of one puzzle each, with their drawing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from puzzles.boards.drawing import Grid, draw_grid
from puzzles.problem import Problem


@dataclass(frozen=True, eq=False)
class Board(Problem):
    """A problem whose variables are squares of a grid, such as a killer Sudoku."""

    grid: Grid

    def content(self) -> dict[str, Any]:
        return super().content() | {"grid": self.grid.data()}

    def draw(self, cells: Sequence[str]) -> str:
        """Draw the board, given one text per square."""
        return draw_grid(self.grid, cells)

    @property
    def symbols(self) -> Sequence[str]:
        """Return the text of each value in a drawing."""
        return self.grid.symbols or self.values
