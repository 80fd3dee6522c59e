"""Backends of linear search for the best model: a SAT solver, and the objective as a sum bounded ever tighter."""

from dataclasses import dataclass

from backends.contract.answer import BOUNDS_SUMS, ONLY_OPTIMISE, OPTIMISE, Session
from backends.contract.options import Configured, Option
from backends.pysat.maxsat import soft_formula
from backends.pysat.parameters import OPTIONS
from backends.pysat.solvers import Capabilities
from encoders.formula import Cnf, Formula, Wcnf

SEARCHING = ("cadical195", "glucose4")  # solvers that have a variant of linear search


@dataclass(frozen=True)
class PySatLinear(Configured):
    """Backend of linear search with one solver, a fresh one for each ask."""

    solver: str
    features: Capabilities
    accepts: frozenset[type] = frozenset({Cnf, Wcnf})
    can: frozenset[str] = frozenset({"domains", OPTIMISE, ONLY_OPTIMISE, BOUNDS_SUMS})

    @property
    def options(self) -> tuple[Option, ...]:
        return OPTIONS.get(self.solver, ())

    def load(self) -> None:
        import backends.pysat.improving  # noqa: F401

    def open(self, formula: Formula) -> Session:
        from backends.pysat.improving import LinearSession

        return LinearSession(self.solver, self.features, soft_formula(self.name, formula), self.chosen)
