"""One solver object of python-sat.

Clauses are added by python-sat's compiled `add_cl`, one call per clause, since it has no call for several. python-sat's
own loop takes 100 ns more per clause, and a call that makes a tuple of its arguments 30; `zip` reuses its tuple
(benchmarks/loading.py).

A deadline must not change the search. Each call of MiniSat and its heirs resets the limit of learned clauses and the
restarts, so calls of 20,000 conflicts each made long searches up to ten times as long (benchmarks/deadlines.py).
Solvers that can be interrupted therefore search in one call. CaDiCaL can't, and gets few calls, each twice as long as
the last. Solvers without a conflict budget can only be stopped from outside. A search without a deadline is left to
python-sat, which then ends it on Ctrl-C.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import chain, repeat, starmap
from time import perf_counter_ns as now
from typing import Any

import numpy as np

from backends.contract.options import Value
from backends.pysat.solvers import Capabilities
from backends.shared.hiding import hidden
from backends.shared.watchdog import WATCHDOG
from encoders.cnf import Signs
from encoders.formula import Cnf, Int32Array
from puzzles.constraints.clauses import clause_blocks

FIRST_SLICE = 20_000  # conflicts
FAR = 3600 * 10**9  # ns: a deadline beyond is none
Clause = Sequence[int]
AtMost = Sequence[tuple[tuple[int, ...], int]]


@dataclass(frozen=True)
class Blocks:
    """The clauses of a file, split anew at each loading: a session on a file is asked once."""

    clauses: Int32Array

    def __iter__(self) -> Iterator[Clause]:
        return chain.from_iterable(clause_blocks(self.clauses))


def clauses_of(formula: Cnf) -> Iterable[Clause]:
    """Return the clauses; a tautology if there are none, since maplesat crashes then."""
    if not len(formula.clauses):
        return [[1, -1]]
    return Blocks(formula.clauses) if isinstance(formula.literal, Signs) else compact_clauses(formula.clauses)


def compact_clauses(flat: Int32Array) -> list[Clause]:
    """Return the clauses as tuples that share one object per literal.

    Each of the lists that numpy makes has objects of its own, which a fragmented heap spreads: reading them can then
    take longer than all else in loading.
    """
    top = int(np.abs(flat).max(initial=0))
    shared = np.array([*range(top + 1), *range(-top, 0)], dtype=object)  # by literal: negative ones index from the end
    literals, ends = tuple(shared[flat].tolist()), np.flatnonzero(flat == 0).tolist()
    return [literals[start:end] for start, end in zip([0, *(end + 1 for end in ends)], ends, strict=False)]


@cache
def solvers() -> Any:
    """Import python-sat's solvers, without pycryptosat, which they import where it is installed."""
    with hidden("pycryptosat"):
        return import_module("pysat.solvers")


class SolverHandle:
    """A solver object: adds clauses, solves, and returns the model, the counters and the proof."""

    def __init__(self, name: str, features: Capabilities, parameters: Mapping[str, Value], proof: bool = False) -> None:
        solver = solvers().Solver
        self.features = features
        self.solver: Any = solver(name, with_proof=True) if proof else solver(name)
        for parameter, value in parameters.items():  # of several, Glucose42's `configure` sets one
            self.solver.configure({parameter: value})
        self.capsule = next(h for h in vars(self.solver.solver).values() if type(h).__name__ == "PyCapsule")
        self.add_clause: Callable[..., bool] = getattr(import_module("pysolvers"), f"{features.prefix}_add_cl")

    def load(self, clauses: Iterable[Clause], at_most: AtMost = ()) -> None:
        deque(starmap(self.add_clause, zip(repeat(self.capsule), clauses)), maxlen=0)  # noqa: RUF058 - slower
        for literals, k in at_most:
            self.solver.add_atmost(literals, k)

    def solve(self, deadline: int, assumptions: Sequence[int] = ()) -> bool | None:
        """Return True if a model exists, False if not, None after the deadline, in ns of the clock `now`."""
        if not self.features.budget or deadline - now() > FAR:
            return self.solve_freely(assumptions)
        if self.features.interrupt:
            return self.solve_watched(deadline, assumptions)
        found, budget = None, FIRST_SLICE
        while found is None and (began := now()) < deadline:
            self.solver.conf_budget(budget)
            found = self.solver.solve_limited(assumptions)
            budget = 1 + int(budget * min(2.0, (deadline - now()) / (now() - began)))
        return found

    def solve_freely(self, assumptions: Sequence[int]) -> bool:
        """Solve without a deadline."""
        try:
            return self.solver.solve(assumptions)  # type: ignore[no-any-return]
        except Exception as e:
            if str(e) == "Caught keyboard interrupt":  # pysolvers has a handler of its own
                raise KeyboardInterrupt from e
            raise

    def solve_watched(self, deadline: int, assumptions: Sequence[int]) -> bool | None:
        """Solve in one call, which releases the GIL, and which the watchdog interrupts."""
        if now() >= deadline:
            return None
        with WATCHDOG.watching(deadline, self.solver.interrupt):
            found: bool | None = self.solver.solve_limited(assumptions, expect_interrupt=True)
        self.solver.clear_interrupt()  # it may have come too late
        return found

    def model(self) -> list[int]:
        return self.solver.get_model() or []

    def counters(self) -> dict[str, int]:
        if not self.features.counters:
            return {}
        stats = self.solver.accum_stats()
        return {name: stats[name] for name in self.features.counters}

    def proof(self) -> bytes:
        """Return the proof as DRUP lines: implied clauses, ended by 0, and deletions, which start with d."""
        return "\n".join(self.solver.get_proof() or ()).encode()

    def delete(self) -> None:
        self.solver.delete()
