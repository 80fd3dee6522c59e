"""CP-SAT sessions: one model, a fresh solver for each ask."""

from collections.abc import Mapping
from functools import cache
from time import perf_counter_ns as now
from typing import Any, Protocol

from backends.contract.answer import Answer, Ask, Phases, Reason, Status
from backends.contract.options import Value, shown
from backends.cpsat.importing import cp_model
from puzzles.problem.values import Domains, Solution


class SessionModel(Protocol):
    """CP-SAT model `cp` that takes the domains of an instance and decodes the values of its variables."""

    cp: Any

    def set_domains(self, domains: Domains) -> None: ...

    def decode(self, values: tuple[int, ...]) -> Solution: ...


@cache
def collector_type() -> Any:
    """Return the class of callbacks that keep solutions, made once: making it takes as long as loading a board."""

    class Collector(cp_model().CpSolverSolutionCallback):  # type: ignore[misc]
        """Keeps the first `wanted` distinct solutions and then stops the search.

        A solution can come several times where CP-SAT adds variables of its own: for automata with a variable twice.
        """

        def __init__(self, model: SessionModel, wanted: int) -> None:
            super().__init__()
            self.model, self.wanted = model, wanted
            self.solutions: dict[Solution, None] = {}

        def on_solution_callback(self) -> None:
            self.solutions[self.model.decode(tuple(self.Response().solution))] = None
            if len(self.solutions) >= self.wanted:
                self.stop_search()

    return Collector


def merged(parameters: Any, text: str) -> bool:
    """Merge parameters in the text format of protocol buffers; return False if some are refused."""
    if hasattr(parameters, "merge_text_format"):
        return bool(parameters.merge_text_format(text))
    from google.protobuf import text_format  # before OR-Tools 9.15

    try:
        text_format.Merge(text, parameters)
    except text_format.ParseError:
        return False
    return True


class CpSession:
    """One model, a fresh solver for each ask."""

    def __init__(self, model: SessionModel, parameters: Mapping[str, Value]) -> None:
        self.cp_model, self.collector = cp_model(), collector_type()
        self.model = model
        self.parameters = self.cp_model.CpSolver().parameters
        text = " ".join(f"{name}: {shown(value)}" for name, value in parameters.items())
        self.parameters.catch_sigint_signal = False  # CP-SAT would end the search as if nothing were wrong
        if not merged(self.parameters, text):
            raise ValueError(f"CP-SAT takes not all of the parameters {text}")

    def solver(self, ask: Ask) -> Any:
        self.parameters.max_time_in_seconds = ask.seconds
        self.parameters.enumerate_all_solutions = ask.count > 1
        solver = self.cp_model.CpSolver()
        solver.parameters = self.parameters
        return solver

    def ask(self, ask: Ask) -> Answer:
        started = now()
        if 0 in ask.domains:  # CP-SAT calls a model with an empty domain invalid, not infeasible
            return Answer(Status.UNSATISFIABLE, complete=True, phases=Phases(load=now() - started))
        self.model.set_domains(ask.domains)
        solver = self.solver(ask)
        found = self.collector(self.model, ask.count) if ask.count > 1 else None
        loaded = now()
        status = solver.solve(self.model.cp, found)
        solved = now()
        solutions: tuple[Solution, ...] = ()
        if found is not None:
            solutions = tuple(found.solutions)
        elif status in (self.cp_model.OPTIMAL, self.cp_model.FEASIBLE):
            values = tuple(solver.response_proto.solution)  # asking for each value costs ten times as much
            solutions = (self.model.decode(values),)
        return self.answer(ask, solver, status, solutions, Phases(0, loaded - started, solved - loaded, now() - solved))

    def answer(self, ask: Ask, solver: Any, status: Any, solutions: tuple[Solution, ...], phases: Phases) -> Answer:
        """Return the answer for a solver status. Raises ValueError for an invalid model, a bug of this backend."""
        cp = self.cp_model
        if status == cp.MODEL_INVALID:
            raise ValueError(f"CP-SAT reports an invalid model: {self.model.cp.validate()}")
        counters = {"conflicts": solver.num_conflicts, "decisions": solver.num_branches}
        if status == cp.INFEASIBLE:
            return Answer(Status.UNSATISFIABLE, (), True, counters=counters, phases=phases)
        complete = ask.count > 1 and status == cp.OPTIMAL
        stopped = not complete and len(solutions) < ask.count
        found = Status.SATISFIABLE if solutions else Status.UNKNOWN
        return Answer(found, solutions, complete, Reason.TIMEOUT if stopped else Reason.NONE, counters, phases)

    def close(self) -> None:
        """Do nothing: the session holds no resources."""
