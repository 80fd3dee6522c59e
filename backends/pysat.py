"""Every SAT solver in the installed python-sat, one backend a name.

Cold: the formula's clauses are split into lists once; each ask gives a fresh solver the puzzle's unit clauses, then
these lists, through python-sat's compiled `add_cl`, since its Python wrapper costs half as much again as the loading.
Units go first, so that solvers drop satisfied clauses while loading. A further solution is asked for by a clause that
forbids the squares of the last one; the final "unsatisfiable" makes the answer complete.

`solve()` holds the interpreter and most solvers ignore interrupts, so the deadline is looked at after every SLICE
conflicts, where the solver takes a conflict budget; the rest can only be stopped from outside.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from time import perf_counter_ns as now
from typing import Any

import numpy as np

from backends.answer import COUNTERS, Answer, Ask, Phases, Reason, Session, Status
from encoders.formula import Cnf, Formula
from puzzles.layout import Domains, Solution, bits

SLICE = 20_000
Clause = list[int]


@dataclass(frozen=True)
class Solver:
    """What is known of one of python-sat's solvers; `prefix` is what its compiled functions start with.

    budget   it stops after a number of conflicts, and goes on when asked again
    again    it can be asked more than once, with clauses added between
    at_most  it takes cardinality constraints
    counts   the counters that it keeps
    """

    prefix: str
    budget: bool = True
    again: bool = True
    at_most: bool = False
    counts: tuple[str, ...] = COUNTERS


UNCOUNTED_PROPAGATIONS = ("decisions", "conflicts", "restarts")
SOLVERS = {
    "cadical195": Solver("cadical195"),
    "cadical103": Solver("cadical103"),
    "cadical153": Solver("cadical153"),
    "cadical300": Solver("cadical300"),
    "ergo": Solver("ergo"),
    "glucose3": Solver("glucose3"),
    "glucose4": Solver("glucose41"),
    "glucose42": Solver("glucose421"),
    "gluecard3": Solver("gluecard3", at_most=True),
    "gluecard4": Solver("gluecard41", at_most=True),
    "kissat404": Solver("kissat404", budget=False, again=False, counts=()),  # a second solve crashes
    "lingeling": Solver("lingeling", budget=False),
    "maplechrono": Solver("maplechrono"),
    "maplecm": Solver("maplecm", counts=UNCOUNTED_PROPAGATIONS),
    "maplesat": Solver("maplesat", counts=UNCOUNTED_PROPAGATIONS),
    "mergesat3": Solver("mergesat3"),
    "minicard": Solver("minicard", at_most=True),
    "minisat22": Solver("minisat22"),
    "minisat-gh": Solver("minisatgh"),
    "minisatep": Solver("minisatep"),
}


def split(formula: Cnf) -> list[Clause]:
    """The clauses as lists. A formula without any gets one that binds nothing, since maplesat crashes on none."""
    flat = formula.clauses.tolist()
    ends = np.flatnonzero(formula.clauses == 0).tolist()
    starts = [0, *(e + 1 for e in ends)]
    return [flat[a:b] for a, b in zip(starts, ends, strict=False)] or [[1, -1]]


class Loaded:
    """One solver object and its compiled functions: add a clause, solve, read the model."""

    def __init__(self, name: str) -> None:
        from pysat.solvers import Solver as PySat

        self.known = SOLVERS[name]
        self.solver: Any = PySat(name)
        self.handle = next(h for h in vars(self.solver.solver).values() if type(h).__name__ == "PyCapsule")
        self.add: Callable[[Any, Clause], None] = getattr(import_module("pysolvers"), f"{self.known.prefix}_add_cl")

    def load(self, clauses: Sequence[Clause]) -> None:
        add, handle = self.add, self.handle
        for clause in clauses:
            add(handle, clause)

    def load_at_most(self, at_most: Sequence[tuple[tuple[int, ...], int]]) -> None:
        for literals, k in at_most:
            self.solver.add_atmost(literals, k)

    def solve(self, deadline: int) -> bool | None:
        """Whether there is a model, or None when the deadline, in ns of the clock `now`, has passed."""
        if not self.known.budget:
            found: bool | None = self.solver.solve()
            return found
        while now() < deadline:
            self.solver.conf_budget(SLICE)
            found = self.solver.solve_limited()
            if found is not None:
                return found
        return None

    def counters(self) -> dict[str, int]:
        if not self.known.counts:
            return {}
        stats = self.solver.accum_stats()
        return {name: stats[name] for name in self.known.counts}


class ColdSession:
    """One formula, a fresh solver object for each ask."""

    def __init__(self, name: str, formula: Cnf) -> None:
        self.name, self.formula = name, formula
        self.clauses = split(formula)
        self.positive = [[[x] for x in row] for row in formula.literal]
        self.negative = [[[-x] for x in row] for row in formula.literal]

    def units(self, domains: Domains) -> list[Clause]:
        """The unit clauses of a puzzle: its givens, and the values that a square may not take."""
        full = (1 << len(self.positive[0])) - 1 if self.positive else 0
        clauses: list[Clause] = []
        for s, mask in enumerate(domains):
            if mask == full:
                continue
            if mask and not mask & (mask - 1):
                clauses.append(self.positive[s][mask.bit_length() - 1])
            else:
                clauses += [self.negative[s][v] for v in bits(full & ~mask)]
        return clauses

    def fresh(self, units: list[Clause]) -> Loaded:
        loaded = Loaded(self.name)
        loaded.load(units)
        loaded.load(self.clauses)
        loaded.load_at_most(self.formula.at_most)
        return loaded

    def decode(self, model: list[int], domains: Domains) -> Solution:
        """The value of each square. Only the domain is read: some solvers set variables that no clause holds."""
        return tuple(
            next(v for v in bits(mask) if model[row[v] - 1] > 0)
            for row, mask in zip(self.formula.literal, domains, strict=True)
        )

    def ask(self, ask: Ask) -> Answer:
        started = now()
        deadline = started + int(ask.seconds * 1e9)
        units = self.units(ask.domains)
        loaded = self.fresh(units)
        load, solve, decode = now() - started, 0, 0
        solutions: list[Solution] = []
        complete = stopped = False
        while len(solutions) < ask.count and not complete and not stopped:
            begin = now()
            found = loaded.solve(deadline)
            solved = now()
            solve += solved - begin
            if not found:
                complete, stopped = found is False, found is None
                break
            solution = self.decode(loaded.solver.get_model() or [], ask.domains)
            solutions.append(solution)
            decoded = now()
            decode += decoded - solved
            if len(solutions) < ask.count:
                forbid = [-row[v] for row, v in zip(self.formula.literal, solution, strict=True)]
                if not forbid:  # a board without squares has one solution
                    complete = True
                elif loaded.known.again:
                    loaded.load([forbid])
                else:
                    loaded.solver.delete()
                    units.append(forbid)
                    loaded = self.fresh(units)
                load += now() - decoded
        counters = loaded.counters()
        loaded.solver.delete()
        phases = Phases(load=load, solve=solve, decode=decode)
        return answer(solutions, complete, stopped, counters, phases)

    def close(self) -> None:
        self.clauses = []


def answer(
    solutions: list[Solution], complete: bool, stopped: bool, counters: dict[str, int], phases: Phases
) -> Answer:
    """What was found, with the status that follows from it."""
    status = Status.SATISFIABLE if solutions else Status.UNSATISFIABLE if complete else Status.UNKNOWN
    reason = Reason.TIMEOUT if stopped else Reason.NONE
    return Answer(status, tuple(solutions), complete, reason, counters, phases)


@dataclass(frozen=True)
class PySat:
    """One of python-sat's solvers."""

    name: str
    version: str
    solver: str
    accepts: frozenset[type] = frozenset({Cnf})

    @property
    def can(self) -> frozenset[str]:
        known = SOLVERS[self.solver]
        return frozenset({"count", "domains"} | ({"at_most"} if known.at_most else set()))

    def open(self, formula: Formula) -> Session:
        if not isinstance(formula, Cnf) or (formula.at_most and "at_most" not in self.can):
            raise TypeError(f"{self.name} takes clauses{'' if 'at_most' in self.can else ' alone'}")
        return ColdSession(self.solver, formula)


def backends() -> tuple[PySat, ...]:
    """A backend for each solver that the installed python-sat holds. Raises ModuleNotFoundError without it."""
    installed = f"python-sat {version('python-sat')}"
    compiled = import_module("pysolvers")
    return tuple(
        PySat(f"pysat:{name}", installed, name)
        for name, known in SOLVERS.items()
        if hasattr(compiled, f"{known.prefix}_new")
    )
