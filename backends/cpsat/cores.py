"""Parts of a problem under assumptions: which parts contradict each other, by the core of CP-SAT.

part   constraints and domains that hold together, behind one literal that is assumed if the part is asked

Constraints that define the Booleans which parts share hold always.
"""

from collections.abc import Collection, Sequence
from typing import Any

from backends.cpsat.importing import cp_model
from backends.cpsat.posting import RANGES, TO_CPSAT, Posted
from encoders.direct import constraints
from encoders.formula import Constraints, constraints_of
from puzzles.problem import Instance
from puzzles.problem.check import violations
from puzzles.problem.values import Domains, Solution


class AssumingSolver:
    """CP-SAT model in which each part holds if its literal does."""

    def __init__(self, formula: Constraints) -> None:
        self.posted = Posted(formula)
        self.literals: list[Any] = []

    @property
    def supported(self) -> bool:
        """True if CP-SAT takes the model."""
        return not self.posted.cp.validate()

    def ask(self, parts: Collection[int], seconds: float) -> tuple[Solution | None, list[int] | None]:
        """Return a solution, or the parts of a core; (None, None) if the time is up."""
        cp, kept = self.posted.cp, list(parts)
        cp.clear_assumptions()
        cp.add_assumptions([self.literals[part] for part in kept])
        solver = cp_model().CpSolver()
        solver.parameters.num_workers, solver.parameters.max_time_in_seconds = 1, seconds
        status = solver.solve(cp)
        if status == cp_model().INFEASIBLE:
            named = set(solver.sufficient_assumptions_for_infeasibility())
            return None, [part for part in kept if self.literals[part].index in named]
        found = status in (cp_model().OPTIMAL, cp_model().FEASIBLE)
        return (self.posted.decode(tuple(solver.response_proto.solution)) if found else None), None


class SelectedSolver(AssumingSolver):
    """CP-SAT model of an instance in which a Boolean implies each part. Raises ValueError if one is lacking."""

    def __init__(self, instance: Instance[Any], names: Sequence[str]) -> None:
        super().__init__(constraints(instance.problem, instance.domains))
        self.instance, variables = instance, list(instance.problem.variables)
        self.at = [variables.index(name) for name in names]
        self.literals = [self.posted.model.variables[x] for x in self.at]

    def is_solution(self, solution: Solution, kept: Collection[int]) -> bool:
        """Return True if a solution of the instance has these parts."""
        problem = self.instance.problem
        true = self.posted.index(1)
        selected = all(solution[self.at[part]] == true for part in kept)
        return selected and not violations(problem, self.instance.domains, solution)


class PartSolver(AssumingSolver):
    """CP-SAT model of the background and some parts. Raises Unsupported for kinds that can't be assumed."""

    def __init__(self, background: Constraints, parts: Sequence[tuple[Constraints, Domains]]) -> None:
        super().__init__(background)
        self.literals = [self.assumed(formula, domains) for formula, domains in parts]

    def assumed(self, formula: Constraints, domains: Domains) -> Any:
        """Post a part; return its literal."""
        model, posted = self.posted.model, self.posted
        literal, first = model.cp.new_bool_var(""), len(model.cp.proto.constraints)
        for constraint in constraints_of(formula, "cpsat", {*TO_CPSAT}, RANGES).constraints:
            TO_CPSAT[constraint.kind](model, constraint)
        for x, (mask, known) in enumerate(zip(domains, model.masks, strict=True)):
            if mask != known:
                shape = model.shape(posted.members(mask))
                model.cp.add_linear_expression_in_domain(model.variables[x], shape)
        for at in range(first, len(model.cp.proto.constraints)):
            if not (enforced := model.cp.proto.constraints[at].enforcement_literal):
                enforced.append(literal.index)
        return literal
