"""A contradiction drawn on its board: its givens alone, and the names of its units."""

from harness.explaining.members import Divided, divided
from harness.explaining.oracles import ByClauses
from harness.explaining.subsets import Subset, Undecided, minimal
from harness.showing.axes import drawn as drawn_board
from harness.showing.pencil import given_texts
from puzzles.boards.layout import Layout, Puzzle

SECONDS = 10.0


def drawn(known: Divided, subset: Subset) -> str:
    """Return the board with the givens of a subset alone; '' for what is no board of units."""
    if not isinstance(known.instance.problem, Layout):
        return ""
    return drawn_board(known.instance.problem, given_texts(known.make(subset)))


def contradiction(puzzle: Puzzle) -> list[str]:
    """Return givens and units of a board that contradict each other, minimal, in words; [] if it has a solution.

    Raises Undecided where that takes more than SECONDS.
    """
    known = divided(puzzle)
    oracle = ByClauses("glucose4", known, SECONDS)
    try:
        answer = oracle.ask(known.all)
        return [] if answer.satisfiable else [known.words[m] for m in sorted(minimal(oracle, answer.core))]
    finally:
        oracle.close()


__all__ = ["Undecided", "contradiction", "drawn"]
