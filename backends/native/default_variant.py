"""`native` without a variant: the fastest native solver that supports the board, or the constraints."""

from dataclasses import replace
from importlib.util import find_spec

from backends.answer import Session
from backends.native import VERSION, compiled_version, python
from backends.native.sudoku9 import is_sudoku9
from encoders.formula import Constraints, Formula


def open(formula: Formula) -> Session:  # noqa: A001 - every variant's module has this name
    """Return a session whose `version` names the variant that runs."""
    if isinstance(formula, Constraints):
        return of_constraints(formula)
    if find_spec("numba") is None:
        version = f"{VERSION}, by native:python; pip install numba for the compiled kernels"
        return replace(python.open(formula), version=version)
    from backends.native import kernel9
    from backends.native.engine import session as engine

    if is_sudoku9(formula):
        return replace(kernel9.open(formula), version=f"{compiled_version()}, by native:kernel")
    if engine.fits(formula):
        return replace(engine.compiled(formula), version=f"{compiled_version()}, by native:engine")
    return replace(python.open(formula), version=f"{VERSION}, by native:python")


def of_constraints(formula: Constraints) -> Session:
    """Return a session of native:lazy if it takes the constraints, else of native:python. Raises Unsupported."""
    if find_spec("numba") is not None:
        from backends.native.lazy import session as lazy

        if not lazy.lacking(formula):
            return replace(lazy.open(formula), version=f"{compiled_version()}, by native:lazy")
    return replace(python.open(formula), version=f"{VERSION}, by native:python")
