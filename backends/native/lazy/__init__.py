"""Lazy clause generation (Ohrimenko, Stuckey & Codish 2009): constraints over integers, in the solver of native:cdcl.

literals  order literals of integer variables, and literals of their values as far as needed
units     all-different      sums  linear constraints      tables  lists of tuples
lowering  all constraints of an ask    session  its solutions

Clauses, tables and the clauses among literals are clauses of the solver; units are its groups, and linear constraints
its sums, which propagate by themselves and explain what they propagate only when a conflict is analysed.
"""

from typing import TYPE_CHECKING

from encoders.formula import AllDifferent, Constraints, Formula, Unsupported
from puzzles.constraints import all_different

if TYPE_CHECKING:
    from backends.native.lazy.session import Lazy


def open(formula: Formula) -> "Lazy":  # noqa: A001 - every variant's module has this name
    """Return a session on constraints; its code is compiled now or loaded from the cache. Raises Unsupported."""
    from backends.native.cdcl.session import compile_kernels
    from backends.native.compiling import announce_compilation
    from backends.native.lazy.lowering import LOWERED
    from backends.native.lazy.session import Lazy

    if isinstance(formula, AllDifferent):
        units = all_different.AllDifferent(formula.units)
        formula = Constraints(formula.squares, range(formula.values), (units,))
    if not isinstance(formula, Constraints):
        raise Unsupported(f"native:lazy takes constraints, not {type(formula).__name__}")
    if lacking := [kind for kind in formula.kinds() if kind not in LOWERED]:
        raise Unsupported(f"native:lazy does not support {', '.join(lacking)}")
    with announce_compilation("native:cdcl"):
        compile_kernels()
    return Lazy(formula)
