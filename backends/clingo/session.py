"""Clingo sessions: the rules are written once; each ask adds the facts of its domains, grounds and solves them anew."""

from collections.abc import Sequence
from time import perf_counter_ns as now
from typing import Any

from backends.contract.answer import Answer, Ask, Phases, Reason, Status
from backends.shared.watchdog import WATCHDOG
from encoders.formula import Constraints
from puzzles.problem.values import Domains, Solution

# clingo's statistics by the names of our counters
COUNTERS = {"decisions": "choices", "conflicts": "conflicts", "restarts": "restarts"}


def facts(domains: Domains, form: Constraints) -> str:
    """Return the facts dom(x,n)."""
    texts = {mask: ";".join(map(str, form.members(mask))) for mask in set(domains)}
    return "\n".join([f"dom({x},({texts[mask]}))." for x, mask in enumerate(domains)])


class ClingoSession:
    """One program, a fresh solver for each ask.

    The search is synchronous: asynchronous ones of clingo 5.8 now and then report no model where there are some.
    """

    def __init__(self, rules: str, form: Constraints, options: Sequence[str]) -> None:
        import clingo

        self.clingo, self.rules, self.form = clingo, rules + "\n#show at/2.\n", form
        self.index = form.index()
        self.options = [*options, "--warn=none"]

    def ask(self, ask: Ask) -> Answer:
        begin = now()
        if 0 in ask.domains:
            return Answer(Status.UNSATISFIABLE, complete=True, phases=Phases(load=now() - begin))
        control = self.clingo.Control([f"--models={ask.count}", *self.options], logger=lambda *_: None)
        control.add("base", [], self.rules + facts(ask.domains, self.form))
        control.ground([("base", [])])
        loaded = now()
        decode, solutions = 0, list[Solution]()
        with WATCHDOG.watching(begin + int(ask.seconds * 1e9), control.interrupt), control.solve(yield_=True) as search:
            for model in search:
                found = now()
                solutions.append(self.solution(model, len(ask.domains)))
                decode += now() - found
            result = search.get()
        phases = Phases(0, loaded - begin, now() - loaded - decode, decode)
        complete = bool(result.exhausted and not result.interrupted)
        without = Status.UNSATISFIABLE if complete else Status.UNKNOWN
        reason = Reason.TIMEOUT if result.interrupted and len(solutions) < ask.count else Reason.NONE
        status = Status.SATISFIABLE if solutions else without
        return Answer(status, tuple(solutions), complete, reason, self.counters(control), phases)

    def solution(self, model: Any, variables: int) -> Solution:
        """Return the value of each variable, one past the last where the model gives it no value."""
        values = [len(self.form.numbers)] * variables
        for symbol in model.symbols(shown=True):
            x, number = symbol.arguments
            values[x.number] = self.index(number.number)
        return tuple(values)

    def counters(self, control: Any) -> dict[str, int]:
        kept = control.statistics["solving"]["solvers"]
        return {ours: int(kept[theirs]) for ours, theirs in COUNTERS.items()}

    def close(self) -> None:
        """Do nothing: the session holds no resources."""
