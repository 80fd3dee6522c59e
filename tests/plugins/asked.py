"""Backends that count: `decisions` is the number of asks of the process, `conflicts` that of the session.

Each but `asked:counts` does something else at one of the asks of its process.
"""

import itertools
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from backends.contract import registry
from backends.contract.answer import Answer, Ask, Reason, Session, Status
from encoders.formula import AllDifferent, Cnf, Formula

asks = itertools.count(1)  # of this process
Trick = Callable[[int], Answer | None]  # does something at the nth ask, and may answer in place of the solver


def slow(nth: int) -> None:
    if nth == 1:
        time.sleep(0.3)


def dies_second(nth: int) -> None:
    if nth == 2:
        os.abort()


def hangs_second(nth: int) -> None:
    while nth == 2:
        time.sleep(1)


def raises_second(nth: int) -> None:
    if nth == 2:
        raise RuntimeError("asked twice")


def dies_first(nth: int) -> None:
    if nth == 1:
        os.abort()


def denies_first(nth: int) -> Answer | None:
    return Answer(Status.UNSATISFIABLE, complete=True) if nth == 1 else None


def errs_first(nth: int) -> Answer | None:
    return Answer(Status.SATISFIABLE, ((0,) * 16,)) if nth == 1 else None


def denies_and_gives_up(nth: int) -> Answer | None:
    return Answer(Status.UNKNOWN, reason=Reason.STUCK) if nth == 2 else denies_first(nth)


@dataclass
class Counting:
    """Session of native:python that counts."""

    session: Session
    trick: Trick
    own: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    def ask(self, ask: Ask) -> Answer:
        nth = next(asks)
        answer = self.trick(nth) or self.session.ask(ask)
        return replace(answer, counters={"decisions": nth, "conflicts": next(self.own)})

    def close(self) -> None:
        self.session.close()


@dataclass(frozen=True)
class Asked:
    name: str
    trick: Trick
    version: str = "1.0"
    accepts: frozenset[type] = frozenset({AllDifferent})
    can: frozenset[str] = frozenset({"count", "domains", "warm"})
    solver: str = "native:python"

    def open(self, formula: Formula) -> Session:
        return Counting(registry.find(self.solver).open(formula), self.trick)

    def open_warm(self, formula: Formula) -> Session:
        return self.open(formula)


def backends() -> list[Asked]:
    tricks: tuple[Callable[[int], Answer | None], ...]
    tricks = (slow, dies_second, hangs_second, raises_second, dies_first, denies_first, errs_first, denies_and_gives_up)
    first = Asked("asked:denies_clauses", denies_first, accepts=frozenset({Cnf}), solver="pysat:cadical195")
    return [first, Asked("asked:counts", lambda nth: None), *(Asked(f"asked:{t.__name__}", t) for t in tricks)]
