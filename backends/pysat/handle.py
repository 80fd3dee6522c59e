"""One solver object of python-sat.

Clauses go in through python-sat's compiled `add_cl`: its Python wrapper costs half as much again as the loading itself.
`solve()` holds the interpreter and most solvers ignore interrupts, so the deadline is looked at after every SLICE
conflicts, where the solver takes a conflict budget; the rest can only be stopped from outside.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from importlib import import_module
from time import perf_counter_ns as now
from typing import Any

from backends.pysat import Solver
from encoders.formula import Cnf

CONFLICT_SLICE = 20_000
Clause = list[int]
AtMost = Sequence[tuple[tuple[int, ...], int]]


def clauses_of(formula: Cnf) -> list[Clause]:
    """The clauses as lists. A formula without any gets one that binds nothing, since maplesat crashes on none."""
    return formula.clause_lists() or [[1, -1]]


class SolverHandle:
    """One solver object: add clauses, solve, read the model, the counters and the proof."""

    def __init__(self, name: str, features: Solver, proof: bool = False) -> None:
        solvers = import_module("pysat.solvers")
        self.features = features
        self.solver: Any = solvers.Solver(name, with_proof=True) if proof else solvers.Solver(name)
        handle = next(h for h in vars(self.solver.solver).values() if type(h).__name__ == "PyCapsule")
        self.add: Callable[[Clause], None] = partial(
            getattr(import_module("pysolvers"), f"{features.prefix}_add_cl"), handle
        )

    def load(self, clauses: Iterable[Clause], at_most: AtMost = ()) -> None:
        add = self.add
        for clause in clauses:
            add(clause)
        for literals, k in at_most:
            self.solver.add_atmost(literals, k)

    def solve(self, deadline: int, assumptions: Sequence[int] = ()) -> bool | None:
        """Whether there is a model, or None when the deadline, in ns of the clock `now`, has passed."""
        found: bool | None
        if not self.features.budget:
            found = self.solver.solve(assumptions)
            return found
        while now() < deadline:
            self.solver.conf_budget(CONFLICT_SLICE)
            found = self.solver.solve_limited(assumptions)
            if found is not None:
                return found
        return None

    def model(self) -> list[int]:
        return self.solver.get_model() or []

    def counters(self) -> dict[str, int]:
        if not self.features.counters:
            return {}
        stats = self.solver.accum_stats()
        return {name: stats[name] for name in self.features.counters}

    def proof(self) -> bytes:
        """The proof as DRUP lines: clauses that follow, each ended by 0, and deletions that start with d."""
        return "\n".join(self.solver.get_proof() or ()).encode()

    def delete(self) -> None:
        self.solver.delete()
