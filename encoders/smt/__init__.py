"""SMT-LIB scripts of problems of any kind, over integers or bit vectors, for solvers of satisfiability modulo theories.

Variable x of the problem is v0, v1, ... of the script; its other names are definitions, so a script has one model for
each solution.
"""

from encoders.formula import Constraints, Unsupported
from encoders.smt import expressions, kinds
from encoders.smt.script import Script as Script
from puzzles.constraints import by_kind
from puzzles.constraints.nvalues import NValues

TO_SMT = by_kind(vars(expressions), vars(kinds))
RANGES = TO_SMT.keys() - {NValues.kind}  # kinds whose variables may have wide domains


def script(form: Constraints, vectors: bool = False) -> Script:
    """Return the script of a problem, with the domains of its only instance if it has one. Raises Unsupported."""
    form = form.expressed(TO_SMT)
    if unknown := [kind for kind in form.kinds() if kind not in TO_SMT]:
        raise Unsupported(f"SMT-LIB scripts take no constraints of the kind {', '.join(unknown)}")
    made = Script(form, vectors)
    for constraint in form.constraints:
        TO_SMT[constraint.kind](made, constraint)
    return made
