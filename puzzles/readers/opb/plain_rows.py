"""Plain rows of large OPB files, read by a compiled loop into columns."""

import numpy as np

from puzzles.constraints.linear import Linear
from puzzles.readers.compiled.growing import Growing
from puzzles.readers.compiled.loading import Loop
from puzzles.readers.opb.sums import MAX_VARIABLES

SHORTEST_TERM = 5  # bytes of `1 x1 `; a row has more


class PlainRows:
    """Rows so far, as in Linear."""

    def __init__(self) -> None:
        self.starts, self.coefficients, self.variables = Growing(np.int64), Growing(np.int64), Growing(np.int32)
        self.comparisons, self.bounds = Growing(np.uint8), Growing(np.int64)
        self.starts.append(np.zeros(1, np.int64))

    def __len__(self) -> int:
        return self.bounds.used

    def scan(self, loop: Loop, text: bytes, at: int) -> tuple[int, int, int]:
        """Read plain rows from a place in a text on; return where they end, and the numbers of rows and of lines."""
        most, counts, before = (len(text) - at) // SHORTEST_TERM + 1, np.empty(3, np.int64), self.starts.used
        targets = [self.coefficients, self.variables, self.starts, self.comparisons, self.bounds]
        end = loop(text, at, len(text), MAX_VARIABLES, *(part.room(most) for part in targets), counts.ctypes.data)
        rows, terms, lines = counts.tolist()
        for part, size in zip(targets, (terms, terms, rows, rows, rows), strict=True):
            part.used += size
        self.starts.array[before : self.starts.used] += self.variables.used - terms
        return end, rows, lines

    def rows(self) -> Linear:
        """Return the rows; none are added after that."""
        parts = (self.starts, self.variables, self.coefficients, self.comparisons, self.bounds)
        return Linear(*(part.whole() for part in parts))
