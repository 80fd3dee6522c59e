"""OR-Tools CP-SAT, one worker: deterministic, and on small problems a sixth of the default's CPU time.

The model is built once a layout. An ask writes the domain of every square into it, so nothing of the last puzzle can
stay behind, and a fresh solver reads it: cold. Several solutions are enumerated in one search; its status says whether
the search ended by itself, which makes the answer complete.
"""

from dataclasses import dataclass
from importlib.metadata import version
from time import perf_counter_ns as now
from typing import Any

from backends.answer import Answer, Ask, Phases, Reason, Session, Status
from encoders.formula import AllDifferent, Formula
from puzzles.layout import Domains, Solution, bits

PARAMETERS: dict[str, int | bool] = {"num_workers": 1}


def intervals(mask: int) -> list[int]:
    """A domain as CP-SAT writes it: first and last value of each run of values."""
    ends: list[int] = []
    for v in bits(mask):
        if ends and ends[-1] == v - 1:
            ends[-1] = v
        else:
            ends += [v, v]
    return ends


def collector(cp_model: Any, squares: list[Any], wanted: int) -> Any:
    """A callback that keeps the first `wanted` solutions and then stops the search."""

    class Collector(cp_model.CpSolverSolutionCallback):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.solutions: list[Solution] = []

        def on_solution_callback(self) -> None:
            self.solutions.append(tuple(self.value(x) for x in squares))
            if len(self.solutions) >= wanted:
                self.stop_search()

    return Collector()


class AllDifferentSession:
    """One model, whose domains are written anew for each ask."""

    def __init__(self, formula: AllDifferent) -> None:
        from ortools.sat.python import cp_model

        self.cp_model = cp_model
        self.model = cp_model.CpModel()
        self.squares = [self.model.new_int_var(0, formula.values - 1, "") for _ in range(formula.squares)]
        for unit in formula.units:
            self.model.add_all_different([self.squares[s] for s in unit])
        self.domains = [self.model.proto.variables[s].domain for s in range(formula.squares)]
        self.runs: dict[int, list[int]] = {}

    def load(self, domains: Domains) -> None:
        """Write the domain of every square into the model."""
        for domain, mask in zip(self.domains, domains, strict=True):
            run = self.runs.get(mask)
            if run is None:
                run = self.runs[mask] = intervals(mask)
            domain.clear()
            domain.extend(run)

    def ask(self, ask: Ask) -> Answer:
        started = now()
        if 0 in ask.domains:  # CP-SAT calls a model with an empty domain invalid, not infeasible
            return Answer(Status.UNSATISFIABLE, complete=True, phases=Phases(load=now() - started))
        self.load(ask.domains)
        solver = self.cp_model.CpSolver()
        for name, value in PARAMETERS.items():
            setattr(solver.parameters, name, value)
        solver.parameters.max_time_in_seconds = ask.seconds
        loaded = now()
        found = None
        if ask.count > 1:
            solver.parameters.enumerate_all_solutions = True
            found = collector(self.cp_model, self.squares, ask.count)
        status = solver.solve(self.model, found)
        solved = now()
        solutions: tuple[Solution, ...] = ()
        if found is not None:
            solutions = tuple(found.solutions)
        elif status in (self.cp_model.OPTIMAL, self.cp_model.FEASIBLE):
            solutions = (tuple(map(solver.value, self.squares)),)
        return self.answer(ask, solver, status, solutions, Phases(0, loaded - started, solved - loaded, now() - solved))

    def answer(self, ask: Ask, solver: Any, status: Any, solutions: tuple[Solution, ...], phases: Phases) -> Answer:
        """What the solver's status means. A model it calls invalid is a bug here, so an exception."""
        cp = self.cp_model
        if status == cp.MODEL_INVALID:
            raise ValueError(f"CP-SAT calls the model invalid: {self.model.validate()}")
        counters = {"conflicts": solver.num_conflicts, "decisions": solver.num_branches}
        if status == cp.INFEASIBLE:
            return Answer(Status.UNSATISFIABLE, (), True, counters=counters, phases=phases)
        complete = ask.count > 1 and status == cp.OPTIMAL
        stopped = not complete and len(solutions) < ask.count
        said = Status.SATISFIABLE if solutions else Status.UNKNOWN
        return Answer(said, solutions, complete, Reason.TIMEOUT if stopped else Reason.NONE, counters, phases)

    def close(self) -> None:
        self.squares, self.domains = [], []


@dataclass(frozen=True)
class CpSat:
    """CP-SAT with one worker."""

    name: str
    version: str
    accepts: frozenset[type] = frozenset({AllDifferent})
    can: frozenset[str] = frozenset({"count", "domains"})

    def open(self, formula: Formula) -> Session:
        if not isinstance(formula, AllDifferent):
            raise TypeError(f"{self.name} takes all-different units")
        return AllDifferentSession(formula)


def backends() -> tuple[CpSat, ...]:
    """The one there is. Raises ModuleNotFoundError where OR-Tools is not installed."""
    return (CpSat("cpsat", f"ortools {version('ortools')}"),)
