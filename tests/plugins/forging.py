"""Backends that forge what their worker sends: its messages, its shared memory, its times, the form of answers.

Each answers correctly, but for one trick, on boards whose first square is open.
"""

import contextlib
import json
import mmap
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import numpy as np

from backends.contract import registry
from backends.contract.answer import Answer, Answers, Ask, Asks, Reason, Session, Status
from encoders.formula import AllDifferent, Formula
from harness.running.workers.shared_memory import DONE, HEADER_BYTES, SINCE, SIZE
from puzzles.problem.columns import unpack


def say(*messages: Any) -> None:
    """Write messages into the worker's reply pipe."""
    for message in messages:
        os.write(int(sys.argv[2]), message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n")


def progress() -> Any:
    """Return the progress in the worker's shared memory."""
    return np.frombuffer(mmap.mmap(int(sys.argv[3]), HEADER_BYTES), np.int64, 5)


def truncate() -> None:
    with contextlib.suppress(OSError):
        os.ftruncate(int(sys.argv[3]), 0)


def future() -> None:
    progress()[SINCE] = 1 << 62
    time.sleep(600)


def reborn() -> None:
    """Pretend without end that the ask has just begun."""
    numbers = progress()
    while True:
        numbers[SINCE] = time.monotonic_ns()
        time.sleep(0.01)


def huge() -> None:
    progress()[SIZE] = 1 << 40
    os._exit(1)


def far() -> None:
    progress()[DONE] = 1 << 40
    os._exit(1)


def flood() -> None:
    while True:
        say(b"{}\n" * 1000)


def endless() -> None:
    while True:
        say(b"x" * 4096)


def deep() -> None:
    say(b"[" * 60_000 + b"\n")
    time.sleep(600)


def usage() -> None:
    say({"usage": "the memory limit is below what is used"})
    time.sleep(600)


def nowhere() -> None:
    say({"error": "where is that?", "at": 10**9})
    time.sleep(600)


def late() -> None:
    """Write a reply that is left for the next batch."""
    say({"done": 1}, {"done": 1})


def idle(answer: Answer, count: int) -> Answer:
    return answer


TRICKS: dict[str, Callable[[], None]] = {
    t.__name__: t for t in (truncate, future, reborn, huge, far, flood, endless, deep, usage, nowhere, late)
}
TIMES = {"zero": 0, "one": 1}  # nanoseconds that a batch reports per puzzle


def halves(solution: tuple[int, ...]) -> tuple[Any, ...]:
    return tuple(value + 0.9 for value in solution)


FORMS: dict[str, Callable[[Answer, int], Answer]] = {
    "more": lambda answer, count: replace(answer, solutions=answer.solutions * 2, complete=True),
    "floats": lambda answer, count: replace(answer, solutions=tuple(halves(s) for s in answer.solutions)),
    "status": lambda answer, count: replace(answer, status=77),  # type: ignore[arg-type]
    "reason": lambda answer, count: replace(answer, reason=77),  # type: ignore[arg-type]
    "unsupported": lambda answer, count: Answer(Status.UNKNOWN, reason=Reason.UNSUPPORTED),
}


@dataclass
class Forging:
    """Session that plays its trick before an answer, or changes the form of it."""

    session: Session
    name: str

    def ask(self, ask: Ask) -> Answer:
        answer = self.session.ask(ask)
        if ask.domains[0].bit_count() == 1:
            return answer
        if self.name in TRICKS:
            TRICKS[self.name]()
        return FORMS.get(self.name, idle)(answer, ask.count)

    def close(self) -> None:
        self.session.close()


class ForgingBatch(Forging):
    """The same with answers as columns."""

    def ask_many(self, asks: Asks) -> Answers:
        answers = [self.ask(Ask(domains, asks.count, asks.seconds)) for domains in unpack(asks.domains)]
        shown = [s for a in answers for s in a.solutions]
        return Answers(
            np.array([a.status for a in answers]),
            np.array([a.complete for a in answers]),
            np.array([a.reason for a in answers]),
            np.array([len(a.solutions) for a in answers]),
            np.array(shown).reshape(-1, asks.domains.shape[1]),
            None if self.name not in TIMES else np.full(len(answers), TIMES[self.name]),
        )


@dataclass(frozen=True)
class Forger:
    name: str
    version: str = "1.0"
    accepts: frozenset[type] = frozenset({AllDifferent})
    can: frozenset[str] = frozenset({"count", "domains"})

    def open(self, formula: Formula) -> Session:
        _, trick, *many = self.name.split(":")
        session = registry.find("native:python").open(formula)
        if trick == "recalling":
            return Recalling(session)
        if trick in WORK:
            session = Slow(session, WORK[trick], "hard" if trick == "noted" else "")
        if trick in FROZEN:
            stop_clocks()
        if trick == "free":
            sys.modules["harness.running.workers.inside.clocks"].process_time_ns = lambda: 0  # type: ignore[attr-defined]
        return (ForgingBatch if many or trick in ("zero", "one") else Forging)(session, trick)


@dataclass
class Slow:
    """Session that takes at least 30 ms for an answer, on which it may have a note."""

    session: Session
    work: Callable[[], None]
    note: str

    def ask(self, ask: Ask) -> Answer:
        self.work()
        return replace(self.session.ask(ask), note=self.note)

    def close(self) -> None:
        self.session.close()


@dataclass
class Recalling:
    """Session that takes 30 ms of CPU time for an answer, and keeps it."""

    session: Session

    def ask(self, ask: Ask) -> Answer:
        if ask.domains not in ANSWERS:
            burn()
            ANSWERS[ask.domains] = self.session.ask(ask)
        return ANSWERS[ask.domains]

    def close(self) -> None:
        self.session.close()


ANSWERS: dict[Any, Answer] = {}
SLEEP, CPU = time.sleep, time.process_time


def sleep() -> None:
    SLEEP(0.03)


def burn(seconds: float = 0.03) -> None:
    """Compute for so long."""
    until = CPU() + seconds
    while CPU() < until:
        pass


def crowd() -> None:
    """Compute in three children, and want the core meanwhile: most of the time this process waits for it."""
    children = []
    for _ in range(3):
        if child := os.fork():
            children.append(child)
        else:
            burn(0.01)
            os._exit(0)
    for child in children:
        while os.waitpid(child, os.WNOHANG) == (0, 0):
            os.sched_yield()


WORK = {
    **dict.fromkeys(("slow", "zero", "one", "frozen", "noted"), sleep),
    **dict.fromkeys(("burning", "free", "honest"), burn),
    "crowded": crowd,
}
FROZEN = ("frozen", "noted", "burning", "crowded")  # report next to nothing of that


def stop_clocks() -> None:
    """Replace every clock that Python code can reach by one that nearly stands still."""
    ticks = count(time.perf_counter_ns())
    ours = (sys.modules[f"harness.running.workers.{name}"] for name in ("worker", "inside.opening"))
    for module in (time, *ours):
        for name in ("perf_counter_ns", "now"):
            if hasattr(module, name):
                setattr(module, name, lambda: next(ticks))


def backends() -> list[Forger]:
    times = [Forger(f"forging:{name}") for name in WORK]
    many = [Forger(f"forging:{name}:many") for name in FORMS]
    return [Forger(f"forging:{name}") for name in (*TRICKS, *FORMS, "recalling")] + times + many
