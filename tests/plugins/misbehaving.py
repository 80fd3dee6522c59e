"""Misbehaving backends: right unless the first square is open; then each fails in its own way."""

import collections
import ctypes
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np

from backends.contract import registry
from backends.contract.answer import Answer, Ask, Reason, Session, Status
from encoders.formula import AllDifferent, Cnf, Formula, Unsupported

Trick = Callable[[Answer, Ask], Answer]


def wrong_grid(answer: Answer, ask: Ask) -> Answer:
    (_, *rest), *others = answer.solutions
    return replace(answer, solutions=((rest[0], *rest), *others))


def unsatisfiable(answer: Answer, ask: Ask) -> Answer:
    return Answer(Status.UNSATISFIABLE, complete=True)


def twice(answer: Answer, ask: Ask) -> Answer:
    return replace(answer, solutions=answer.solutions[:1] * 2, complete=False)


def too_few(answer: Answer, ask: Ask) -> Answer:
    return replace(answer, solutions=answer.solutions[:1], complete=True)


def other(answer: Answer, ask: Ask) -> Answer:
    return replace(answer, solutions=answer.solutions[::-1])


def segfault(answer: Answer, ask: Ask) -> Answer:
    os.kill(os.getpid(), signal.SIGSEGV)
    return answer


def abort(answer: Answer, ask: Ask) -> Answer:
    os.abort()


def leave(answer: Answer, ask: Ask) -> Answer:
    os._exit(0)


def loop(answer: Answer, ask: Ask) -> Answer:
    while True:
        pass


def hang(answer: Answer, ask: Ask) -> Answer:
    """Loop in C, holding the GIL: no Python thread or signal handler can run. A file says that it has begun."""
    Path("hanging").touch()
    collections.deque(itertools.repeat(0), maxlen=0)
    return answer


def stubborn(answer: Answer, ask: Ask) -> Answer:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    while True:
        time.sleep(1)


def greedy(answer: Answer, ask: Ask) -> Answer:
    hoard = []
    while True:
        hoard.append(np.empty(1 << 26, np.uint8))


def bad_alloc(answer: Answer, ask: Ask) -> Answer:
    """Run out of memory as C++ programs do: a message on stderr, then an abort."""
    hoard = []
    try:
        while True:
            hoard.append(np.empty(1 << 26, np.uint8))
    except MemoryError:
        os.write(2, b"terminate called after throwing an instance of 'std::bad_alloc'\n")
        os.abort()


def loud(answer: Answer, ask: Ask) -> Answer:
    libc = ctypes.CDLL(None)
    for _ in range(30_000):
        libc.puts(b"c a solver that cannot be silent, at C level, and at length, line after line")
    libc.fflush(None)
    sys.stderr.write("and on stderr too\n" * 10_000)
    return answer


def raising(answer: Answer, ask: Ask) -> Answer:
    raise RuntimeError("nothing is right today")


def raising_once(answer: Answer, ask: Ask, seconds: float = 1.5) -> Answer:
    """Raise; from then on opening takes long in this process."""
    Bad.slow = seconds
    raise RuntimeError("nothing is right today")


def raising_last(answer: Answer, ask: Ask) -> Answer:
    return raising_once(answer, ask, 600)


def painting(answer: Answer, ask: Ask) -> Answer:
    raise RuntimeError("\x1b[2J\x9b31m\u202egood\nsecond line")


def wrong_type(answer: Answer, ask: Ask) -> Answer:
    return "satisfiable"  # type: ignore[return-value]


def unsupported(answer: Answer, ask: Ask) -> Answer:
    """Report unsupported too late: only opening a session may do so."""
    return Answer(Status.UNKNOWN, reason=Reason.UNSUPPORTED)


def parent(answer: Answer, ask: Ask) -> Answer:
    """Start a child that leaves the process session, then crash."""
    script = "import os, time; os.setsid(); time.sleep(600)"
    subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(0.3)
    os.abort()


def daemon(answer: Answer, ask: Ask) -> Answer:
    """Start a child that has another session and no environment, then crash."""
    command = ["env", "-i", "setsid", "sh", "-c", "sleep 60; :", os.environ["CROSSCHECK_TEST"]]
    subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(0.1)
    os.abort()


def guardless(answer: Answer, ask: Ask) -> Answer:
    os.kill(os.getppid(), signal.SIGKILL)
    while True:
        time.sleep(1)


def outpaced(answer: Answer, ask: Ask) -> Answer:
    """Crash while a guard stands still, as on a busy machine."""
    os.kill(os.getppid(), signal.SIGSTOP)
    os.abort()


def stopped(answer: Answer, ask: Ask) -> Answer:
    os.kill(0, signal.SIGSTOP)
    return answer


def closer(answer: Answer, ask: Ask) -> Answer:
    os.closerange(3, 256)
    return answer


def choco(answer: Answer, ask: Ask) -> Answer:
    """Let the real Choco end the process, as every exception of Java does: pychoco 0.4.0 fails in this search."""
    import pychoco

    model = pychoco.Model()
    solver = model.get_solver()
    solver.set_round_robin_search(model.intvar(0, 9))
    solver.solve()
    return answer


TRICKS: dict[str, Trick] = {
    t.__name__: t
    for t in (
        *(wrong_grid, unsatisfiable, twice, too_few, other, segfault, abort, leave, loop, hang, stubborn, greedy),
        *(bad_alloc, loud, raising, raising_once, raising_last, painting, wrong_type, unsupported, parent, closer),
        *(daemon, guardless, outpaced, stopped, choco),
    )
}


@dataclass
class Misbehaving:
    """Session that solves correctly, then applies its trick."""

    session: Session
    trick: Trick

    def ask(self, ask: Ask) -> Answer:
        answer = self.session.ask(ask)
        return self.trick(answer, ask) if ask.domains[0].bit_count() > 1 else answer

    def close(self) -> None:
        self.session.close()


@dataclass(frozen=True)
class Bad:
    name: str
    trick: Trick
    version: str = "1.0"
    accepts: frozenset[type] = frozenset({AllDifferent})
    can: frozenset[str] = frozenset({"count", "domains"})
    slow: ClassVar[float] = 0.0  # seconds of an opening

    def open(self, formula: Formula) -> Session:
        time.sleep(self.slow)
        if self.name == "bad:slow_import":
            time.sleep(1.5)
        if self.name == "bad:computes":
            with open("opened", "a") as file:
                file.write("once\n")
            while True:
                pass
        if self.name == "bad:never_opens":
            raise RuntimeError("no licence")
        if self.name == "bad:environ":
            Path("environ.json").write_text(json.dumps(dict(os.environ)))
        if self.name == "bad:mistaken":
            raise TypeError("'NoneType' object is not iterable")
        return Misbehaving(registry.find("native:python").open(formula), self.trick)


class Picky(Bad):
    """Supports formulas of one variable only, as `reduced` makes of a board that propagation solves."""

    def open(self, formula: Formula) -> Session:
        if not isinstance(formula, Cnf) or formula.variables > 1:
            raise Unsupported(f"{self.name} takes one variable")
        return registry.find("pysat:minisat22").open(formula)


def backends() -> list[Bad]:
    opening = ("slow_import", "computes", "never_opens", "mistaken", "environ")
    honest = [Bad(f"bad:{name}", lambda answer, ask: answer) for name in opening]
    picky = Picky("bad:picky", lambda answer, ask: answer, accepts=frozenset({Cnf}))
    return [Bad(f"bad:{name}", trick) for name, trick in TRICKS.items()] + honest + [picky]
