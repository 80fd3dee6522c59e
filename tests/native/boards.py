"""Small boards of every shape as AllDifferent formulas, and 9x9 boards."""

from hypothesis import strategies as st

from backends.contract.cases import NINE as NINE
from backends.contract.cases import board
from encoders.direct import alldifferent
from encoders.formula import AllDifferent
from puzzles.problem.values import Domains
from tests.boards import one_board

FORMULA = alldifferent(NINE)


def boards() -> st.SearchStrategy[tuple[AllDifferent, Domains]]:
    """Up to six squares and four values; units overlap, coincide, are shorter or longer than the values."""
    return one_board().map(lambda case: (alldifferent(case[0]), case[1]))


def nine(line: str) -> Domains:
    """Return the domains of a 9x9 board from its 81 characters."""
    assert len(line) == 81
    return board(NINE, line)
