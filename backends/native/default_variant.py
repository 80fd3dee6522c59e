"""`native` without a variant: the fastest native solver that supports the layout; other problems by native:lazy."""

from dataclasses import replace
from importlib.util import find_spec

from backends.answer import Session
from backends.native import VERSION, compiled_version, python
from backends.native.sudoku9 import is_sudoku9
from encoders.formula import Constraints, Formula, Unsupported


def open(formula: Formula) -> Session:  # noqa: A001 - every variant's module has this name
    """Return a session whose `version` names the variant that runs."""
    if isinstance(formula, Constraints):
        return lazy_session(formula)
    if find_spec("numba") is None:
        version = f"{VERSION}, by native:python; pip install numba for the compiled kernels"
        return replace(python.open(formula), version=version)
    from backends.native import engine, kernel9

    if is_sudoku9(formula):
        return replace(kernel9.open(formula), version=f"{compiled_version()}, by native:kernel")
    if engine.fits(formula):
        return replace(engine.compiled(formula), version=f"{compiled_version()}, by native:engine")
    return replace(python.open(formula), version=f"{VERSION}, by native:python")


def lazy_session(formula: Constraints) -> Session:
    """Return a session of native:lazy. Raises Unsupported."""
    if find_spec("numba") is None:
        raise Unsupported("native solves problems other than boards only with numba: pip install numba")
    from backends.native import lazy

    return replace(lazy.open(formula), version=f"{compiled_version()}, by native:lazy")
