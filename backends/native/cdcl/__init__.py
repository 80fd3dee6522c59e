"""Clause learning: a compiled SAT solver after MiniSat (Een & Soerensson 2003), one technique per file.

It also propagates groups and sums, which only native:lazy uses.

state      the solver's memory: arrays, and how clauses lie in them
rules      groups and sums
propagate  unit propagation with two watched literals, in groups, and in sums
explain    clauses for what groups and sums imply, when a conflict needs them
learn      conflict analysis up to the first unique implication point, and minimisation
branch     activities of variables (VSIDS) in a heap
forget     deletion of learned clauses by their LBD (Audemard & Simon 2009), and compaction
search     the search loop: decisions, restarts by the Luby sequence, saved phases
session    one fresh solver per ask, its solutions one after the other, its proof
"""

from typing import TYPE_CHECKING

from encoders.formula import Cnf, Formula, Unsupported

if TYPE_CHECKING:
    from backends.native.cdcl.session import Clausal


def open(formula: Formula) -> "Clausal":  # noqa: A001 - every variant's module has this name
    """Return a session on clauses; its code is compiled now or loaded from the cache. Raises Unsupported."""
    from backends.native.cdcl.session import Clausal, compile_kernels
    from backends.native.compiling import announce_compilation

    if not isinstance(formula, Cnf):
        raise Unsupported(f"native:cdcl takes clauses, not {type(formula).__name__}")
    if formula.at_most:
        raise Unsupported("native:cdcl takes no cardinality constraints")
    with announce_compilation("native:cdcl"):
        compile_kernels()
    return Clausal(formula)
