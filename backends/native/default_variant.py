"""`native` without a variant: the fastest native solver that supports the board, or the constraints."""

from dataclasses import replace
from importlib.util import find_spec

from backends.answer import Session
from backends.native import VERSION, compiled_version, python
from backends.native.sudoku9 import is_sudoku9
from encoders.formula import Constraints, Formula


def open(formula: Formula) -> Session:  # noqa: A001 - every variant's module has this name
    """Return a session whose `version` names the variant that runs. Raises Unsupported."""
    if not find_spec("numba"):
        hint = "; pip install numba for the compiled kernels"
        return replace(python.open(formula), version=f"{VERSION}, by native:python{hint}")
    if isinstance(formula, Constraints):
        from backends.native.lazy import session as lazy

        if not lazy.lacking(formula):
            return replace(lazy.open(formula), version=f"{compiled_version()}, by native:lazy")
    elif is_sudoku9(formula):
        from backends.native import kernel9

        return replace(kernel9.open(formula), version=f"{compiled_version()}, by native:kernel")
    else:
        from backends.native.engine import session as engine

        if engine.fits(formula):
            return replace(engine.compiled(formula), version=f"{compiled_version()}, by native:engine")
    return replace(python.open(formula), version=f"{VERSION}, by native:python")
