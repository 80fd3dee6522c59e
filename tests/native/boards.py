"""Small boards of every shape, and what brute force finds on them."""

from itertools import product

from hypothesis import strategies as st

from encoders.formula import AllDifferent
from puzzles.families import layout
from puzzles.layout import Domains, Solution

NINE = layout("sudoku 3x3")
FORMULA = AllDifferent(81, 9, NINE.units)


@st.composite
def boards(draw: st.DrawFn) -> tuple[AllDifferent, Domains]:
    """Up to six squares and four values, units that overlap, coincide, or are shorter or longer than the values."""
    squares, values = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    unit = st.lists(st.integers(0, squares - 1), min_size=1, unique=True).map(tuple)
    units = tuple(draw(st.lists(unit, max_size=6)))
    domains = tuple(draw(st.integers(0, (1 << values) - 1)) for _ in range(squares))
    return AllDifferent(squares, values, units), domains


def brute(formula: AllDifferent, domains: Domains) -> set[Solution]:
    """Every solution, by trying everything."""
    choices = [[v for v in range(formula.values) if d >> v & 1] for d in domains]
    return {s for s in product(*choices) if all(len({s[q] for q in u}) == len(u) for u in formula.units)}


def nine(line: str) -> Domains:
    """A 9x9 from its 81 characters."""
    assert len(line) == 81
    return tuple(NINE.full if c == "." else 1 << int(c) - 1 for c in line)
