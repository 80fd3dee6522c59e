"""Clingo sessions of problems with an objective: ever better models, and the lower bounds of core-guided strategies."""

from collections.abc import Callable, Sequence
from time import perf_counter_ns as now
from typing import Any

from backends.clingo.session import ClingoSession, facts
from backends.contract.answer import Answer, Ask, Phases, Reason, Status
from backends.shared.incumbent import Incumbent, value_of_solutions
from backends.shared.watchdog import WATCHDOG
from encoders.formula import Constraints

TOO_LARGE = "weight too large"


class ClingoOptimisingSession(ClingoSession):
    """One program with weak constraints, a fresh solver for each ask; `constant` is added to their cost."""

    def __init__(self, rules: str, form: Constraints, options: Sequence[str], constant: int) -> None:
        super().__init__(rules, form, options)
        self.value_of, self.constant = value_of_solutions(form), constant

    def ask(self, ask: Ask) -> Answer:
        begin = now()
        if 0 in ask.domains:
            return Answer(Status.UNSATISFIABLE, complete=True, phases=Phases(load=now() - begin))
        control = self.clingo.Control(["--models=0", "--opt-mode=opt", *self.options], logger=lambda *_: None)
        control.add("base", [], self.rules + facts(ask.domains, self.form))
        control.ground([("base", [])])
        loaded, found = now(), Incumbent(ask)

        def raised(bounds: Sequence[int]) -> None:
            found.raise_bound(self.constant + bounds[0])

        try:
            complete = self.search(control, ask, found, raised, begin + int(ask.seconds * 1e9))
        except RuntimeError as e:  # weights of literals that clasp found to be equal add up beyond 32 bits
            if TOO_LARGE not in str(e):
                raise
            phases = Phases(0, loaded - begin, now() - loaded)
            return found.answer(False, {}, phases, Reason.STUCK, f"clingo: {TOO_LARGE}")
        phases = Phases(0, loaded - begin, now() - loaded)
        return found.answer(complete, self.counters(control), phases)

    def search(
        self, control: Any, ask: Ask, found: Incumbent, raised: Callable[[Sequence[int]], None], deadline: int
    ) -> bool:
        """Search for ever better models; return True if the last is the best, or if there is none."""
        with (
            WATCHDOG.watching(deadline, control.interrupt),
            control.solve(yield_=True, on_unsat=raised) as search,
        ):
            for model in search:
                solution = self.solution(model, len(ask.domains))
                found.offer(solution, self.value_of(solution))
                if not model.cost:  # nothing to minimise: clingo would enumerate
                    return True
            result = search.get()
        return bool(result.exhausted and not result.interrupted)
