"""Incremental solvers behind one protocol: python-sat's, ours, clingo, z3 and CP-SAT."""

from collections.abc import Iterable, Sequence
from time import monotonic_ns
from time import perf_counter_ns as now
from typing import Any, ClassVar, Protocol

from backends.pysat import SOLVERS as CAPABILITIES
from backends.pysat.handle import SolverHandle
from backends.shared.watchdog import WATCHDOG

Clauses = Iterable[Sequence[int]]


class Incremental(Protocol):
    """A solver: `solve` returns True if a model exists, False if not, None after the deadline (ns of the clock `now`).

    model  the true literals of the last model          core  assumptions that contradict the clauses, 0 for another
    """

    package: ClassVar[str]

    def __init__(self, name: str) -> None: ...
    def add(self, clauses: Clauses) -> None: ...
    def solve(self, assumptions: Sequence[int], deadline: int) -> bool | None: ...
    def model(self) -> Sequence[int]: ...
    def core(self) -> Sequence[int]: ...
    def close(self) -> None: ...


class PySatQueries:
    """A solver of python-sat."""

    package: ClassVar[str] = "pysat"

    def __init__(self, name: str) -> None:
        self.handle = SolverHandle(name, CAPABILITIES[name], {})
        self.handle.load([(1, -1)])  # maplesat crashes without clauses

    def add(self, clauses: Clauses) -> None:
        self.handle.load(clauses)

    def solve(self, assumptions: Sequence[int], deadline: int) -> bool | None:
        return self.handle.solve(deadline, assumptions)

    def model(self) -> Sequence[int]:
        return self.handle.model()

    def core(self) -> Sequence[int]:
        return self.handle.solver.get_core() or ()

    def close(self) -> None:
        self.handle.delete()


class Z3Queries:
    """Z3's solver, with checks under assumptions."""

    package: ClassVar[str] = "z3"

    def __init__(self, name: str) -> None:
        import z3

        self.z3, self.solver, self.known = z3, z3.Solver(), dict[int, Any]()

    def term(self, p: int) -> Any:
        if p not in self.known:
            name = self.z3.Bool(f"x{abs(p)}")
            self.known[p] = name if p > 0 else self.z3.Not(name)
        return self.known[p]

    def add(self, clauses: Clauses) -> None:
        for clause in clauses:
            self.solver.add(self.z3.Or(*map(self.term, clause)) if clause else self.z3.BoolVal(False))

    def solve(self, assumptions: Sequence[int], deadline: int) -> bool | None:
        self.solver.set("timeout", milliseconds(deadline))
        self.terms = {str(self.term(p)): p for p in assumptions}
        found = self.solver.check(*map(self.term, assumptions))
        return None if found == self.z3.unknown else bool(found == self.z3.sat)

    def model(self) -> Sequence[int]:
        found = self.solver.model()
        return [int(str(x)[1:]) for x in found if self.z3.is_true(found[x])]

    def core(self) -> Sequence[int]:
        return [self.terms[str(term)] for term in self.solver.unsat_core()]

    def close(self) -> None:
        self.known.clear()


class CpSatQueries:
    """CP-SAT with assumptions: the model grows, and each ask solves it anew.

    With presolve, cores of OR-Tools 9.15 have literals that are not assumed: of x1 or x2, not x1 or x2, not x2 or x3
    under x2 and not x3 it is not x2.
    """

    package: ClassVar[str] = "ortools"

    def __init__(self, name: str) -> None:
        from ortools.sat.python import cp_model

        self.cp, self.built, self.known = cp_model, cp_model.CpModel(), dict[int, Any]()

    def term(self, p: int) -> Any:
        x = abs(p)
        if x not in self.known:
            self.known[x] = self.built.new_bool_var(f"x{x}")
        return self.known[x] if p > 0 else ~self.known[x]

    def add(self, clauses: Clauses) -> None:
        for clause in clauses:
            self.built.add_bool_or(list(map(self.term, clause)))

    def solve(self, assumptions: Sequence[int], deadline: int) -> bool | None:
        self.assumed = assumptions
        self.built.clear_assumptions()
        self.built.add_assumptions(list(map(self.term, assumptions)))
        status = self.solved(self.built, deadline, cp_model_presolve=False)
        known = {self.cp.OPTIMAL: True, self.cp.FEASIBLE: True, self.cp.INFEASIBLE: False}
        return known.get(status)

    def solved(self, model: Any, deadline: int, **parameters: bool) -> int:
        """Return the status of a model, solved by a new solver with one worker."""
        self.solver = self.cp.CpSolver()
        for name, value in parameters.items():
            setattr(self.solver.parameters, name, value)
        self.solver.parameters.num_workers = 1
        self.solver.parameters.max_time_in_seconds = milliseconds(deadline) / 1000
        status: int = self.solver.solve(model)
        return status

    def model(self) -> Sequence[int]:
        return [x for x, term in self.known.items() if self.solver.boolean_value(term)]

    def core(self) -> Sequence[int]:
        names = {self.term(p).index: p for p in self.assumed}
        return [names.get(i, 0) for i in self.solver.sufficient_assumptions_for_infeasibility()]

    def close(self) -> None:
        self.known.clear()


