"""9x9 Sudoku kernel that solves one puzzle at a time and times each inside the compiled loop.

Depth-first search: a guess parks the board without the guessed candidate and continues with the candidate placed. The
time of a puzzle runs from reading its domains until its last solution is written.
"""

import numpy as np

from backends.answer import UInt16Array, UInt64Array
from backends.native.board9 import DEAD, OPEN, SIZE, Board, get, ones, put, settle, split
from backends.native.clock import nanoseconds
from backends.native.columns import Columns, Limits, conclude, doubled
from backends.native.compiling import compiled, internal
from backends.native.kernel_io import Session9, open_session
from backends.native.lanes import counts
from encoders.formula import Formula

DEEP = 82  # parked boards at most, since each guess fixes a square
CHECK = 255  # a mask: the clock is read every 256 guesses


@internal
def read_board(domains: UInt64Array, p: int, scratch: UInt16Array) -> Board:
    """Read puzzle `p`. The scratch board's spare lanes hold 1 and stay unchanged."""
    for lane in range(27):
        scratch[lane] = domains[p, 3 * lane, 0] & np.uint64(511)
        scratch[32 + lane] = domains[p, 3 * lane + 1, 0] & np.uint64(511)
        scratch[64 + lane] = domains[p, 3 * lane + 2, 0] & np.uint64(511)
    return get(scratch, 0)


@internal
def write_solution(board: Board, scratch: UInt16Array, solutions: UInt16Array, row: int) -> None:
    """Write a solved board as value indices: for a mask of one bit, the bit count of the mask minus one."""
    x, y, z = board
    put(scratch, 1, (counts(x - ones()), counts(y - ones()), counts(z - ones())))
    for lane in range(27):
        solutions[row, 3 * lane] = scratch[SIZE + lane]
        solutions[row, 3 * lane + 1] = scratch[SIZE + 32 + lane]
        solutions[row, 3 * lane + 2] = scratch[SIZE + 64 + lane]


@compiled
def solve(domains: UInt64Array, limits: Limits, columns: Columns, solutions: UInt16Array) -> tuple[UInt16Array, int]:
    """Solve all puzzles in order. Returns the solutions and their number."""
    scratch = np.ones(2 * SIZE, np.uint16)
    parked = np.empty(DEEP * SIZE, np.uint16)
    used = 0
    began = nanoseconds()
    for p in range(domains.shape[0]):
        board = read_board(domains, p, scratch)
        found = depth = decisions = conflicts = 0
        stopped = False
        while True:
            board, state = settle(board)
            if state == OPEN:
                late = decisions & CHECK == CHECK and nanoseconds() - began > limits.nanoseconds
                if late or decisions >= limits.nodes:
                    stopped = True
                    break
                board, rest = split(board)
                put(parked, depth, rest)
                depth += 1
                decisions += 1
                continue
            if state == DEAD:
                conflicts += 1
            else:
                if used == len(solutions):
                    solutions = doubled(solutions)
                write_solution(board, scratch, solutions, used)
                used += 1
                found += 1
                if found == limits.wanted:
                    break
            if depth == 0:
                break
            depth -= 1
            board = get(parked, depth)
        conclude(columns, p, found, depth == 0 and not stopped, stopped)
        columns.decisions[p], columns.conflicts[p] = decisions, conflicts
        now = nanoseconds()
        columns.nanoseconds[p] = now - began
        began = now
    return solutions, used


def open(formula: Formula) -> Session9:  # noqa: A001 - every variant's module has this name
    """Return a session on 9x9 Sudoku. Raises Unsupported on any other layout."""
    return open_session(formula, solve, True, "native:kernel")
