"""Plug-in for honesty.py: one solver under several names, some slowed by a share of its CPU time.

`slowed:0` and `slowed:0b` are the unchanged solver; `slowed:10` and `slowed:30` spin for 10 % and 30 % of its time.
"""

import time
from dataclasses import dataclass, replace

from backends.contract import registry
from backends.contract.answer import Answer, Ask, Phases, Session
from encoders.formula import Formula

SOLVER = "pysat:minisat22"


class SlowedSession:
    """The solver's session with a busy loop after each answer, counted as solving."""

    def __init__(self, session: Session, share: float) -> None:
        self.session, self.share = session, share

    def ask(self, ask: Ask) -> Answer:
        begun, cpu = time.perf_counter_ns(), time.thread_time_ns()
        answer = self.session.ask(ask)
        until = cpu + (time.thread_time_ns() - cpu) * (1 + self.share)
        while time.thread_time_ns() < until:
            pass
        phases = answer.phases or Phases()
        rest = time.perf_counter_ns() - begun - phases.encode - phases.load - phases.decode
        return replace(answer, phases=replace(phases, solve=rest))

    def close(self) -> None:
        self.session.close()


@dataclass(frozen=True)
class Slowed:
    """The solver under another name."""

    name: str
    share: float

    @property
    def version(self) -> str:
        return registry.find(SOLVER).version

    @property
    def accepts(self) -> frozenset[type]:
        return registry.find(SOLVER).accepts

    @property
    def can(self) -> frozenset[str]:
        return frozenset({"count", "domains"})

    def open(self, formula: Formula) -> Session:
        return SlowedSession(registry.find(SOLVER).open(formula), self.share)


def backends() -> tuple[Slowed, ...]:
    """Return the solver twice unchanged, and slowed."""
    return (Slowed("slowed:0", 0), Slowed("slowed:0b", 0), Slowed("slowed:10", 0.1), Slowed("slowed:30", 0.3))
