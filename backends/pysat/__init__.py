"""Every SAT solver in the installed python-sat, one backend a name.

What they can and can't is a table here, measured on the wheel, since they tell it only by exception or by silence:
kissat404 crashes when it is asked twice or given a clause after solving, and ignores assumptions; lingeling takes no
conflict budget; maplesat crashes on no clauses at all; maplesat and maplecm count no propagations. Proofs of maplesat
are invalid and some of maplecm's lack their end: they are handed over as they come, since the checker is who says so.
"""

from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version

from backends.answer import COUNTERS, Session
from encoders.formula import Cnf, Formula, Unsupported


@dataclass(frozen=True)
class Solver:
    """One of python-sat's solvers; `prefix` is what its compiled functions start with.

    budget   it stops after a number of conflicts, and goes on when asked again
    again    it can be asked more than once, with clauses added and assumptions made between
    at_most  it takes cardinality constraints
    proof    it writes down how it came to "unsatisfiable"
    counts   the counters that it keeps
    """

    prefix: str
    budget: bool = True
    incremental: bool = True
    at_most: bool = False
    proof: bool = False
    counters: tuple[str, ...] = COUNTERS


NO_PROPAGATIONS = ("decisions", "conflicts", "restarts")
# The first is the default.
SOLVERS = {
    "cadical195": Solver("cadical195", proof=True),
    "cadical103": Solver("cadical103", proof=True),
    "cadical153": Solver("cadical153", proof=True),
    "cadical300": Solver("cadical300", proof=True),
    "ergo": Solver("ergo", proof=True),
    "glucose3": Solver("glucose3", proof=True),
    "glucose4": Solver("glucose41", proof=True),
    "glucose42": Solver("glucose421", proof=True),
    "gluecard3": Solver("gluecard3", at_most=True, proof=True),
    "gluecard4": Solver("gluecard41", at_most=True, proof=True),
    "kissat404": Solver("kissat404", budget=False, incremental=False, counters=()),
    "lingeling": Solver("lingeling", budget=False, proof=True),
    "maplechrono": Solver("maplechrono", proof=True),
    "maplecm": Solver("maplecm", proof=True, counters=NO_PROPAGATIONS),
    "maplesat": Solver("maplesat", proof=True, counters=NO_PROPAGATIONS),
    "mergesat3": Solver("mergesat3"),
    "minicard": Solver("minicard", at_most=True),
    "minisat22": Solver("minisat22"),
    "minisat-gh": Solver("minisatgh"),
    "minisatep": Solver("minisatep"),
}


@dataclass(frozen=True)
class PySat:
    """One of python-sat's solvers, cold: a fresh solver object for each ask."""

    name: str
    version: str
    solver: str
    accepts: frozenset[type] = frozenset({Cnf})

    @property
    def can(self) -> frozenset[str]:
        features = SOLVERS[self.solver]
        extra = {"warm": features.incremental, "proof": features.proof, "at_most": features.at_most}
        return frozenset({"count", "domains", *(name for name, has in extra.items() if has)})

    def check_formula(self, formula: Formula) -> Cnf:
        """The formula, if this solver takes it. Raises Unsupported."""
        if not isinstance(formula, Cnf):
            raise Unsupported(f"{self.name} takes clauses, not {type(formula).__name__}")
        if formula.at_most and not SOLVERS[self.solver].at_most:
            raise Unsupported(f"{self.name} takes no cardinality constraints")
        return formula

    def open(self, formula: Formula) -> Session:
        from backends.pysat.cold import ColdSession

        return ColdSession(self.solver, SOLVERS[self.solver], self.check_formula(formula))


@dataclass(frozen=True)
class WarmCapable(PySat):
    """A solver that can also be kept from puzzle to puzzle."""

    def open_warm(self, formula: Formula) -> Session:
        from backends.pysat.warm import WarmSession

        return WarmSession(self.solver, SOLVERS[self.solver], self.check_formula(formula))


def backends() -> tuple[PySat, ...]:
    """A backend for each solver that the installed python-sat holds. Raises ModuleNotFoundError without it."""
    installed = f"python-sat {version('python-sat')}"
    compiled = import_module("pysolvers")
    return tuple(
        (WarmCapable if features.incremental else PySat)(f"pysat:{name}", installed, name)
        for name, features in SOLVERS.items()
        if hasattr(compiled, f"{features.prefix}_new")
    )
