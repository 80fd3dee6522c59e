"""Backends of python-sat's MaxSAT algorithms, for clauses with an objective.

rc2, rc2-stratified  core-guided, OLL with totalizers (Ignatiev, Morgado, Marques-Silva 2019); each core raises the
                     lower bound, and the stratified one also finds a solution for each level of weights
fm                   core-guided (Fu & Malik 2006); for equal weights: it is too slow for others
lsu                  linear search that asks for ever better solutions, without bounds; for equal weights only
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from backends.contract.answer import ONLY_OPTIMISE, OPTIMISE, Session
from backends.contract.options import Configured, Option
from encoders.formula import Cnf, Formula, Unsupported, Wcnf, kinds_of

# Solvers inside that can be interrupted and tell what they assumed in vain; the first is the algorithm's own.
INSIDE = ("glucose3", "glucose4", "glucose42", "minisat22", "minisat-gh", "maplechrono", "mergesat3")
CORES = (
    Option("solver", "text", INSIDE),
    Option("adapt", "bool"),
    Option("exhaust", "bool"),
    Option("minz", "bool"),
    Option("trim", "int", least=0, most=1000),
)
LEVELS = (Option("blo", "text", ("basic", "div", "cluster", "full")), Option("nohard", "bool"))


class Algorithm(NamedTuple):
    """Algorithm: its options, its default solver, and `equal`, True if it takes equal weights alone."""

    options: tuple[Option, ...]
    solver: str = "glucose3"
    equal: bool = False


ALGORITHMS: Mapping[str, Algorithm] = {
    "rc2": Algorithm(CORES),
    "rc2-stratified": Algorithm((*CORES, *LEVELS)),
    "lsu": Algorithm((Option("solver", "text", INSIDE),), "glucose4", equal=True),
    "fm": Algorithm((Option("solver", "text", INSIDE),), "minisat22", equal=True),
}


@dataclass(frozen=True)
class PySatMaxSat(Configured):
    """Backend of one algorithm, with a fresh solver for each ask."""

    algorithm: str
    accepts: frozenset[type] = frozenset({Cnf, Wcnf})
    can: frozenset[str] = frozenset({"domains", OPTIMISE, ONLY_OPTIMISE})

    @property
    def options(self) -> tuple[Option, ...]:
        return ALGORITHMS[self.algorithm].options

    def load(self) -> None:
        import backends.pysat.algorithms  # noqa: F401

    def open(self, formula: Formula) -> Session:
        from backends.pysat.optimising import MaxSatSession

        formula = soft_formula(self.name, formula)
        known = ALGORITHMS[self.algorithm]
        if known.equal and len(weights := {weight for weight, row in formula.soft_rows() if row}) > 1:
            raise Unsupported(f"{self.name} takes soft clauses of equal weight only, not {len(weights)} weights")
        return MaxSatSession(self.algorithm, formula, {"solver": known.solver, **self.chosen})


def soft_formula(name: str, formula: Formula) -> Wcnf:
    """Return a formula of clauses with an objective. Raises Unsupported, with the name of the backend."""
    if not isinstance(formula, Wcnf):
        raise Unsupported(f"{name} takes clauses with an objective only, not {kinds_of(formula)}")
    if formula.hard.at_most:
        raise Unsupported(f"{name} takes no cardinality constraints")
    return formula


def backends(installed: str) -> tuple[PySatMaxSat, ...]:
    """Return a backend for each algorithm."""
    return tuple(PySatMaxSat(f"pysat:{name}", installed, name) for name in ALGORITHMS)
