"""OR-Tools CP-SAT, one worker: deterministic, and on small problems a sixth of the default's CPU time.

The model is built once a layout. An ask writes into it the domains that differ from those of the last ask, so nothing
of another puzzle stays behind, and a fresh solver reads it: cold. Several solutions are enumerated in one search;
whether it ended by itself makes the answer complete. What a model is made of is the encoding's choice:

    AllDifferent   an integer a square, all-different units
    Booleans       a Boolean a square and value, exactly or at most one of a group
    Channelled     both, each square's integer tied to its Booleans

The parameters leave out what costs more than it brings on problems of milliseconds: on boards of 9x9, 16x16, 25x25 and
Latin squares of order 30 the mean is 0.5 to 0.95 of what one worker takes by default (benchmarks/encodings.md).
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from time import perf_counter_ns as now
from typing import Any

from backends.answer import Answer, Ask, Phases, Reason, Session, Status
from encoders.formula import AllDifferent, Booleans, Channelled, Formula
from puzzles.layout import Domains, Solution, bits

PARAMETERS: dict[str, int] = {
    "num_workers": 1,
    "linearization_level": 0,
    "symmetry_level": 0,
    "cp_model_probing_level": 0,
    "max_presolve_iterations": 1,
}


def intervals(mask: int) -> list[int]:
    """A domain as CP-SAT writes it: first and last value of each run of values."""
    ends: list[int] = []
    for v in bits(mask):
        if ends and ends[-1] == v - 1:
            ends[-1] = v
        else:
            ends += [v, v]
    return ends


class Model:
    """A CP-SAT model of a board, its integers and Booleans (either may be missing), and the domains it now has."""

    def __init__(self, formula: AllDifferent | Booleans | Channelled) -> None:
        from ortools.sat.python import cp_model

        self.cp = cp_model.CpModel()
        parts = (formula.integers, formula.booleans) if isinstance(formula, Channelled) else (formula,)
        self.integers: list[Any] = []
        self.booleans: list[list[Any]] = []
        for part in parts:
            if isinstance(part, AllDifferent):
                self.add_integers(part)
            else:
                self.add_booleans(part)
        if isinstance(formula, Channelled):
            self.channel()
        squares, values = parts[0].squares, parts[0].values
        self.domains: list[int] = [(1 << values) - 1] * squares
        variables = self.cp.proto.variables
        self.whole = [variables[x.index].domain for x in self.integers]
        self.single = [[variables[b.index].domain for b in row] for row in self.booleans]
        self.variables = self.integers or [b for row in self.booleans for b in row]
        self.indices = [x.index for x in self.variables]
        self.runs: dict[int, list[int]] = {}

    def add_integers(self, part: AllDifferent) -> None:
        self.integers = [self.cp.new_int_var(0, part.values - 1, "") for _ in range(part.squares)]
        for unit in part.units:
            self.cp.add_all_different([self.integers[s] for s in unit])

    def add_booleans(self, part: Booleans) -> None:
        self.booleans = [[self.cp.new_bool_var("") for _ in range(part.values)] for _ in range(part.squares)]
        place = [b for row in self.booleans for b in row]
        for group in part.exactly_one:
            self.cp.add_exactly_one([place[p] for p in group])
        for group in part.at_most_one:
            self.cp.add_at_most_one([place[p] for p in group])

    def channel(self) -> None:
        """Tie each square's integer to its Booleans."""
        for x, row in zip(self.integers, self.booleans, strict=True):
            for v, b in enumerate(row):
                self.cp.add(x == v).only_enforce_if(b)
                self.cp.add(x != v).only_enforce_if(~b)

    def write(self, domains: Domains) -> None:
        """Make these the domains, none of them empty."""
        for s, mask in enumerate(domains):
            if mask == self.domains[s]:
                continue
            if self.whole:
                self.write_integer(s, mask)
            self.domains[s] = mask
            for v, domain in enumerate(self.single[s] if self.single else ()):
                domain[0], domain[1] = int(mask == 1 << v), mask >> v & 1

    def write_integer(self, s: int, mask: int) -> None:
        """The domain of an integer. Where both the old and the new are one run, writing its ends is cheapest."""
        run, old = self.run(mask), self.run(self.domains[s])
        if len(run) == len(old) == 2:
            domain = self.whole[s]
            domain[0], domain[1] = run
        else:
            self.whole[s].clear()
            self.whole[s].extend(run)

    def run(self, mask: int) -> list[int]:
        found = self.runs.get(mask)
        if found is None:
            found = self.runs[mask] = intervals(mask)
        return found

    def read(self, value: Callable[[int], int]) -> Solution:
        """The solution, where `value` gives the value of a variable by its index."""
        if self.integers:
            return tuple(map(value, self.indices))
        values = len(self.booleans[0]) if self.booleans else 0
        rows = enumerate(self.domains)
        return tuple(next(v for v in bits(mask) if value(self.indices[s * values + v])) for s, mask in rows)


