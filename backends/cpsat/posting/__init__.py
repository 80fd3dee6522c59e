"""CP-SAT models of any problem: each kind of constraint is posted by one function, as CP-SAT's own where it has one.

An instance of such a problem is alone, so its domains are those of the formula, and a model is built for them.
"""

from collections.abc import Callable
from typing import Any

from backends.cpsat.posting.counting import cardinality, count, nvalues
from backends.cpsat.posting.expressions import expression
from backends.cpsat.posting.model import Model
from backends.cpsat.posting.rows import all_different, clauses, lex, linear, minmax
from backends.cpsat.posting.tables import automaton, element, table
from encoders.formula import Constraints, constraints_of
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
from puzzles.problem.values import Domains, Solution, bits

POST: dict[str, Callable[[Model, Any], None]] = {
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


class Posted:
    """The model of a problem, `cp` with the domains of the last ask. Raises Unsupported for other kinds."""

    def __init__(self, formula: Constraints) -> None:
        formula = constraints_of(formula, "cpsat", POST)
        self.numbers = formula.numbers
        self.index = {number: v for v, number in enumerate(formula.numbers)}
        self.model = Model(formula)
        for constraint in formula.constraints:
            POST[constraint.kind](self.model, constraint)
        self.cp = self.model.cp

    def set_domains(self, domains: Domains) -> None:
        """Restrict the variables to these domains within those of the formula; none may be empty."""
        self.cp = self.model.cp
        for x, (mask, known) in enumerate(zip(domains, self.model.masks, strict=True)):
            if mask != known:
                if self.cp is self.model.cp:
                    self.cp = self.model.cp.clone()
                kept = [self.numbers[v] for v in bits(mask)]
                self.cp.add_linear_expression_in_domain(self.model.variables[x], self.model.make_domain(kept))

    def decode(self, values: tuple[int, ...]) -> Solution:
        """Return the solution from the values of all variables."""
        return tuple([self.index[number] for number in values[: len(self.model.variables)]])
