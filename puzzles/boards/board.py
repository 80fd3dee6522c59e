"""Boards with sums or comparisons: problems of one puzzle each, with their drawing."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from puzzles.boards.drawing import Grid, draw_grid
from puzzles.constraints.all_different import AllDifferent
from puzzles.problem import Problem


@dataclass(frozen=True, eq=False)
class Board(Problem):
    """A problem whose variables are squares of a grid, such as a killer Sudoku."""

    grid: Grid

    def content(self) -> dict[str, Any]:
        return super().content() | {"grid": self.grid.data()}

    def draw(self, cells: Sequence[str]) -> str:
        """Draw the board, given one text per square."""
        return draw_grid(self.grid, cells, self.diagonals if self.grid.labels else {})

    @cached_property
    def diagonals(self) -> dict[int, str]:
        """Characters for squares of the main diagonals whose values must differ, by position; X where two meet."""
        n, marks = self.grid.width, dict[int, str]()
        if n < 2 or len(self.grid.squares) != n * n:
            return marks
        lines = {"\\": range(0, n * n, n + 1), "/": range(n - 1, n * n - 1, n - 1)}
        units = {unit for c in self.constraints if isinstance(c, AllDifferent) for unit in map(frozenset, c.units)}
        for mark, line in lines.items():
            if frozenset(self.grid.squares[p] for p in line) in units:
                marks |= {p: "X" if p in marks else mark for p in line}
        return marks

    @property
    def symbols(self) -> Sequence[str]:
        """Return the text of each value in a drawing."""
        return self.grid.symbols or self.values
