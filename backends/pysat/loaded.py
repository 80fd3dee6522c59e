"""One solver object of python-sat, and the board between its literals and our squares.

Clauses go in through python-sat's compiled `add_cl`: its Python wrapper costs half as much again as the loading itself.
`solve()` holds the interpreter and most solvers ignore interrupts, so the deadline is looked at after every SLICE
conflicts, where the solver takes a conflict budget; the rest can only be stopped from outside.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from importlib import import_module
from time import perf_counter_ns as now
from typing import Any

import numpy as np

from backends.answer import Answer, Phases, Reason, Status
from backends.pysat import Solver
from encoders.formula import Cnf
from puzzles.layout import Domains, Solution, bits

SLICE = 20_000
Clause = list[int]
AtMost = Sequence[tuple[tuple[int, ...], int]]


def split(formula: Cnf) -> list[Clause]:
    """The clauses as lists. A formula without any gets one that binds nothing, since maplesat crashes on none."""
    flat = formula.clauses.tolist()
    ends = np.flatnonzero(formula.clauses == 0).tolist()
    starts = [0, *(e + 1 for e in ends)]
    return [flat[a:b] for a, b in zip(starts, ends, strict=False)] or [[1, -1]]


class Loaded:
    """One solver object: add clauses, solve, read the model, the counters and the proof."""

    def __init__(self, name: str, known: Solver, proof: bool = False) -> None:
        solvers = import_module("pysat.solvers")
        self.known = known
        self.solver: Any = solvers.Solver(name, with_proof=True) if proof else solvers.Solver(name)
        handle = next(h for h in vars(self.solver.solver).values() if type(h).__name__ == "PyCapsule")
        self.add: Callable[[Clause], None] = partial(
            getattr(import_module("pysolvers"), f"{known.prefix}_add_cl"), handle
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
        if not self.known.budget:
            found = self.solver.solve(assumptions)
            return found
        while now() < deadline:
            self.solver.conf_budget(SLICE)
            found = self.solver.solve_limited(assumptions)
            if found is not None:
                return found
        return None

    def model(self) -> list[int]:
        return self.solver.get_model() or []

    def counters(self) -> dict[str, int]:
        if not self.known.counts:
            return {}
        stats = self.solver.accum_stats()
        return {name: stats[name] for name in self.known.counts}

    def proof(self) -> bytes:
        """The proof as DRUP lines: clauses that follow, each ended by 0, and deletions that start with d."""
        return "\n".join(self.solver.get_proof() or ()).encode()

    def delete(self) -> None:
        self.solver.delete()


class Squares:
    """What stands between a board and the literals of a formula."""

    def __init__(self, literal: Sequence[Sequence[int]]) -> None:
        self.literal = literal
        self.full = (1 << len(literal[0])) - 1 if literal else 0
        self.masks: dict[int, tuple[int, ...]] = {}

    def values(self, mask: int) -> tuple[int, ...]:
        """The values in a mask, kept, since puzzles share their masks."""
        found = self.masks.get(mask)
        if found is None:
            found = self.masks[mask] = tuple(bits(mask))
        return found

    def true(self, domains: Domains) -> list[int]:
        """What a puzzle says: its givens, and, negated, the values that a square may not take."""
        literals: list[int] = []
        full, literal = self.full, self.literal
        for s, mask in enumerate(domains):
            if mask == full:
                continue
            if mask and not mask & (mask - 1):
                literals.append(literal[s][mask.bit_length() - 1])
            else:
                literals += [-literal[s][v] for v in self.values(full & ~mask)]
        return literals

    def decode(self, model: Iterable[int], domains: Domains) -> Solution:
        """The value of each square. Only the domain is read: some solvers set variables that no clause holds."""
        true = set(model)
        solution = []
        for row, mask in zip(self.literal, domains, strict=True):
            for v in self.values(mask):
                if row[v] in true:
                    solution.append(v)
                    break
        return tuple(solution)

    def forbid(self, solution: Solution) -> Clause:
        """The clause that no solution but this one satisfies; empty on a board without squares."""
        return list({-row[v] for row, v in zip(self.literal, solution, strict=True)})


def answer(
    solutions: list[Solution], found: bool | None, counters: dict[str, int], phases: Phases, proof: bytes | None = None
) -> Answer:
    """What was seen: `found` is the last word of the solver, whose "no" makes the answer complete."""
    complete = found is False
    status = Status.SATISFIABLE if solutions else Status.UNSATISFIABLE if complete else Status.UNKNOWN
    reason = Reason.TIMEOUT if found is None else Reason.NONE
    return Answer(status, tuple(solutions), complete, reason, counters, phases, proof)
