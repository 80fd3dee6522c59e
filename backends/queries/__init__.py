"""Solvers that keep their state over the asks of a query script: `queries:SOLVER`, and anew with `[fresh=1]`.

A solver is an `Incremental` in `solvers.py`: clauses are added, and asks made under assumptions; of scripts with soft
literals an `Optimiser` in `optimisers.py`. Each ask is timed from outside, with its clauses; models and cores are read
after it, and checked by the judge.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from time import perf_counter_ns as now
from time import process_time_ns
from typing import Any

from backends.contract.answer import (
    ONLY_SOFT_QUERIES,
    QUERIES,
    SOFT_QUERIES,
    Answer,
    Ask,
    InMemory,
    Phases,
    Reason,
    Session,
    Status,
    query_refusal,
)
from backends.contract.description import Missing
from backends.contract.options import Configured, Option
from backends.queries.models import CpSatModel, ModelAsLiterals
from backends.queries.optimisers import OPTIMISERS
from backends.queries.solvers import SOLVERS
from backends.shared.wheels import wheel_of
from encoders.formula import Cnf, Formula, QueryFormula, Unsupported, kinds_of
from puzzles.objectives.queries import FOREIGN, QueryScript
from puzzles.problem.values import Solution

FRESH = Option("fresh", "int", (0, 1))  # 1: a new solver for each ask


@dataclass(frozen=True)
class QueryBackend(Configured):
    """An incremental solver by its name in SOLVERS, OPTIMISERS or both."""

    solver: str
    accepts: frozenset[type] = frozenset({Cnf, QueryFormula})
    can: frozenset[str] = frozenset({QUERIES, "domains"})
    options: tuple[Option, ...] = (FRESH,)

    def open(self, formula: Formula) -> Session:
        if not isinstance(formula, QueryFormula):
            raise Unsupported(f"{self.name} takes query scripts, not {kinds_of(formula)}")
        if why := query_refusal(self.name, self.can, formula.script.weighted):
            raise Unsupported(why)
        return QuerySession(formula, self.solver, bool(self.chosen.get("fresh")))


class QuerySession(InMemory):
    """One script, asked in one solver, or each ask in a new one."""

    def __init__(self, formula: QueryFormula, solver: str, fresh: bool) -> None:
        self.script, self.solver, self.fresh, self.form = formula.script, solver, fresh, formula.model
        self.literals = ModelAsLiterals(formula) if formula.model and solver != "cpsat" else None

    def ask(self, ask: Ask) -> Answer:
        begin = now()
        deadline, answers = begin + int(ask.seconds * 1e9), KeptAnswers(self.script)
        clauses, costs, load, solve = list[list[int]](), dict[int, int](), 0, 0
        asks, every, solver = (self.literals or self.script).asks, self.script.every, self.opened()
        try:
            for number, (added, assumptions, soft) in enumerate(asks, 1):
                start, cpu = now(), process_time_ns()
                if self.fresh:
                    clauses += added
                    if number > 1:
                        solver.close()
                        solver = self.opened()
                solver.add(clauses if self.fresh else added)
                if self.script.weighted:
                    costs |= soft
                    solver.weigh(costs, self.script.variables)
                loaded = now()
                satisfiable = solver.solve(assumptions, deadline)
                ended = now()
                load, solve = load + loaded - start, solve + ended - loaded
                answers.times.append(process_time_ns() - cpu)
                if satisfiable is None:
                    note = f"cut at ask {number} of {len(asks)}"
                    solution = (answers.solution(),)
                    return Answer(Status.SATISFIABLE, solution, reason=Reason.TIMEOUT, note=note, times=answers.times)
                at = number - 1 if satisfiable else len(asks) + number - 1
                answers.flags[at] = 1
                if number % every == 0:
                    answers.flags[at] = answers.keep(solver, satisfiable, number, self.literals)
        finally:
            solver.close()
        known = Answer(Status.SATISFIABLE, (answers.solution(),), complete=True, value=-answers.found)
        return replace(known, phases=Phases(load=load, solve=solve), times=answers.times)

    def opened(self) -> Any:
        """Return a new solver without clauses."""
        if self.form and self.solver == "cpsat":
            return CpSatModel(self.form)
        return (OPTIMISERS if self.script.weighted else SOLVERS)[self.solver](self.solver)


class KeptAnswers:
    """KeptAnswers to the asks of a script so far, as values of a solution.

    flags  of satisfiable asks, then of unsatisfiable ones   rows   models and cores of kept asks
    found  by kept asks: 1, and what their models save       times  nanoseconds of CPU time of each ask
    """

    def __init__(self, script: QueryScript) -> None:
        self.script, self.flags = script, bytearray(2 * len(script))
        self.rows: bytearray | list[int] = bytearray() if script.model is None else []
        self.found, self.times = 0, list[int]()

    def keep(self, solver: Any, satisfiable: bool, number: int, literals: ModelAsLiterals | None) -> int:
        """Keep the model of the last ask, in which a variable that it lacks is false, or its core; return its flag."""
        script, at = self.script, number - 1
        assumed = script.asks[at].assumptions
        if satisfiable:
            self.found += 1 + (script.totals[at] - solver.value if script.weighted else 0)
            if script.model is not None:
                self.rows.extend(literals.row(solver.model()) if literals else solver.model())
                return 1
        names = dict(zip((literals or script).asks[at].assumptions, assumed, strict=True))
        true = solver.model() if satisfiable else [names.get(p, 0) for p in solver.core()]
        row = [int(script.true == 0)] * script.variables if script.model else bytearray(script.variables)
        foreign = not satisfiable and 0 in true
        for p in () if foreign else true:
            if (p > 0 or not satisfiable) and abs(p) <= script.variables:
                row[abs(p) - 1] = script.true
        self.rows.extend(row)
        return FOREIGN if foreign else 1

    def solution(self) -> Solution:
        """Return the solution, in which asks to come have no answer."""
        return (*self.flags, *self.rows, *bytes(self.script.cells - len(self.flags) - len(self.rows)))


def backends() -> Iterable[QueryBackend | Missing]:
    """Return the incremental solvers; those whose package is not installed are missing."""
    for name, solver in {**SOLVERS, **OPTIMISERS}.items():
        known = wheel_of(f"queries:{name}", solver.package)
        can = {"domains": True, QUERIES: True, SOFT_QUERIES: name in OPTIMISERS, ONLY_SOFT_QUERIES: name not in SOLVERS}
        has = frozenset(ability for ability, true in can.items() if true)
        yield known if isinstance(known, Missing) else QueryBackend(f"queries:{name}", known, name, can=has)
