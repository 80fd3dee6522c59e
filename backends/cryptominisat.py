"""CryptoMiniSat by its Python package pycryptosat: one thread, a fresh solver for each ask.

The clauses of a formula are loaded in one call, as a flat array, from which pycryptosat 5.17.0 drops empty clauses:
two units that contradict each other stand for them. The time left is given to the solver, which takes it as CPU time:
on a busy machine it overruns, and the harness ends it.
"""

from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from time import perf_counter_ns as now
from typing import Any

import numpy as np

from backends.contract.answer import Answer, Ask, Session
from backends.contract.options import LARGEST_INT, Configured, Option, Value, shown
from backends.shared.enumeration import enumerate_solutions
from backends.shared.literal_map import literal_map
from encoders.formula import Cnf, Formula, Unsupported, kinds_of
from puzzles.packages import version

SWITCHES = """
autodisablegauss bva distill intree lucky occsimp presimp scc schedsimp sls transred varelim xor
"""
OPTIONS = (  # names of the program, and `threads`; pycryptosat takes any text for some, so the values are stated here
    *(Option(name, "int", (0, 1)) for name in SWITCHES.split()),
    Option("branchstr", "text", ("vsids", "vmtf")),
    Option("confbtwsimp", "int", least=1, most=LARGEST_INT),
    Option("maxmatrixrows", "int", least=0, most=LARGEST_INT),
    Option("maxnummatrices", "int", least=0, most=1000),
    Option("polar", "text", ("auto", "true", "false", "rnd")),
    Option("seed", "int", least=0, most=LARGEST_INT),
    Option("threads", "int", least=1, most=64),
)


@dataclass(frozen=True)
class CryptoMiniSat(Configured):
    """The CryptoMiniSat backend."""

    accepts: frozenset[type] = frozenset({Cnf})
    can: frozenset[str] = frozenset({"count", "domains"})
    options: tuple[Option, ...] = OPTIONS

    def open(self, formula: Formula) -> Session:
        if not isinstance(formula, Cnf):
            raise Unsupported(f"{self.name} takes clauses, not {kinds_of(formula)}")
        if formula.at_most:
            raise Unsupported(f"{self.name} takes no cardinality constraints")
        return CryptoSession(formula, self.chosen)


class CryptoSession:
    """One formula, a fresh solver for each ask."""

    def __init__(self, formula: Cnf, options: Mapping[str, Value]) -> None:
        import pycryptosat

        named = {name: shown(value) for name, value in options.items() if name != "threads"}
        self.create = partial(pycryptosat.Solver, threads=options.get("threads", 1), options=named)
        clauses = formula.clauses
        empty = np.flatnonzero((clauses == 0) & (np.concatenate([[0], clauses[:-1]]) == 0))
        self.clauses = array("i", np.delete(clauses, empty).tobytes())
        self.false = bool(len(empty))
        self.literals = literal_map(formula.literal)
        self.last = formula.variables

    def ask(self, ask: Ask) -> Answer:
        begin = now()
        solver = self.create()
        units = [[x] for x in self.literals.true(ask.domains)]
        models = CryptoModels(solver, begin + int(ask.seconds * 1e9))
        solver.add_clauses(units)
        solver.add_clauses(self.clauses)
        if self.false:
            solver.add_clauses([[self.last + 1], [-self.last - 1]])
        return enumerate_solutions(models, self.literals, ask, now() - begin).answer({})

    def close(self) -> None:
        """Do nothing: the session holds no resources."""


@dataclass
class CryptoModels:
    """The models of one ask."""

    solver: Any
    deadline: int
    found: tuple[bool | None, ...] = ()

    def solve(self) -> bool | None:
        left = (self.deadline - now()) / 1e9
        if left <= 0:
            return None
        sat: bool | None
        sat, self.found = self.solver.solve(time_limit=left)
        return sat

    def model(self) -> list[int]:
        return [x if true else -x for x, true in enumerate(self.found) if x]

    def forbid(self, clause: list[int]) -> None:
        self.solver.add_clause(clause)


def backends() -> tuple[CryptoMiniSat, ...]:
    """Return the only variant. Raises ModuleNotFoundError if pycryptosat is not installed."""
    return (CryptoMiniSat("cryptominisat", f"pycryptosat {version('pycryptosat')}"),)
