"""Inputs and outputs of the compiled solvers: limits, result columns, solution rows.

A compiled solver is a session with `ask_many`; `ask_one` passes it a batch of one. Solution rows are allocated for two
per puzzle; a compiled function that needs more returns, and is called again.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from backends.contract.answer import Answer, Answers, Ask, Asks, Phases, Reason, Status
from backends.native.compiling import inlined
from puzzles.problem.arrays import BoolArray, Int8Array, Int32Array, Int64Array, UInt16Array

UNBOUNDED = 1 << 62
SATISFIABLE, UNSATISFIABLE = int(Status.SATISFIABLE), int(Status.UNSATISFIABLE)
TIMEOUT = int(Reason.TIMEOUT)


class PuzzleLimits(NamedTuple):
    """Limits per puzzle: number of solutions, nanoseconds of wall time, number of guesses."""

    wanted: int
    nanoseconds: int
    nodes: int


class ResultColumns(NamedTuple):
    """Results per puzzle, without the solutions."""

    status: Int8Array
    reason: Int8Array
    complete: BoolArray
    found: Int32Array
    nanoseconds: Int64Array
    decisions: Int64Array
    conflicts: Int64Array


def limits_of(asks: Ask | Asks) -> PuzzleLimits:
    """Return the limits in the units of compiled code."""
    return PuzzleLimits(asks.count, int(min(asks.seconds, 1e9) * 1e9), UNBOUNDED if asks.nodes is None else asks.nodes)


def empty_columns(n: int) -> ResultColumns:
    """Return columns of n puzzles with status UNKNOWN and zero counters."""
    wide = np.zeros((3, n), np.int64)
    return ResultColumns(
        np.zeros(n, np.int8), np.zeros(n, np.int8), np.zeros(n, np.bool_), np.zeros(n, np.int32), *wide
    )


def solution_rows(n: int, asks: Asks, squares: int) -> UInt16Array:
    """Return uninitialised rows for the solutions of n puzzles, at most two each."""
    return np.empty((n * min(asks.count, 2) + 1, squares), np.uint16)


def ask_one(ask_many: Callable[[Asks], Answers], ask: Ask) -> Answer:
    """Return the answer to one ask, made a batch of one, on a layout with one word per square."""
    domains = np.array(ask.domains, np.uint64).reshape(1, -1, 1)
    a = ask_many(Asks(domains, ask.count, ask.seconds, ask.nodes))
    return Answer(
        Status(a.status[0]),
        tuple(map(tuple, a.solutions.tolist())),
        bool(a.complete[0]),
        Reason(a.reason[0]),
        {name: int(column[0]) for name, column in a.counters.items()},
        None if a.nanoseconds is None else Phases(solve=int(a.nanoseconds[0])),
    )


@inlined
def conclude(columns: ResultColumns, p: int, found: int, exhausted: bool, stopped: bool) -> None:
    """Write the result of puzzle `p`; `exhausted`: the search is complete, `stopped`: it reached a limit."""
    columns.found[p] = found
    columns.complete[p] = exhausted
    if found:
        columns.status[p] = SATISFIABLE
    elif exhausted:
        columns.status[p] = UNSATISFIABLE
    if stopped:
        columns.reason[p] = TIMEOUT
