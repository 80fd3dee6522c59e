"""CP-SAT sessions of problems with an objective: solutions and bounds are reported while CP-SAT searches."""

from functools import cache
from math import isfinite
from time import perf_counter_ns as now
from typing import Any

from backends.contract.answer import Answer, Ask, Phases, Status
from backends.cpsat.importing import cp_model
from backends.cpsat.posting import Posted
from backends.cpsat.posting.objectives import ObjectiveOffset
from backends.cpsat.session import CpSession
from backends.shared.incumbent import Incumbent, value_of_solutions
from encoders.formula import Constraints

EXACT = 48  # bits of sums in which CP-SAT's conversion of bounds to doubles is off by less than a half


@cache
def reporter_type() -> Any:
    """Return the class of callbacks that report solutions; made once, as `collector_type` is."""

    class Reporter(cp_model().CpSolverSolutionCallback):  # type: ignore[misc]
        """Reports each solution with the value that it has."""

        def __init__(self, session: "CpOptimisingSession", found: Incumbent) -> None:
            super().__init__()
            self.session, self.found = session, found

        def on_solution_callback(self) -> None:
            self.session.offer(self.found, self.Response().solution)

    return Reporter


class CpOptimisingSession(CpSession):
    """A model with an objective, a fresh solver for each ask."""

    model: Posted

    def __init__(self, model: Posted, formula: Constraints, parameters: Any) -> None:
        super().__init__(model, parameters)
        self.reporter, self.value_of = reporter_type(), value_of_solutions(formula)

    def offer(self, found: Incumbent, values: Any) -> None:
        solution = self.model.decode(tuple(values))
        found.offer(solution, self.value_of(solution))

    def ask(self, ask: Ask) -> Answer:
        started = now()
        if 0 in ask.domains:
            return Answer(Status.UNSATISFIABLE, complete=True, phases=Phases(load=now() - started))
        self.model.set_domains(ask.domains)
        solver, found, goal = self.solver(ask), Incumbent(ask), self.model.goal
        solver.best_bound_callback = lambda bound: raise_to(found, bound, goal)
        loaded = now()
        status = solver.solve(self.model.cp, self.reporter(self, found))
        solved = now()
        response = solver.response_proto
        cp = self.cp_model
        if status == cp.MODEL_INVALID:
            raise ValueError(f"CP-SAT reports an invalid model: {self.model.cp.validate()}")
        if status in (cp.OPTIMAL, cp.FEASIBLE):
            self.offer(found, response.solution)
            found.raise_bound(response.inner_objective_lower_bound + goal.constant)  # not set where nothing was found
        counters = {"conflicts": solver.num_conflicts, "decisions": solver.num_branches}
        phases = Phases(0, loaded - started, solved - loaded, now() - solved)
        return found.answer(status in (cp.OPTIMAL, cp.INFEASIBLE), counters, phases)


def raise_to(found: Incumbent, bound: float, goal: ObjectiveOffset) -> None:
    """Report a bound of CP-SAT: an integer, computed in doubles from the terms of the objective.

    Of large terms, whose rounding may be more than a half, it is lowered by more than that.
    """
    if isfinite(bound):
        found.raise_bound(round(bound) - (goal.size >> EXACT) + goal.constant)
