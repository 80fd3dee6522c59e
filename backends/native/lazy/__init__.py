"""Lazy clause generation (Ohrimenko, Stuckey & Codish 2009): constraints over integers, in the solver of native:cdcl.

literals  order literals of integer variables, and literals of their values as far as needed
units     all-different      sums  linear constraints      tables  lists of tuples      cages  sums over units
lowering  all constraints of an ask    session  its solutions

Clauses, tables and the clauses among literals are clauses of the solver; units are its groups, and linear constraints
its sums, which propagate by themselves and explain what they propagate only when a conflict is analysed.
"""

from typing import TYPE_CHECKING

from encoders.formula import Constraints, Formula, Unsupported, constraints_of

if TYPE_CHECKING:
    from backends.native.lazy.session import Lazy


def lacking(formula: Constraints) -> str:
    """Return what the solver does not support in these constraints, '' if it takes them."""
    from backends.native.lazy.lowering import LOWERED, too_long

    if kinds := [kind for kind in formula.kinds() if kind not in LOWERED]:
        return ", ".join(kinds)
    return "numbers above 64 bits in linear constraints" if too_long(formula) else ""


def open(formula: Formula) -> "Lazy":  # noqa: A001 - every variant's module has this name
    """Return a session on constraints; its code is compiled now or loaded from the cache. Raises Unsupported."""
    from backends.native.cdcl.session import compile_kernels
    from backends.native.compiling import announce_compilation
    from backends.native.lazy.session import Lazy

    form = constraints_of(formula, "native:lazy")
    if what := lacking(form):
        raise Unsupported(f"native:lazy does not support {what}")
    with announce_compilation("native:cdcl"):
        compile_kernels()
    return Lazy(form)
