"""The 9x9 Sudoku kernel for batches: no clock is read for each puzzle, and two searches take turns."""

from backends.native.sudoku.kernel9 import Session9, open_session
from encoders.formula import Formula


def open(formula: Formula) -> Session9:  # noqa: A001 - every variant's module has this name
    """Return a session on 9x9 Sudoku. Raises Unsupported on any other layout."""
    return open_session(formula, False, "native:batch")
