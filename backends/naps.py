"""NaPS: a zero-one programme, translated to clauses for CaDiCaL (Sakai & Nabeshima 2015).

Coefficients may be of any size. Its searches have no time limit and can't be interrupted: the harness kills a worker
that overruns. Its optimiser prints on standard output, and shows no solution before the end: it is not used.
"""

from collections.abc import Mapping
from typing import Any

from backends.shared.zero_one import Load, Stuck, ZeroOneBackend
from puzzles.packages import version

AT_LEAST, EQUAL = 1, 0


class NapsProgramme:
    """NaPS solver that takes further rows between searches."""

    def __init__(self, load: Load) -> None:
        import naps

        self.statuses = naps.SolverStatus
        self.solver = naps.PbSolver()
        variables = [self.solver.getVar(f"x{k}") for k in range(1, load.rows.last + 1)]
        self.literals = [
            None,
            *(naps.Lit(variable) for variable in variables),
            *(naps.Lit(variable, True) for variable in variables[::-1]),
        ]
        for k in load.true:
            self.add({k: 1}, 1, AT_LEAST)
        for terms, bound, equal in load.rows.rows:
            self.add(terms, bound, EQUAL if equal else AT_LEAST)

    def add(self, terms: Mapping[int, int], bound: int, sign: int) -> None:
        literals: list[Any] = [self.literals[k] for k in terms]
        self.solver.addConstr(literals, list(terms.values()), bound, sign)

    def solve(self) -> bool | None:
        self.solver.coding()
        status = self.solver.solve()
        if status not in (self.statuses.sat, self.statuses.unsat):
            raise Stuck(f"NaPS ends with {status.name}")
        return bool(status == self.statuses.sat)

    def model(self) -> list[int]:
        return [k if value else -k for k, value in enumerate(self.solver.best_model, 1)]

    def forbid(self, clause: list[int]) -> None:
        self.add(dict.fromkeys(clause, 1), 1, AT_LEAST)

    def counters(self) -> Mapping[str, int]:
        return {}


def backends() -> tuple[ZeroOneBackend, ...]:
    """Return the only variant. Raises ModuleNotFoundError if pynaps is not installed."""
    return (ZeroOneBackend("naps", f"pynaps {version('pynaps')}", NapsProgramme, can=frozenset({"count", "domains"})),)
