"""Problems as flat programs, for solvers whose constraints take variables and numbers only. See `program.py`."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from backends.flat.kinds import FLATTEN
from backends.flat.program import Limits, Program
from encoders.formula import Formula, constraints_of


def flatten(
    formula: Formula, limits: Limits, lower: Mapping[str, Callable[..., None]] = MappingProxyType({})
) -> Program:
    """Return the flat program of a formula; `lower` has what the solver lacks, of `lowering.py`.

    Raises Unsupported for a kind, or numbers, that are not taken.
    """
    form = constraints_of(formula, limits.solver, FLATTEN)
    program = Program(form, limits, lower)
    for constraint in form.constraints:
        FLATTEN[constraint.kind](program, constraint)
    return program
