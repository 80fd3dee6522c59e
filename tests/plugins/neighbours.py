"""Backends whose child processes work for them, or against the parent of their worker and other contenders.

All answer correctly. `inside` and `outside` compute for 3 ms an ask, in the worker and in a child process that lives as
long as the session. The children of the others live as long.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from backends.contract import registry
from backends.contract.answer import Answer, Ask, Session
from encoders.formula import AllDifferent, Formula
from harness.running.workers.descendants import STOPPED, state_of
from puzzles.processes.guarding import children

CLOCK = "now"  # of the modules of a worker
WORK_S = 0.003  # of CPU time, of an ask
SERVER = f"""
import sys, time
until = time.process_time()
for line in sys.stdin:
    until += {WORK_S}  # with what reading and writing lines takes
    while time.process_time() < until:
        pass
    print(flush=True)
"""
BURNER = "while True: pass"
STOPPER = """
import os, signal, sys, time
for line in sys.stdin:
    time.sleep(0.1)  # until the parent waits
    os.kill(int(sys.argv[1]), signal.SIGSTOP)
    time.sleep(1.3)  # longer than the parent waits at a time
    os.kill(int(sys.argv[1]), signal.SIGCONT)
    print(flush=True)
"""


def started(script: str, *words: str) -> "subprocess.Popen[str]":
    """Start a Python script that reads and writes lines."""
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-S", "-E", "-c", script, *words], stdin=pipe, stdout=pipe, text=True)


def said(child: "subprocess.Popen[str]") -> None:
    """Send a line, and wait for one."""
    assert child.stdin
    assert child.stdout
    child.stdin.write("\n")
    child.stdin.flush()
    child.stdout.readline()


def parent_of(pid: int) -> int:
    """Return the parent of a process."""
    with open(f"/proc/{pid}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[1])


def burn() -> None:
    """Compute for as long as the server does."""
    until = time.process_time() + WORK_S
    while time.process_time() < until:
        pass


def workers() -> list[int]:
    """Return the workers of other contenders, each below two guards."""
    guard = parent_of(os.getppid())
    others = children(parent_of(guard)) - {guard}
    return [worker for outer in others for inner in children(outer) for worker in children(inner)]


def stop_others() -> None:
    """Stop the workers of other contenders, and wait until they are."""
    for pid in workers():
        os.kill(pid, signal.SIGSTOP)
        while state_of(pid)[0] != STOPPED:
            time.sleep(0.001)


def nothing() -> None:
    """Do nothing."""


@dataclass
class Accompanied:
    """Session that does something besides in each ask, with a child process or without."""

    session: Session
    besides: Callable[[], None]
    child: "subprocess.Popen[str] | None" = None

    def ask(self, ask: Ask) -> Answer:
        self.besides()
        return self.session.ask(ask)

    def close(self) -> None:
        self.session.close()
        if self.child:
            self.child.kill()
            self.child.communicate()


def freeze(child: "subprocess.Popen[str]") -> None:
    """Have the parent of our guards stopped, and report next to nothing of the time that this takes."""
    clock = time.perf_counter_ns()
    said(child)
    for name in ("worker", "inside.opening"):
        ticks = iter(range(clock, clock + 1_000_000))
        setattr(sys.modules[f"harness.running.workers.{name}"], CLOCK, partial(next, ticks))


@dataclass(frozen=True)
class Neighbour:
    name: str
    version: str = "1.0"
    accepts: frozenset[type] = frozenset({AllDifferent})
    can: frozenset[str] = frozenset({"count", "domains"})

    def open(self, formula: Formula) -> Session:
        session = registry.find("native:python").open(formula)
        match self.name.partition(":")[2]:
            case "inside":
                return Accompanied(session, burn)
            case "outside":
                child = started(SERVER)
                return Accompanied(session, lambda: said(child), child)
            case "burning":
                return Accompanied(session, nothing, started(BURNER))
            case "stopping":
                return Accompanied(session, stop_others)
            case _:
                child = started(STOPPER, str(parent_of(parent_of(os.getppid()))))
                return Accompanied(session, lambda: freeze(child), child)


def backends() -> list[Neighbour]:
    return [Neighbour(f"neighbours:{name}") for name in ("inside", "outside", "burning", "stopping", "freezing")]
