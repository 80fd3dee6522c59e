"""What the compiled solvers share: limits and columns in, columns out, and the session around a compiled function.

A solver here is a session with `ask_many`; `ask_one` asks it a batch of one. Rows of solutions are allocated for two a
puzzle; a compiled function that needs more moves them into an array `doubled` in length.
"""

from typing import Any, NamedTuple, Protocol

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
)
from backends.native.compiling import compiled

UNBOUNDED = 1 << 62
SATISFIABLE, UNSATISFIABLE = int(Status.SATISFIABLE), int(Status.UNSATISFIABLE)
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


class BatchSolver(Protocol):
    """A session that takes batches."""

    def ask_many(self, asks: Asks) -> Answers: ...


def limits_of(asks: Asks) -> Limits:
    """The limits of each ask as compiled code takes them."""
    return Limits(asks.count, int(min(asks.seconds, 1e9) * 1e9), UNBOUNDED if asks.nodes is None else asks.nodes)


def empty_columns(n: int) -> Columns:
    """Columns of n puzzles of which nothing is known."""
    wide = np.zeros((3, n), np.int64)
    return Columns(np.zeros(n, np.int8), np.zeros(n, np.int8), np.zeros(n, np.bool_), np.zeros(n, np.int32), *wide)


def solution_rows(n: int, asks: Asks, squares: int) -> UInt16Array:
    """Room for the solutions of n puzzles, two each at first."""
    return np.empty((n * min(asks.count, 2) + 1, squares), np.uint16)


def ask_one(session: BatchSolver, ask: Ask) -> Answer:
    """The answer to a batch of one, on a layout of one word a square."""
    domains = np.array(ask.domains, np.uint64).reshape(1, -1, 1)
    a = session.ask_many(Asks(domains, ask.count, ask.seconds, ask.nodes))
    return Answer(
        Status(a.status[0]),
        tuple(map(tuple, a.solutions.tolist())),
        bool(a.complete[0]),
        Reason(a.reason[0]),
        {name: int(column[0]) for name, column in a.counters.items()},
        None if a.nanoseconds is None else Phases(solve=int(a.nanoseconds[0])),
    )


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
def doubled(rows: Any) -> Any:
    """The same rows, or numbers, at the start of an array of twice the length."""
    longer = np.empty((2 * len(rows), *rows.shape[1:]), rows.dtype)
    longer[: len(rows)] = rows
    return longer
