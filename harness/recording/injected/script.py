"""RecordedScript of one solver object, written as CaDiCaL's trace while the program runs, with the answers that it got.

CROSSCHECK_RECORD  folder of the scripts, and of a line for each in `log.jsonl`: file, solver, asks, satisfiable ones,
                   nanoseconds of CPU time in them, and why the rest is not recorded, or ''
"""

import atexit
import json
import os
from collections.abc import Iterable, Sequence
from itertools import count
from pathlib import Path
from time import process_time_ns
from typing import Any

NUMBERS = count(1)


class RecordedScript:
    """Calls of one solver object. What can't be stated ends the script: `refuse`."""

    def __init__(self, solver: str) -> None:
        self.solver, self.asks, self.satisfiable, self.ns, self.why = solver, 0, 0, 0, ""
        self.owner, self.depth, self.lines = os.getpid(), 0, ["init"]
        self.path = Path(os.environ["CROSSCHECK_RECORD"], f"{self.owner}-{next(NUMBERS)}.trace")
        atexit.register(self.close)

    def add(self, clause: Iterable[Any]) -> None:
        """Write a clause of DIMACS literals."""
        if not self.why:
            self.lines += [f"add {int(p)}" for p in clause]
            self.lines.append("add 0")

    def ask(self, assumptions: Sequence[Any], answer: bool | None, ns: int) -> None:
        """Write an ask and its answer, None if there was none."""
        if self.why:
            return
        self.asks, self.satisfiable, self.ns = self.asks + 1, self.satisfiable + (answer is True), self.ns + ns
        self.lines += [f"assume {int(p)}" for p in assumptions]
        self.lines.append({True: "solve 10", False: "solve 20", None: "solve"}[answer])
        if len(self.lines) > 1 << 16:
            self.flush()

    def refuse(self, why: str) -> None:
        """End the script: a call can't be stated."""
        self.why = self.why or why

    def flush(self) -> None:
        with self.path.open("a") as file:
            file.writelines(line + "\n" for line in self.lines)
        self.lines = []

    def close(self) -> None:
        """Write the rest, once; a process that was forked from that of the solver writes nothing."""
        atexit.unregister(self.close)
        if os.getpid() != self.owner or not (self.asks or self.why):
            return
        if self.asks:
            self.lines.append("reset")
            self.flush()
        entry = {"file": self.path.name, "solver": self.solver, "asks": self.asks, "satisfiable": self.satisfiable}
        with self.path.with_name("log.jsonl").open("a") as file:
            file.write(json.dumps(entry | {"ns": self.ns, "why": self.why}) + "\n")
        self.asks, self.why = 0, ""


def script_of(solver: Any) -> RecordedScript:
    """Return the script of a solver object, a new one at its first call."""
    known = vars(solver).get("_crosscheck_script")
    if not isinstance(known, RecordedScript):
        known = solver._crosscheck_script = RecordedScript(type(solver).__name__)
    return known


def timed(solve: Any, *args: Any, **named: Any) -> tuple[Any, int]:
    """Return the result of a call, and its nanoseconds of CPU time."""
    before = process_time_ns()
    found = solve(*args, **named)
    return found, process_time_ns() - before
