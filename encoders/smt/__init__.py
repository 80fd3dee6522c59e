"""SMT-LIB scripts of problems of any kind, over integers or bit vectors, for solvers of satisfiability modulo theories.

Variable x of the problem is v0, v1, ... of the script; its other names are definitions, so a script has one model for
each solution.
"""

from collections.abc import Callable
from typing import Any

from encoders.formula import Constraints, Unsupported
from encoders.smt.expressions import expression
from encoders.smt.kinds import (
    all_different,
    automaton,
    cardinality,
    clauses,
    count,
    element,
    lex,
    linear,
    minmax,
    nvalues,
    table,
)
from encoders.smt.script import Script as Script
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.automaton import Automaton
from puzzles.constraints.cardinality import Cardinality
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.count import Count
from puzzles.constraints.element import Element
from puzzles.constraints.expression import Expression
from puzzles.constraints.lex import Lex
from puzzles.constraints.linear import Linear
from puzzles.constraints.minmax import MinMax
from puzzles.constraints.nvalues import NValues
from puzzles.constraints.table import Table

WRITE: dict[str, Callable[[Script, Any], None]] = {
    AllDifferent.kind: all_different,
    Automaton.kind: automaton,
    Cardinality.kind: cardinality,
    Clauses.kind: clauses,
    Count.kind: count,
    Element.kind: element,
    Expression.kind: expression,
    Lex.kind: lex,
    Linear.kind: linear,
    MinMax.kind: minmax,
    NValues.kind: nvalues,
    Table.kind: table,
}


def script(form: Constraints, vectors: bool = False) -> Script:
    """Return the script of a problem, with the domains of its only instance if it has one. Raises Unsupported."""
    if unknown := [kind for kind in form.kinds() if kind not in WRITE]:
        raise Unsupported(f"SMT-LIB scripts take no constraints of the kind {', '.join(unknown)}")
    made = Script(form, vectors)
    for constraint in form.constraints:
        WRITE[constraint.kind](made, constraint)
    return made
