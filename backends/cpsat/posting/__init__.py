"""CP-SAT models of any problem: each kind of constraint is posted by one function, as CP-SAT's own where it has one.

Such a problem has one instance, so the model is built for the domains of the formula.
"""

from backends.cpsat.posting import expressions, rows, scheduling, tables
from backends.cpsat.posting.model import PostedModel
from backends.cpsat.posting.objectives import ObjectiveOffset, minimise
from encoders.formula import OBJECTIVE, Constraints, constraints_of
from puzzles.constraints import by_kind
from puzzles.constraints.nvalues import NValues
from puzzles.problem.values import Domains, Solution

TO_CPSAT = by_kind(*map(vars, (expressions, rows, scheduling, tables)))
RANGES = TO_CPSAT.keys() - {NValues.kind}  # kinds whose variables may have wide domains


class Posted:
    """The model of a problem, `cp` with the domains of the last ask. Raises Unsupported for other kinds.

    `goal` is what the model does not state of an objective.
    """

    def __init__(self, formula: Constraints) -> None:
        formula = constraints_of(formula, "cpsat", {*TO_CPSAT, OBJECTIVE}, RANGES)
        self.members, self.index = formula.members, formula.index()
        self.model = PostedModel(formula)
        for constraint in formula.constraints:
            TO_CPSAT[constraint.kind](self.model, constraint)
        self.goal = minimise(self.model, formula) if formula.objective is not None else ObjectiveOffset(0, 0)
        self.cp = self.model.cp

    def set_domains(self, domains: Domains) -> None:
        """Restrict the variables to these domains within those of the formula; none may be empty."""
        self.cp = self.model.cp
        for x, (mask, known) in enumerate(zip(domains, self.model.masks, strict=True)):
            if mask != known:
                if self.cp is self.model.cp:
                    self.cp = self.model.cp.clone()
                kept = self.model.shape(self.members(mask))
                self.cp.add_linear_expression_in_domain(self.model.variables[x], kept)

    def decode(self, values: tuple[int, ...]) -> Solution:
        """Return the solution from the values of all variables."""
        return tuple([self.index(number) for number in values[: len(self.model.variables)]])
