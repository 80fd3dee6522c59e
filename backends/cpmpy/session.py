"""Sessions of CPMpy: a fresh model and solver for each ask."""

from collections.abc import Mapping
from time import perf_counter_ns as now
from typing import Any

from backends.contract.answer import Answer, Ask, Phases, Status, Unsupported
from backends.cpmpy.model import TO_CPMPY, build
from backends.shared.enumeration import Values, enumerate_solutions
from backends.shared.quiet import quiet
from encoders.formula import Constraints
from puzzles.constraints.cumulative import Cumulative
from puzzles.problem.values import Domains

Posted = tuple[list[Any], Any]  # variables, and the solver
INFEASIBLE = "solver is in an infeasible state"
FIXED_TASKS = ("pumpkin",)  # solvers to which CPMpy passes tasks of fixed durations and heights alone
TAKES_TOO_LITTLE = (NotImplementedError, OverflowError)  # CPMpy's exceptions for what a solver lacks, and for numbers


class CpmSession:
    """One problem. Opening builds its model, which shows what the solver lacks; the first ask uses it.

    Raises Unsupported.
    """

    def __init__(self, formula: Constraints, name: str, solver: str, options: Mapping[str, int]) -> None:
        if solver in FIXED_TASKS:
            formula = formula.expressed(TO_CPMPY.keys() - {Cumulative.kind})
        self.formula, self.solver, self.options = formula, solver, options
        domains = tuple(mask or formula.first for mask in formula.known)
        from cpmpy.exceptions import NotSupportedError

        try:
            self.built = {domains: self.posted(domains)}
        except (NotSupportedError, *TAKES_TOO_LITTLE) as e:
            raise Unsupported(f"{name}: {str(e).partition(chr(10))[0][:100]}") from None

    def posted(self, domains: Domains) -> Posted | None:
        """Return the variables, and a solver with the model; None if posting has refuted the model."""
        variables, constraints = self.expressions(domains)
        return self.solver_of(variables, constraints)

    def expressions(self, domains: Domains) -> tuple[list[Any], list[Any]]:
        """Return the variables under these domains, and the constraints. Raises Unsupported."""
        return build(self.formula, [self.formula.members(mask) for mask in domains])

    def solver_of(self, variables: list[Any], constraints: list[Any], **goal: Any) -> Posted | None:
        """Return the variables, and a solver with constraints and a goal; None if posting has refuted the model."""
        import cpmpy

        try:
            with quiet():  # HiGHS prints a banner
                return variables, cpmpy.SolverLookup.get(self.solver, cpmpy.Model(constraints, **goal))
        except ValueError as e:  # Pumpkin takes no constraint after one that can't hold, and CPMpy posts on
            if INFEASIBLE not in str(e):
                raise
            return None

    def models(self, ask: Ask, begin: int) -> "CpmModels | None":
        """Return the models of an ask that began at a time in ns; None if there are none."""
        if 0 in ask.domains:
            return None
        posted = self.built.pop(ask.domains) if ask.domains in self.built else self.posted(ask.domains)
        return posted and CpmModels(self, *posted, ask.domains, begin + int(ask.seconds * 1e9))

    def ask(self, ask: Ask) -> Answer:
        begin = now()
        models = self.models(ask, begin)
        if models is None:
            return Answer(Status.UNSATISFIABLE, complete=True, phases=Phases(load=now() - begin))
        return enumerate_solutions(models, Values(), ask, now() - begin).answer({})

    def close(self) -> None:
        """Do nothing: the session holds no resources."""


class CpmModels:
    """The solutions of one ask."""

    def __init__(self, session: CpmSession, variables: list[Any], solver: Any, domains: Domains, deadline: int) -> None:
        self.session, self.variables, self.solver, self.deadline = session, variables, solver, deadline
        self.domains, self.forbidden = domains, list[list[int]]()
        self.options, self.numbers = session.options, session.formula.numbers
        self.index = session.formula.index()

    def solve(self) -> bool | None:
        from cpmpy.solvers.solver_interface import ExitStatus

        seconds = (self.deadline - now()) / 1e9
        if seconds <= 0:
            return None
        if self.solver.solve(time_limit=seconds, **self.options):
            return True
        proved = self.solver.status().exitstatus == ExitStatus.UNSATISFIABLE and not self.stopped()
        return False if proved else None

    def stopped(self) -> bool:
        """Return True if Choco reports that it was stopped.

        CPMpy 1.1.1 takes a stopped search for a proof if it was shorter than the limit, which Choco truncates to
        milliseconds.
        """
        choco = getattr(self.solver, "chc_solver", None)
        return choco is not None and choco.get_search_state() != "TERMINATED"

    def model(self) -> list[int]:
        """Return the solution; a variable to which CPMpy gives no value, since nothing needs one, takes its least."""
        values = (x.lb if x.value() is None else x.value() for x in self.variables)
        return [self.index(int(value)) for value in values]

    def forbid(self, clause: list[int]) -> None:
        """Exclude a solution. Choco 0.4.0 crashes on long disjunctions after a search, so it gets a fresh model."""
        import cpmpy

        self.forbidden.append(clause)
        added = [clause]
        if self.session.solver == "choco":
            self.variables, self.solver = self.session.posted(self.domains) or (self.variables, self.solver)
            added = self.forbidden
        for values in added:
            self.solver += cpmpy.any([x != self.numbers[v] for x, v in zip(self.variables, values, strict=True)])
