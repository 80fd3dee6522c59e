"""Z3 sessions: the script is parsed once, and asserted in a fresh solver for each ask."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from time import perf_counter_ns as now
from typing import Any, Protocol

from backends.contract.answer import COUNTERS, Answer, Ask, Phases, Reason, Status
from backends.contract.options import Value
from backends.shared.enumeration import Values, enumerate_solutions
from puzzles.problem.values import Domains, Solution

STOPPED = ("timeout", "canceled")


class ReadScript(Protocol):
    """A script's text and the meaning of its models."""

    text: str

    def givens(self, domains: Domains) -> list[Any]: ...

    def solution(self, model: Any, domains: Domains) -> Solution: ...

    def differs(self, solution: Solution) -> list[Any]: ...


class Z3Session:
    """One script, a fresh solver for each ask: the solver of a logic, or Z3's own choice."""

    def __init__(self, read: Callable[[Any, Any], ReadScript], logic: str | None, options: Mapping[str, Value]) -> None:
        import z3

        self.options = {"random_seed": 0, **options}
        self.z3, self.logic, self.context = z3, logic, z3.main_ctx()  # one of its own takes 2 to 10 ms
        self.script = read(z3, self.context)
        self.base = self.conjunction(z3.parse_smt2_string(self.script.text, ctx=self.context))

    def conjunction(self, formulas: Any) -> Any:
        """Return one formula for all: asserting them one by one costs a call for each."""
        core, context, vector = self.z3.z3core, self.context.ref(), formulas.vector
        count = len(formulas)
        parts = (self.z3.Ast * count)(*[core.Z3_ast_vector_get(context, vector, i) for i in range(count)])
        return self.z3.BoolRef(core.Z3_mk_and(context, count, parts), self.context)

    def ask(self, ask: Ask) -> Answer:
        begin = now()
        if 0 in ask.domains:
            return Answer(Status.UNSATISFIABLE, complete=True, phases=Phases(load=now() - begin))
        models = Z3Models(self, ask, begin + int(ask.seconds * 1e9))
        found = enumerate_solutions(models, Values(), ask, now() - begin)
        answer = found.answer(models.counters())
        if models.gave_up:
            return replace(answer, reason=Reason.STUCK, note=f"Z3 gives up: {models.gave_up}")
        return answer

    def close(self) -> None:
        """Do nothing: Z3 frees terms and solvers with their last reference."""


class Z3Models:
    """The models of one ask. A model is the list of its solution's values."""

    def __init__(self, session: Z3Session, ask: Ask, deadline: int) -> None:
        z3, self.script, self.domains, self.deadline = session.z3, session.script, ask.domains, deadline
        self.z3, self.gave_up = z3, ""
        context = session.context
        self.solver = z3.SolverFor(session.logic, ctx=context) if session.logic else z3.Solver(ctx=context)
        for name, value in session.options.items():
            self.solver.set(name, value)
        self.solver.add(session.base, *self.script.givens(ask.domains))

    def solve(self) -> bool | None:
        left = (self.deadline - now()) // 1_000_000
        if left <= 0:
            return None
        self.solver.set("timeout", min(left, 1 << 31))
        result = self.solver.check()
        if result == self.z3.unknown:
            reason = self.solver.reason_unknown()
            self.gave_up = "" if reason in STOPPED or now() >= self.deadline else reason
            return None
        return bool(result == self.z3.sat)

    def model(self) -> list[int]:
        return list(self.script.solution(self.solver.model(), self.domains))

    def forbid(self, clause: list[int]) -> None:
        """Exclude a solution."""
        self.solver.add(self.z3.Or(self.script.differs(tuple(clause))))

    def counters(self) -> dict[str, int]:
        """Return the counters of the last search, whatever part of Z3 kept them."""
        statistics = self.solver.statistics()
        found = {key.removeprefix("sat ").removeprefix("sat-"): value for key, value in statistics}
        return {name: int(found[name]) for name in COUNTERS if name in found}
