"""Recognition of 9x9 Sudoku, the only layout of the kernels. Does not need Numba."""

from itertools import product

from encoders.formula import AllDifferent, Formula

SUDOKU9_ONLY = "takes 9x9 Sudoku only: use native, which takes any layout"
SPAN, THREE = range(9), range(3)
UNITS = frozenset(
    [frozenset(9 * r + c for c in SPAN) for r in SPAN]
    + [frozenset(9 * r + c for r in SPAN) for c in SPAN]
    + [frozenset(27 * b + 9 * r + 3 * s + c for r, c in product(THREE, THREE)) for b, s in product(THREE, THREE)]
)


def is_sudoku9(formula: Formula) -> bool:
    """Return True if the units are those of 9x9 Sudoku, in any order."""
    return (
        isinstance(formula, AllDifferent)
        and (formula.squares, formula.values) == (81, 9)
        and frozenset(map(frozenset, formula.units)) == UNITS
    )
