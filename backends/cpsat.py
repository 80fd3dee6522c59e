"""OR-Tools CP-SAT with one worker: deterministic, and a sixth of the default's CPU time when small.

The model is built once per layout. An ask writes the domains that differ from those of the last ask, so no domain of
another puzzle remains, and a fresh solver solves it: cold. Several solutions are enumerated in one search; the answer
is complete if that search ended by itself. The encoding decides the variables:

    AllDifferent   an integer per square, all-different units
    Booleans       a Boolean per square and value, exactly or at most one of a group
    Channelled     both, each square's integer channelled to its Booleans

The parameters disable techniques that cost more than they save on problems of milliseconds. Relative to one worker and
no other parameter, the mean time is 0.4 to 0.9 on 9x9, 16x16, 25x25 and Latin squares, 1.3 on unsolvable 9x9
(benchmarks/encodings.md).
"""

from dataclasses import dataclass
from importlib.metadata import version
from time import perf_counter_ns as now
from typing import Any

from backends.answer import Answer, Ask, Phases, Reason, Session, Status
from encoders.formula import AllDifferent, Booleans, Channelled, Formula, Unsupported
from puzzles.layout import Domains, Solution, bits

PARAMETERS: dict[str, int] = {
    "num_workers": 1,
    "linearization_level": 0,
    "symmetry_level": 0,
    "cp_model_probing_level": 0,
    "max_presolve_iterations": 1,
    "merge_at_most_one_work_limit": 0,
    "use_sat_inprocessing": False,
}


def intervals(mask: int) -> list[int]:
    """Return a domain in CP-SAT's form: first and last value of each run of values."""
    ends: list[int] = []
    for v in bits(mask):
        if ends and ends[-1] == v - 1:
            ends[-1] = v
        else:
            ends += [v, v]
    return ends


class Model:
    """A CP-SAT model of a board: its integers, its Booleans (either may be missing), its current domains."""

    def __init__(self, formula: AllDifferent | Booleans | Channelled) -> None:
        from ortools.sat.python import cp_model
        from ortools.sat.python.cp_model_helper import IntegerVariableProto

        self.cp, self.variable_type = cp_model.CpModel(), IntegerVariableProto
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
        self.values = parts[0].values
        self.domains: list[int] = [(1 << self.values) - 1] * parts[0].squares
        own = [[x] for x in self.integers] or [[] for _ in self.domains]
        for mine, row in zip(own, self.booleans, strict=False):  # no Booleans, or a row for each square
            mine += row
        self.variables = [[self.cp.proto.variables[x.index] for x in mine] for mine in own]
        self.pattern_cache: dict[int, list[Any]] = {}

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
        """Channel each square's integer to its Booleans."""
        for x, row in zip(self.integers, self.booleans, strict=True):
            for v, b in enumerate(row):
                self.cp.add(x == v).only_enforce_if(b)
                self.cp.add(x != v).only_enforce_if(~b)

    def set_domains(self, domains: Domains) -> None:
        """Write these domains into the model; none may be empty."""
        for s, mask in enumerate(domains):
            if mask == self.domains[s]:
                continue
            self.domains[s] = mask
            for variable, pattern in zip(self.variables[s], self.patterns(mask), strict=True):
                variable.copy_from(pattern)

    def patterns(self, mask: int) -> list[Any]:
        """Return variables to copy over those of a square: faster than writing the bounds of their domains."""
        found = self.pattern_cache.get(mask)
        if found is None:
            single = [(mask != 1 << v) + 2 * (mask >> v & 1) for v in range(self.values)]
            masks = ([mask] if self.integers else []) + (single if self.booleans else [])
            found = self.pattern_cache[mask] = [self.new_variable(m) for m in masks]
        return found

    def new_variable(self, mask: int) -> Any:
        """Return a variable with this domain that belongs to no model."""
        made = self.variable_type()
        made.domain.extend(intervals(mask))
        return made

    def decode(self, values: tuple[int, ...]) -> Solution:
        """Return the solution from the values of all variables: integers, then Booleans by square."""
        squares, width = len(self.domains), self.values
        if self.integers:
            return values[:squares]
        return tuple([values.index(1, s * width, s * width + width) - s * width for s in range(squares)])


def collector(cp_model: Any, model: Model, wanted: int) -> Any:
    """Return a callback that keeps the first `wanted` solutions and then stops the search."""

    class Collector(cp_model.CpSolverSolutionCallback):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.solutions: list[Solution] = []

        def on_solution_callback(self) -> None:
            self.solutions.append(model.decode(tuple(self.Response().solution)))
            if len(self.solutions) >= wanted:
                self.stop_search()

    return Collector()


class CpSession:
    """One model, a fresh solver for each ask."""

    def __init__(self, formula: AllDifferent | Booleans | Channelled) -> None:
        from ortools.sat.python import cp_model

        self.cp_model = cp_model
        self.model = Model(formula)
        self.parameters = cp_model.CpSolver().parameters
        for name, value in PARAMETERS.items():
            setattr(self.parameters, name, value)

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
        found = collector(self.cp_model, self.model, ask.count) if ask.count > 1 else None
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
        """Return the answer for a solver status. Raises ValueError for an invalid model, which is a bug here."""
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


@dataclass(frozen=True)
class CpSat:
    """The CP-SAT backend, with one worker."""

    name: str
    version: str
    accepts: frozenset[type] = frozenset({AllDifferent, Booleans, Channelled})
    can: frozenset[str] = frozenset({"count", "domains"})

    def open(self, formula: Formula) -> Session:
        if not isinstance(formula, AllDifferent | Booleans | Channelled):
            raise Unsupported(f"{self.name} takes integers or Booleans, not {type(formula).__name__}")
        return CpSession(formula)


def backends() -> tuple[CpSat, ...]:
    """Return the only variant. Raises ModuleNotFoundError if OR-Tools is not installed."""
    return (CpSat("cpsat", f"ortools {version('ortools')}"),)
