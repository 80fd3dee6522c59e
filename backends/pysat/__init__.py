"""Backends of the SAT solvers in python-sat, one per solver, and of its MaxSAT algorithms and linear search.

SOLVERS is a table of their capabilities, measured on the wheel, since python-sat reports missing ones by an exception
or not at all: kissat404 crashes when solving twice or adding a clause after solving, and ignores assumptions; lingeling
has no conflict budget; maplesat crashes on a formula without clauses; maplesat and maplecm count no propagations.
Proofs of maplesat are invalid and some of maplecm's are truncated: they are returned unchanged, for the checker to
reject.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Self

from backends.contract.answer import Session
from backends.contract.options import Configured, Option, Value
from backends.pysat import maxsat
from backends.pysat.linear import SEARCHING, PySatLinear
from backends.pysat.maxsat import PySatMaxSat
from backends.pysat.parameters import OPTIONS
from backends.pysat.solvers import Capabilities
from encoders.formula import Cnf, Formula, Unsupported, kinds_of

NO_PROPAGATIONS = ("decisions", "conflicts", "restarts")


# The first is the default.
SOLVERS = {
    "cadical195": Capabilities("cadical195", interrupt=False, proof=True),
    "cadical103": Capabilities("cadical103", interrupt=False, proof=True),
    "cadical153": Capabilities("cadical153", interrupt=False, proof=True),
    "cadical300": Capabilities("cadical300", interrupt=False, proof=True),
    "ergo": Capabilities("ergo", proof=True),
    "glucose3": Capabilities("glucose3", proof=True),
    "glucose4": Capabilities("glucose41", proof=True),
    "glucose42": Capabilities("glucose421", proof=True),
    "gluecard3": Capabilities("gluecard3", at_most=True, proof=True),
    "gluecard4": Capabilities("gluecard41", at_most=True, proof=True),
    "kissat404": Capabilities("kissat404", budget=False, incremental=False, counters=()),
    "lingeling": Capabilities("lingeling", budget=False, proof=True),
    "maplechrono": Capabilities("maplechrono", proof=True),
    "maplecm": Capabilities("maplecm", proof=True, counters=NO_PROPAGATIONS),
    "maplesat": Capabilities("maplesat", proof=True, counters=NO_PROPAGATIONS),
    "mergesat3": Capabilities("mergesat3"),
    "minicard": Capabilities("minicard", at_most=True),
    "minisat22": Capabilities("minisat22"),
    "minisat-gh": Capabilities("minisatgh"),
    "minisatep": Capabilities("minisatep"),
}


@dataclass(frozen=True)
class PySat(Configured):
    """Backend of one of python-sat's solvers, cold: a fresh solver object per ask."""

    solver: str
    accepts: frozenset[type] = frozenset({Cnf})

    @property
    def options(self) -> tuple[Option, ...]:
        return OPTIONS.get(self.solver, ())

    def configured(self, options: Mapping[str, Value]) -> Self:
        """Return the backend with these parameters; `emulate` of Ergo is set first, since it sets others."""
        return replace(self, chosen=dict(sorted(options.items(), key=lambda option: option[0] != "emulate")))

    @property
    def can(self) -> frozenset[str]:
        features = SOLVERS[self.solver]
        extra = {"warm": features.incremental, "proof": features.proof, "at_most": features.at_most}
        return frozenset({"count", "domains", *(name for name, has in extra.items() if has)})

    def check_formula(self, formula: Formula) -> Cnf:
        """Return the formula. Raises Unsupported if the solver does not support it."""
        if not isinstance(formula, Cnf):
            raise Unsupported(f"{self.name} takes clauses, not {kinds_of(formula)}")
        if formula.at_most and not SOLVERS[self.solver].at_most:
            raise Unsupported(f"{self.name} takes no cardinality constraints")
        return formula

    def load(self) -> None:
        from backends.pysat.handle import solvers

        solvers()

    def open(self, formula: Formula) -> Session:
        from backends.pysat.cold import ColdSession

        return ColdSession(self.solver, SOLVERS[self.solver], self.check_formula(formula), self.chosen)


@dataclass(frozen=True)
class WarmCapable(PySat):
    """Backend of a solver that can also be reused across puzzles."""

    def open_warm(self, formula: Formula) -> Session:
        from backends.pysat.warm import WarmSession

        return WarmSession(self.solver, SOLVERS[self.solver], self.check_formula(formula), self.chosen)


def backends() -> tuple[PySat | PySatMaxSat | PySatLinear, ...]:
    """Return a backend per solver and algorithm of the installed python-sat.

    Raises ModuleNotFoundError without it.
    """
    installed = f"python-sat {import_module('pysat').__version__}"  # found sooner than by `importlib.metadata`
    compiled = import_module("pysolvers")
    deciding = tuple(
        (WarmCapable if features.incremental else PySat)(f"pysat:{name}", installed, name)
        for name, features in SOLVERS.items()
        if hasattr(compiled, f"{features.prefix}_new")
    )
    bounding = tuple(
        PySatLinear(f"{b.name}-linear", installed, b.solver, SOLVERS[b.solver])
        for b in deciding
        if b.solver in SEARCHING
    )
    return (*deciding, *maxsat.backends(installed), *bounding)
