"""CPMpy with each solver that is installed: the way of a user who writes a model in Python, cost included.

Each ask builds the expressions, has CPMpy transform and post them to a fresh solver, and solves. Each further solution
is found after a constraint that forbids all earlier ones. One thread; what CPMpy can't give to a solver is unsupported.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec

from backends.contract.answer import OPTIMISE, Backend, Session
from backends.contract.description import Missing
from backends.shared.hiding import hidden
from encoders.formula import OBJECTIVE, AllDifferent, Constraints, Formula, constraints_of
from encoders.reach import refuse_beyond
from puzzles.packages import install

# What a solver of CPMpy imports, and the options that hold it to one thread.
SOLVERS: dict[str, tuple[str, dict[str, int]]] = {
    "ortools": ("ortools", {"num_search_workers": 1}),
    "choco": ("pychoco", {}),
    "exact": ("exact", {}),
    "highs": ("highspy", {"threads": 1}),
    "pumpkin": ("pumpkin_solver", {}),
    "pindakaas": ("pindakaas", {}),
    "z3": ("z3", {}),
}

DECIDE_ONLY = ("pindakaas",)
LARGEST_NUMBER = 1 << 60  # of sums over ranges
CLAUSAL = ("pindakaas",)  # that take no wide ranges


@dataclass(frozen=True)
class CpmPy:
    """Backend of one solver by CPMpy."""

    name: str
    version: str
    accepts: frozenset[type] = frozenset({AllDifferent, Constraints})
    can: frozenset[str] = frozenset({"count", "domains", OPTIMISE})

    def open(self, formula: Formula) -> Session:
        solver = self.name.partition(":")[2]
        import_cpmpy(highs=solver == "highs")
        from backends.cpmpy.model import TO_CPMPY
        from backends.cpmpy.optimising import LARGEST
        from backends.cpmpy.session import CpmSession

        kinds = {*TO_CPMPY, OBJECTIVE} if OPTIMISE in self.can else TO_CPMPY.keys()
        form = constraints_of(formula, self.name, kinds, () if solver in CLAUSAL else TO_CPMPY.keys() - {"nvalues"})
        most = min(LARGEST.get(solver, LARGEST_NUMBER), LARGEST_NUMBER)
        refuse_beyond(form, most, self.name)
        if form.objective is not None:
            from backends.cpmpy.optimising import CpmOptimising

            return CpmOptimising(form, self.name, solver, SOLVERS[solver][1])
        return CpmSession(form, self.name, solver, SOLVERS[solver][1])


def import_cpmpy(highs: bool) -> None:
    """Import CPMpy, which imports OR-Tools, then highspy, and fails, since their libraries clash in this order.

    So highspy is imported first if it is wanted, and else made to look as if it were not installed.
    """
    if highs:
        import highspy  # noqa: F401, I001
        import cpmpy

        return
    with hidden("highspy"):
        import cpmpy  # noqa: F401


def backends() -> Iterable[Backend | Missing]:
    """Return a variant for each solver that is installed. Raises ModuleNotFoundError without CPMpy."""
    release = version("cpmpy")
    for name, (module, _) in SOLVERS.items():
        if find_spec(module):
            can = frozenset({"count", "domains", *([OPTIMISE] if name not in DECIDE_ONLY else [])})
            yield CpmPy(f"cpmpy:{name}", f"cpmpy {release}", can=can)
        else:
            yield Missing(f"cpmpy:{name}", f"not installed: {install(module)}")
