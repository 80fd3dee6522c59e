"""Groups of clauses under assumptions: which groups contradict each other, by the core of a SAT solver.

group   clauses that hold together, behind one selector that is assumed if the group is asked
"""

import threading
from collections.abc import Collection, Iterable, Sequence

from pysat.solvers import Solver

Clauses = Iterable[Sequence[int]]


class GroupSolver:
    """SAT solver that is asked for a model of the background and some groups, or for a core of these."""

    def __init__(self, name: str, variables: int, background: Clauses, groups: Sequence[Clauses]) -> None:
        self.solver, self.variables = Solver(name), variables
        for clause in background:
            self.solver.add_clause(list(clause))
        for number, clauses in enumerate(groups):
            for clause in clauses:
                self.solver.add_clause([*clause, -self.selector(number)])

    def selector(self, group: int) -> int:
        """Return the variable that is assumed for a group."""
        return self.variables + 1 + group

    def ask(self, groups: Collection[int], seconds: float) -> tuple[bool | None, list[int]]:
        """Return True with a model, False with the groups of a core, or None if the time is up."""
        timer = threading.Timer(seconds, self.solver.interrupt)
        timer.start()
        try:
            found = self.solver.solve_limited([self.selector(g) for g in groups], expect_interrupt=True)
        finally:
            timer.cancel()
        self.solver.clear_interrupt()
        if found is None:
            return None, []
        if found:
            return True, (self.solver.get_model() or [])[: self.variables]
        return False, [x - self.variables - 1 for x in self.solver.get_core() or []]

    def close(self) -> None:
        self.solver.delete()
