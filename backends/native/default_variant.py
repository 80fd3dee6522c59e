"""`native` without a variant: the fastest native solver that supports the board, or the constraints.

The version of `native` names no variant: the layout decides which variant runs, and layouts of one run may differ.
"""

from contextlib import suppress
from importlib.util import find_spec

from backends.contract.answer import Session
from backends.native import python
from backends.native.sudoku.sudoku9 import is_sudoku9
from encoders.formula import Constraints, Formula, Unsupported


def open(formula: Formula) -> Session:  # noqa: A001 - every variant's module has this name
    """Return a session of the fastest variant. Raises Unsupported."""
    if not find_spec("numba"):
        return python.open(formula)
    if isinstance(formula, Constraints):
        from backends.native.lazy import session as lazy

        with suppress(Unsupported):
            return lazy.open(formula)
    elif is_sudoku9(formula):
        from backends.native.sudoku import kernel9

        return kernel9.open(formula)
    else:
        from backends.native.engine import session as engine

        return engine.open(formula)
    return python.open(formula)
