"""Z3 sessions of problems with an objective: a fresh `Optimize` for each ask, which minimises one term."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from time import perf_counter_ns as now
from typing import Any

from backends.contract.answer import Answer, Ask, Phases, Reason, Status
from backends.contract.options import Value
from backends.shared.incumbent import Incumbent, value_of_solutions
from backends.z3.models import Numbers
from backends.z3.session import STOPPED, Z3Session
from encoders.formula import Constraints
from encoders.smt import script
from encoders.smt.objectives import goal_of


class Z3OptimisingSession(Z3Session):
    """One script, and the term that is to be minimised; `goal` is None if it is constant. Raises Unsupported."""

    def __init__(self, form: Constraints, options: Mapping[str, Value]) -> None:
        assert form.objective is not None
        made = script(replace(form, objective=None))
        goal = goal_of(made, form.objective)
        super().__init__(partial(Numbers, form, made), None, options)
        self.value_of = value_of_solutions(form)
        self.goal = None
        if goal.low < goal.high:
            text = f"{made.text()}(assert (= {goal.text} 0))\n"
            self.goal = self.z3.parse_smt2_string(text, ctx=self.context)[-1].arg(0)

    def ask(self, ask: Ask) -> Answer:
        begin = now()
        if 0 in ask.domains:
            return Answer(Status.UNSATISFIABLE, complete=True, phases=Phases(load=now() - begin))
        found, solver = Incumbent(ask), self.z3.Optimize(ctx=self.context)
        for name, value in self.options.items():
            solver.set(name, value)
        solver.add(self.base, *self.script.givens(ask.domains))
        handle = None if self.goal is None else solver.minimize(self.goal)

        def take(model: Any) -> None:
            solution = self.script.solution(model, ask.domains)
            found.offer(solution, self.value_of(solution))

        def report(model: Any) -> None:
            with self.interruptible():
                take(model)

        solver.set_on_model(report)
        loaded = now()
        left = (begin + int(ask.seconds * 1e9) - loaded) // 1_000_000
        if left <= 0:
            return found.answer(False, {}, Phases(0, loaded - begin))
        solver.set("timeout", min(left, 1 << 31))
        result = self.z3.unknown
        with self.interruptible():
            result = solver.check()
        phases = Phases(0, loaded - begin, now() - loaded)
        if result == self.z3.sat:
            take(solver.model())
        if result != self.z3.unknown:
            return found.answer(True, {}, phases)
        if handle is not None and self.z3.is_int_value(bound := handle.lower()):
            found.raise_bound(bound.as_long())
        why = solver.reason_unknown()
        stopped = why in STOPPED or now() - begin >= ask.seconds * 1e9
        reason, note = (Reason.TIMEOUT, "") if stopped else (Reason.STUCK, f"Z3 gives up: {why}")
        return found.answer(False, {}, phases, reason, note)

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """End the block where Z3 stops itself: at its limit, evaluating a better model raises an error too."""
        try:
            yield
        except self.z3.Z3Exception as e:
            if not any(why in str(e) for why in STOPPED):
                raise
