"""OR-Tools CP-SAT with one worker: deterministic, and a sixth of the default's CPU time when small.

The model is built once per layout. An ask writes the domains that differ from those of the last ask, so no domain of
another puzzle remains, and a fresh solver solves it: cold. Several solutions are enumerated in one search; the answer
is complete if that search ended by itself. The encoding decides the variables:

    AllDifferent   an integer per square, all-different units
    Booleans       a Boolean per square and value, exactly or at most one of a group
    Channelled     both, each square's integer channelled to its Booleans
    Constraints    any problem: a Boolean or integer per variable, each kind of constraint as CP-SAT's own

On boards the parameters disable techniques that cost more than they save on problems of milliseconds. Relative to one
worker and no other parameter, the mean time is 0.4 to 0.9 on 9x9, 16x16, 25x25 and Latin squares, 1.3 on unsolvable 9x9
(benchmarks/encodings.md).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from backends.contract.answer import OPTIMISE, Session
from backends.contract.options import Configured, Option, Value
from backends.cpsat.parameters import OPTIONS
from encoders.formula import AllDifferent, Booleans, Channelled, Constraints, Formula, Unsupported

PARAMETERS: dict[str, int] = {
    "num_workers": 1,
    "linearization_level": 0,
    "symmetry_level": 0,
    "cp_model_probing_level": 0,
    "max_presolve_iterations": 1,
    "merge_at_most_one_work_limit": 0,
    "use_sat_inprocessing": False,
}


@dataclass(frozen=True)
class CpSat(Configured):
    """The CP-SAT backend, with one worker."""

    accepts: frozenset[type] = frozenset({AllDifferent, Booleans, Channelled, Constraints})
    can: frozenset[str] = frozenset({"count", "domains", OPTIMISE})
    options: tuple[Option, ...] = OPTIONS

    def configured(self, options: Mapping[str, Value]) -> Self:
        """Return the backend with these parameters; with several workers it finds only one solution.

        CP-SAT enumerates with one worker only: with more, it claims to be complete after some of the solutions.
        """
        several = options.get("num_workers", 1) != 1
        return replace(self, chosen=options, can=self.can - {"count"} if several else self.can)

    def load(self) -> None:
        from backends.cpsat.session import collector_type

        collector_type()

    def open(self, formula: Formula) -> Session:
        from backends.cpsat.board import BoardModel
        from backends.cpsat.posting import Posted
        from backends.cpsat.session import CpSession

        if isinstance(formula, Constraints):
            parameters = {"num_workers": 1, **self.chosen}
            if formula.objective is None:
                return CpSession(Posted(formula), parameters)
            from backends.cpsat.optimising import CpOptimisingSession

            return CpOptimisingSession(Posted(formula), formula, parameters)
        if isinstance(formula, AllDifferent | Booleans | Channelled):
            return CpSession(BoardModel(formula), {**PARAMETERS, **self.chosen})
        raise Unsupported(f"{self.name} takes integers, Booleans or constraints, not {type(formula).__name__}")


def backends() -> tuple[CpSat, ...]:
    """Return the only variant. Raises ModuleNotFoundError if OR-Tools is not installed."""
    import ortools  # only its version, which `importlib.metadata` would take longer to find

    return (CpSat("cpsat", f"ortools {ortools.__version__}"),)
