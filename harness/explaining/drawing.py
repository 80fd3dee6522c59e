"""A contradiction drawn on its board: its givens alone."""

from harness.explaining.members import Divided
from harness.explaining.subsets import Subset
from harness.showing.axes import drawn as drawn_board
from harness.showing.pencil import given_texts
from puzzles.boards.layout import Layout


def drawn(known: Divided, subset: Subset) -> str:
    """Return the board with the givens of a subset alone; '' for what is no board of units."""
    if not isinstance(known.instance.problem, Layout):
        return ""
    return drawn_board(known.instance.problem, given_texts(known.make(subset)))
