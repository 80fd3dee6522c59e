"""9x9 Sudoku kernel: depth-first search, puzzle by puzzle.

A guess parks the board without the guessed candidate and continues with the candidate placed.
"""

import numpy as np

from backends.answer import UInt16Array, UInt64Array
from backends.native.board9 import SIZE, Board, choose_square, get, ones, put, several, split, sweep, within
from backends.native.clock import nanoseconds
from backends.native.columns import SATISFIABLE, TIMEOUT, UNSATISFIABLE, Columns, Limits, doubled
from backends.native.compiling import compiled
from backends.native.kernel_io import Session9, open_session
from backends.native.lanes import arrangement, constant, counts, pack, some, store
from backends.native.uncounted import inlined, internal
from encoders.formula import Formula

DEEP = 82  # parked boards at most, since each guess fixes a square
CHECK = 255  # a mask: the clock is read every 256 guesses
STARTS = (0, 32, 49)

def loaded(c):
    source = []
    for lane in range(27):
        s = 3 * lane + c
        block = 0 if s < 32 else 1 if s < 64 else 2
        t = s - STARTS[block]
        source.append(32 * block + 4 * (t % 8) + t // 8)
    return arrangement(source + [0] * 5)

def stored(start):
    return arrangement([(start + t) % 3 * 32 + (start + t) // 3 for t in range(32)])

load0, load1, load2 = map(loaded, range(3))
store0, store1, store2 = map(stored, STARTS)
spare = constant([0] * 27 + [1] * 5)


@inlined
def read_board(domains: UInt64Array, p: int) -> Board:
    """Read puzzle `p`. The scratch board's spare lanes hold 1 and stay unchanged."""
    a, b, c = pack(domains, 81 * p), pack(domains, 81 * p + 32), pack(domains, 81 * p + 49)
    return load0(a, b, c) & within() | spare(), load1(a, b, c) & within() | spare(), load2(a, b, c) & within() | spare()


@inlined
def write_solution(board: Board, solutions: UInt16Array, row: int) -> None:
    """Write a solved board as value indices: for a mask of one bit, the bit count of the mask minus one."""
    x, y, z = counts(board[0] - ones()), counts(board[1] - ones()), counts(board[2] - ones())
    store(solutions, 81 * row, store0(x, y, z))
    store(solutions, 81 * row + 32, store1(x, y, z))
    store(solutions, 81 * row + 49, store2(x, y, z))


@internal
def search(domains: UInt64Array, limits: Limits, columns: Columns, solutions: UInt16Array, parked: UInt16Array,
           timed: bool, p: int, depth: int, used: int) -> tuple[int, int, int]:
    began = nanoseconds()
    found = decisions = conflicts = 0
    n = len(columns.status)
    board = read_board(domains, p)
    while True:
        after, bad = sweep(board)
        changed = after[0] ^ board[0] | after[1] ^ board[1] | after[2] ^ board[2]
        board = after
        stopped = False
        if some(bad):
            conflicts += 1
        elif some(changed):
            continue
        elif some(several(board[0]) | several(board[1]) | several(board[2])):
            if decisions & CHECK == CHECK:
                stopped = nanoseconds() - began > limits.nanoseconds
            stopped = stopped or decisions >= limits.nodes
            if not stopped:
                board, rest = split(board)
                put(parked, depth, rest)
                depth += 1
                decisions += 1
                continue
        else:
            write_solution(board, solutions, used)
            used += 1
            found += 1
        if depth > 0 and not stopped and found < limits.wanted:
            depth -= 1
            board = get(parked, depth)
            continue
        columns.found[p] = found
        complete = depth == 0 and not stopped
        columns.complete[p] = complete
        columns.status[p] = SATISFIABLE if found else UNSATISFIABLE if complete else 0
        columns.reason[p] = TIMEOUT if stopped else 0
        columns.decisions[p], columns.conflicts[p] = decisions, conflicts
        if timed:
            now = nanoseconds()
            columns.nanoseconds[p] = now - began
            began = now
        p += 1
        found = decisions = conflicts = depth = 0
        if p == n:
            return p, depth, used
        board = read_board(domains, p)


@compiled
def solve(domains: UInt64Array, limits: Limits, columns: Columns, solutions: UInt16Array, timed: bool) -> tuple[UInt16Array, int]:
    """Solve all puzzles in order. Returns the solutions and their number."""
    parked = np.empty(DEEP * SIZE, np.uint16)
    p, depth, used = search(domains, limits, columns, solutions, parked, timed, 0, 0, 0)
    return solutions, used


def open(formula: Formula) -> Session9:  # noqa: A001 - every variant's module has this name
    """Return a session on 9x9 Sudoku. Raises Unsupported on any other layout."""
    return open_session(formula, solve, True, "native:kernel")
