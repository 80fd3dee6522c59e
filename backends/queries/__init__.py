"""Solvers that keep their state over the asks of a query script: `queries:SOLVER`, and anew with `[fresh=1]`.

A solver is an `Incremental` in `solvers.py`: clauses are added, and asks made under assumptions. Each ask is timed from
outside. Cores have to be assumptions; models are checked by the judge.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from time import perf_counter_ns as now

from backends.contract.answer import QUERIES, Answer, Ask, InMemory, Phases, Reason, Session, Status
from backends.contract.description import Missing
from backends.contract.options import Configured, Option
from backends.queries.solvers import SOLVERS, Incremental
from backends.shared.wheels import wheel_of
from encoders.formula import Cnf, Formula, QueryFormula, Unsupported, kinds_of
from puzzles.problem.values import Solution

FRESH = Option("fresh", "int", (0, 1))  # 1: a new solver for each ask


@dataclass(frozen=True)
class QueryBackend(Configured):
    """An incremental solver by its name in SOLVERS."""

    solver: str
    accepts: frozenset[type] = frozenset({Cnf, QueryFormula})
    can: frozenset[str] = frozenset({QUERIES, "domains"})
    options: tuple[Option, ...] = (FRESH,)

    def open(self, formula: Formula) -> Session:
        if not isinstance(formula, QueryFormula):
            raise Unsupported(f"{self.name} takes query scripts, not {kinds_of(formula)}")
        return QuerySession(formula, self.solver, bool(self.chosen.get("fresh")))


class QuerySession(InMemory):
    """One script, asked in one solver, or each ask in a new one."""

    def __init__(self, formula: QueryFormula, solver: str, fresh: bool) -> None:
        self.script, self.solver, self.fresh = formula.script, solver, fresh

    def ask(self, ask: Ask) -> Answer:
        begin = now()
        deadline, size = begin + int(ask.seconds * 1e9), self.script.variables
        models, found, load, solve = list[int](), 0, 0, 0
        clauses, solver = list[list[int]](), self.opened()
        try:
            for number, (added, assumptions) in enumerate(self.script.asks, 1):
                start = now()
                clauses += added
                if self.fresh and number > 1:
                    solver.close()
                    solver = self.opened()
                solver.add(clauses if self.fresh else added)
                loaded = now()
                satisfiable = solver.solve(assumptions, deadline)
                load, solve = load + loaded - start, solve + now() - loaded
                if satisfiable is None:
                    return self.unfinished(models, number)
                if not satisfiable and (other := set(solver.core()) - set(assumptions)):
                    raise ValueError(f"wrong at ask {number}: its core has {min(other, key=abs)}, which is not assumed")
                found += satisfiable
                models += row(solver.model(), size) if satisfiable else [0] * size
        finally:
            solver.close()
        phases = Phases(load=load, solve=solve)
        return Answer(Status.SATISFIABLE, (tuple(models),), complete=True, value=-found, phases=phases)

    def opened(self) -> Incremental:
        """Return a new solver without clauses."""
        return SOLVERS[self.solver](self.solver)

    def unfinished(self, models: list[int], number: int) -> Answer:
        """Return the answer of a script that is cut at an ask."""
        size = len(self.script) * self.script.variables
        solution: Solution = (*models, *[0] * (size - len(models)))
        note = f"cut at ask {number} of {len(self.script)}"
        return Answer(Status.SATISFIABLE, (solution,), reason=Reason.TIMEOUT, note=note)


def row(model: Iterable[int], size: int) -> list[int]:
    """Return a model as values of the variables of a script; a variable that it lacks is false."""
    values = [0] * size
    for p in model:
        if 0 < p <= size:
            values[p - 1] = 1
    return values


def backends() -> Iterable[QueryBackend | Missing]:
    """Return the incremental solvers; those whose package is not installed are missing."""
    for name, solver in SOLVERS.items():
        known = wheel_of(f"queries:{name}", solver.package)
        yield known if isinstance(known, Missing) else QueryBackend(f"queries:{name}", known, name)
