"""What both 9x9 kernels share: columns in, columns out.

A kernel is a compiled function of (domains, limits, columns, solutions). It fills in the columns, and returns the
solutions, in a larger array where they did not fit, and how many there are.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from backends.answer import (
    Answer,
    Answers,
    Ask,
    Asks,
    BoolArray,
    Int8Array,
    Int32Array,
    Int64Array,
    Phases,
    Reason,
    Status,
    UInt16Array,
    UInt64Array,
)
from backends.native.compiling import announced, compiled
from backends.native.nine import NINE_ONLY, fits
from encoders.formula import Formula, Unsupported

UNBOUNDED = 1 << 62
SATISFIABLE, UNSATISFIABLE, UNKNOWN = int(Status.SATISFIABLE), int(Status.UNSATISFIABLE), int(Status.UNKNOWN)
TIMEOUT = int(Reason.TIMEOUT)


class Limits(NamedTuple):
    """For each puzzle: solutions wanted, nanoseconds of wall time, guesses."""

    wanted: int
    nanoseconds: int
    nodes: int


class Columns(NamedTuple):
    """What is found out of each puzzle beside its solutions."""

    status: Int8Array
    reason: Int8Array
    complete: BoolArray
    found: Int32Array
    nanoseconds: Int64Array
    decisions: Int64Array
    conflicts: Int64Array


Kernel = Callable[[UInt64Array, Limits, Columns, UInt16Array], tuple[UInt16Array, int]]


@compiled
def conclude(columns: Columns, p: int, found: int, exhausted: bool, stopped: bool) -> None:
    """What follows for puzzle `p` from a search that ended: nothing left, or a limit reached, or enough found."""
    columns.found[p] = found
    columns.complete[p] = exhausted
    if found:
        columns.status[p] = SATISFIABLE
    elif exhausted:
        columns.status[p] = UNSATISFIABLE
    if stopped:
        columns.reason[p] = TIMEOUT


@compiled
def roomier(solutions: UInt16Array) -> UInt16Array:
    """The same rows in an array of twice the length."""
    longer = np.empty((2 * len(solutions), 81), np.uint16)
    for row in range(len(solutions)):
        for square in range(81):
            longer[row, square] = solutions[row, square]
    return longer


@dataclass(frozen=True)
class Session9:
    """A session of one kernel. `timed`: it times each puzzle."""

    kernel: Kernel
    timed: bool
    version: str

    def ask_many(self, asks: Asks) -> Answers:
        """Domains of 9x9 Sudoku, in any order of puzzles: none depends on another."""
        domains = np.require(asks.domains, np.uint64, ["C", "W"])
        n = len(domains)
        wide = np.zeros((3, n), np.int64)
        columns = Columns(
            np.zeros(n, np.int8), np.zeros(n, np.int8), np.zeros(n, np.bool_), np.zeros(n, np.int32), *wide
        )
        limits = Limits(asks.count, int(min(asks.seconds, 1e9) * 1e9), UNBOUNDED if asks.nodes is None else asks.nodes)
        solutions = np.empty((n * min(asks.count, 2) + 1, 81), np.uint16)
        solutions, used = self.kernel(domains, limits, columns, solutions)
        counters = {"decisions": columns.decisions, "conflicts": columns.conflicts}
        nanoseconds = columns.nanoseconds if self.timed else None
        c = columns
        return Answers(c.status, c.complete, c.reason, c.found, solutions[:used], nanoseconds, counters)

    def ask(self, ask: Ask) -> Answer:
        """A batch of one."""
        domains = np.array(ask.domains, np.uint64).reshape(1, 81, 1)
        a = self.ask_many(Asks(domains, ask.count, ask.seconds, ask.nodes))
        solutions = tuple(map(tuple, a.solutions.tolist()))
        counters = {name: int(column[0]) for name, column in a.counters.items()}
        phases = None if a.nanoseconds is None else Phases(solve=int(a.nanoseconds[0]))
        return Answer(
            Status(a.status[0]), solutions, bool(a.complete[0]), Reason(a.reason[0]), counters=counters, phases=phases
        )

    def close(self) -> None:
        """Nothing is kept."""


def opened(formula: Formula, kernel: Kernel, timed: bool, name: str) -> Session9:
    """A session, its kernel compiled or taken from the cache. Raises Unsupported on any other layout."""
    if not fits(formula):
        raise Unsupported(f"{name} {NINE_ONLY}")
    session = Session9(kernel, timed, name)
    with announced(f"{name}"):
        session.ask(Ask((511,) * 81))
    return session