class NativeQueries:
    """Our solver that learns clauses."""

    package: ClassVar[str] = "numba"

    def __init__(self, name: str) -> None:
        from backends.native.cdcl import state as at
        from backends.native.cdcl.models import NOTHING, CdclModels, compile_kernels
        from backends.native.cdcl.rules import ClausesAndRules

        compile_kernels()
        self.models = CdclModels(ClausesAndRules(NOTHING, 1), [], 1.0, proving=False)
        self.models.state.counts[[at.WALKS, at.EFFORT]] = at.NEVER  # walks know no later clauses

    def reach(self, literals: Iterable[int]) -> None:
        """Make the variables of literals known."""
        for _ in range(self.models.variables, max(map(abs, literals), default=0)):
            self.models.new()

    def add(self, clauses: Clauses) -> None:
        flat = [p for clause in clauses for p in (*clause, 0)]
        if flat:
            self.reach(flat)
            self.models.add(flat)

    def solve(self, assumptions: Sequence[int], deadline: int) -> bool | None:
        self.reach(assumptions)
        self.models.core = []
        assumed = dict.fromkeys(assumptions)
        if both := next((p for p in assumed if -p in assumed), 0):
            self.models.core = [both, -both]
            return False
        self.models.deadline = monotonic_ns() + deadline - now()
        return self.search([*assumed])

    def search(self, assumed: list[int]) -> bool | None:
        """Solve under assumptions of distinct variables."""
        return self.models.solve(assumed)

    def model(self) -> Sequence[int]:
        return self.models.model()

    def core(self) -> Sequence[int]:
        return self.models.core

    def close(self) -> None:
        del self.models


class ClingoQueries:
    """Clingo's solver, with atoms that are free and integrity constraints for clauses."""

    package: ClassVar[str] = "clingo"

    def __init__(self, name: str) -> None:
        import clingo

        self.control, self.atoms = clingo.Control(["--warn=none"], logger=lambda *_: None), dict[int, int]()
        self.found, self.failed = list[int](), list[int]()

    def literals(self, given: Iterable[int], backend: Any) -> list[int]:
        """Return literals as clingo's; new variables become free atoms."""
        for x in map(abs, given):
            if x not in self.atoms:
                self.atoms[x] = backend.add_atom()
                backend.add_rule([self.atoms[x]], choice=True)
        return [self.atoms[p] if p > 0 else -self.atoms[-p] for p in given]

    def add(self, clauses: Clauses) -> None:
        with self.control.backend() as backend:
            for clause in clauses:
                backend.add_rule([], [-a for a in self.literals(clause, backend)])

    def solve(self, assumptions: Sequence[int], deadline: int) -> bool | None:
        with self.control.backend() as backend:
            assumed = self.literals(assumptions, backend)
        with WATCHDOG.watching(deadline, self.control.interrupt):
            result = self.control.solve(assumptions=assumed, on_model=self.keep, on_core=self.keep_core)
        found: bool | None = result.satisfiable
        return found

    def keep(self, model: Any) -> bool:
        """Keep the true variables of a model, and end the search."""
        self.found = [x for x, atom in self.atoms.items() if model.is_true(atom)]
        return False

    def keep_core(self, core: Sequence[int]) -> None:
        self.failed = list(core)

    def model(self) -> Sequence[int]:
        return self.found

    def core(self) -> Sequence[int]:
        numbers = {atom: x for x, atom in self.atoms.items()}
        return [numbers[a] if a > 0 else -numbers[-a] for a in self.failed]

    def close(self) -> None:
        self.atoms.clear()


def milliseconds(deadline: int) -> int:
    """Return the time to a deadline, at least 1."""
    return max(1, (deadline - now()) // 1_000_000)


MELTING = "lingeling"  # ends the process at a later clause or assumption of a variable that it eliminated
PYSAT = [name for name, known in CAPABILITIES.items() if known.incremental and name != MELTING]
OTHERS: dict[str, type[Incremental]] = {
    "native": NativeQueries,
    "clingo": ClingoQueries,
    "z3": Z3Queries,
    "cpsat": CpSatQueries,
}
SOLVERS: dict[str, type[Incremental]] = {**dict.fromkeys(PYSAT, PySatQueries), **OTHERS}