def collector(cp_model: Any, model: Model, wanted: int) -> Any:
    """A callback that keeps the first `wanted` solutions and then stops the search."""
    variables = dict(zip(model.indices, model.variables, strict=True))

    class Collector(cp_model.CpSolverSolutionCallback):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.solutions: list[Solution] = []

        def on_solution_callback(self) -> None:
            self.solutions.append(model.read(lambda i: self.value(variables[i])))
            if len(self.solutions) >= wanted:
                self.stop_search()

    return Collector()


class CpSession:
    """One model, a fresh solver for each ask."""

    def __init__(self, formula: AllDifferent | Booleans | Channelled) -> None:
        from ortools.sat.python import cp_model

        self.cp_model = cp_model
        self.model = Model(formula)

    def solver(self, ask: Ask) -> Any:
        solver = self.cp_model.CpSolver()
        for name, value in PARAMETERS.items():
            setattr(solver.parameters, name, value)
        solver.parameters.max_time_in_seconds = ask.seconds
        solver.parameters.enumerate_all_solutions = ask.count > 1
        return solver

    def ask(self, ask: Ask) -> Answer:
        started = now()
        if 0 in ask.domains:  # CP-SAT calls a model with an empty domain invalid, not infeasible
            return Answer(Status.UNSATISFIABLE, complete=True, phases=Phases(load=now() - started))
        self.model.write(ask.domains)
        solver = self.solver(ask)
        found = collector(self.cp_model, self.model, ask.count) if ask.count > 1 else None
        loaded = now()
        status = solver.solve(self.model.cp, found)
        solved = now()
        solutions: tuple[Solution, ...] = ()
        if found is not None:
            solutions = tuple(found.solutions)
        elif status in (self.cp_model.OPTIMAL, self.cp_model.FEASIBLE):
            values = list(solver.response_proto.solution)  # all at once: asking for each costs ten times as much
            solutions = (self.model.read(values.__getitem__),)
        return self.answer(ask, solver, status, solutions, Phases(0, loaded - started, solved - loaded, now() - solved))

    def answer(self, ask: Ask, solver: Any, status: Any, solutions: tuple[Solution, ...], phases: Phases) -> Answer:
        """What the solver's status means. A model it calls invalid is a bug here, so an exception."""
        cp = self.cp_model
        if status == cp.MODEL_INVALID:
            raise ValueError(f"CP-SAT calls the model invalid: {self.model.cp.validate()}")
        counters = {"conflicts": solver.num_conflicts, "decisions": solver.num_branches}
        if status == cp.INFEASIBLE:
            return Answer(Status.UNSATISFIABLE, (), True, counters=counters, phases=phases)
        complete = ask.count > 1 and status == cp.OPTIMAL
        stopped = not complete and len(solutions) < ask.count
        said = Status.SATISFIABLE if solutions else Status.UNKNOWN
        return Answer(said, solutions, complete, Reason.TIMEOUT if stopped else Reason.NONE, counters, phases)

    def close(self) -> None:
        """Nothing outlives the session."""


@dataclass(frozen=True)
class CpSat:
    """CP-SAT with one worker."""

    name: str
    version: str
    accepts: frozenset[type] = frozenset({AllDifferent, Booleans, Channelled})
    can: frozenset[str] = frozenset({"count", "domains"})

    def open(self, formula: Formula) -> Session:
        if not isinstance(formula, AllDifferent | Booleans | Channelled):
            raise TypeError(f"{self.name} takes integers or Booleans, not {type(formula).__name__}")
        return CpSession(formula)


def backends() -> tuple[CpSat, ...]:
    """The one there is. Raises ModuleNotFoundError where OR-Tools is not installed."""
    return (CpSat("cpsat", f"ortools {version('ortools')}"),)
