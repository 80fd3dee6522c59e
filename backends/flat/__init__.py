"""Problems as flat programs, for solvers whose constraints take variables and numbers only. See `program.py`."""

from backends.flat.kinds import FLATTEN
from backends.flat.program import Limits, Program
from encoders.formula import AllDifferent, Constraints, Formula, Unsupported


def flatten(formula: Formula, limits: Limits) -> Program:
    """Return the flat program of a formula. Raises Unsupported for a kind, or numbers, that are not taken."""
    if isinstance(formula, AllDifferent):
        formula = formula.as_constraints()
    if not isinstance(formula, Constraints):
        raise Unsupported(f"{limits.solver} takes integers or constraints, not {type(formula).__name__}")
    if unknown := [kind for kind in formula.kinds() if kind not in FLATTEN]:
        raise Unsupported(f"{limits.solver} does not support {', '.join(unknown)}")
    program = Program(formula, limits)
    for constraint in formula.constraints:
        FLATTEN[constraint.kind](program, constraint)
    return program
