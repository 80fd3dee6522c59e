"""Small boards of every shape as the formula that native code takes, and the 9x9 board."""

from hypothesis import strategies as st

from backends.cases import NINE as NINE
from backends.cases import board
from encoders.direct import alldifferent
from encoders.formula import AllDifferent
from puzzles.layout import Domains
from tests.boards import one_board

FORMULA = alldifferent(NINE)


def boards() -> st.SearchStrategy[tuple[AllDifferent, Domains]]:
    """Up to six squares and four values, units that overlap, coincide, or are shorter or longer than the values."""
    return one_board().map(lambda case: (alldifferent(case[0]), case[1]))


def nine(line: str) -> Domains:
    """A 9x9 from its 81 characters."""
    assert len(line) == 81
    return board(NINE, line)
