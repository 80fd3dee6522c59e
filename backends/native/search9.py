"""Depth-first search for the solutions of many 9x9 boards.

A guess parks the board without the guessed candidate and continues with the candidate placed. Each step of a sweep
waits for the one before; so two searches take turns, each with half of the puzzles, and the processor overlaps their
sweeps. Puzzles that are timed, or may have many solutions, are searched one after the other.
"""

import numpy as np

from backends.answer import Int64Array, UInt16Array, UInt64Array
from backends.native.board9 import DEAD, MOVED, OPEN, SIZE, SOLVED, Board, get, put, split, step
from backends.native.board9_io import move_solution, read_board, write_solution
from backends.native.clock import nanoseconds
from backends.native.columns import Columns, Limits, conclude, doubled
from backends.native.compiling import compiled
from backends.native.uncounted import inlined, internal

DEEP = 82  # parked boards at most, since each guess fixes a square
CHECK = 255  # a mask: the clock is read every 256 guesses

# State of each of the two searches.
PUZZLE, END = 0, 1  # the puzzle that is searched, and the first that is not
ROW = 2  # where the next solution is written
DEPTH = 3  # number of parked boards
BEGAN = 4  # the clock when the puzzle was begun, or when it was first read; 0 before


@inlined
def park(board: Board, parked: UInt16Array, state: Int64Array, i: int) -> None:
    """Park a board."""
    put(parked, DEEP * i + int(state[DEPTH, i]), board)
    state[DEPTH, i] += 1


@inlined
def unpark(parked: UInt16Array, state: Int64Array, i: int) -> Board:
    """Return the board that was parked last."""
    state[DEPTH, i] -= 1
    return get(parked, DEEP * i + int(state[DEPTH, i]))


@inlined
def begin(domains: UInt64Array, parked: UInt16Array, state: Int64Array, i: int) -> Board:
    """Return the board to begin or resume search `i` with."""
    if state[DEPTH, i] > 0:
        return unpark(parked, state, i)
    return read_board(domains, int(state[PUZZLE, i]))


@inlined
def stops(limits: Limits, guesses: int, state: Int64Array, i: int) -> bool:
    """True if search `i` has reached a limit of its puzzle."""
    if guesses & CHECK == CHECK:
        now = nanoseconds()
        if state[BEGAN, i] == 0:
            state[BEGAN, i] = now
        if now - state[BEGAN, i] > limits.nanoseconds:
            return True
    return guesses >= limits.nodes


@inlined
def close_puzzle(limits: Limits, columns: Columns, state: Int64Array, i: int, stopped: bool, timed: bool) -> None:
    """Write the results of a puzzle, and go to the next one."""
    p = int(state[PUZZLE, i])
    conclude(columns, p, int(columns.found[p]), state[DEPTH, i] == 0 and not stopped, stopped)
    state[PUZZLE, i], state[DEPTH, i] = p + 1, 0
    began, state[BEGAN, i] = state[BEGAN, i], 0
    if timed:
        state[BEGAN, i] = nanoseconds()
        columns.nanoseconds[p] = state[BEGAN, i] - began


@internal
def search(
    domains: UInt64Array,
    limits: Limits,
    columns: Columns,
    solutions: UInt16Array,
    parked: UInt16Array,
    state: Int64Array,
    timed: bool,
) -> bool:
    """Solve the puzzles of both searches. Returns False if there is no room for a solution; then it can be resumed."""
    i = 0
    both = state[PUZZLE, 1] < state[END, 1]
    board = begin(domains, parked, state, 0)
    other = begin(domains, parked, state, 1) if both else board
    while True:
        board, found = step(board)
        if found != MOVED:
            p = int(state[PUZZLE, i])
            stopped = False
            if found == OPEN:
                stopped = stops(limits, int(columns.decisions[p]), state, i)
                if not stopped:
                    board, rest = split(board)
                    park(rest, parked, state, i)
                    columns.decisions[p] += 1
            elif found == DEAD:
                columns.conflicts[p] += 1
            else:
                if state[ROW, i] == len(solutions):
                    park(board, parked, state, i)
                    return False
                write_solution(board, solutions, int(state[ROW, i]))
                state[ROW, i] += 1
                columns.found[p] += 1
            if found != OPEN or stopped:
                if not stopped and columns.found[p] < limits.wanted and state[DEPTH, i] > 0:
                    board = unpark(parked, state, i)
                else:
                    close_puzzle(limits, columns, state, i, stopped, timed)
                    if state[PUZZLE, i] < state[END, i]:
                        board = read_board(domains, p + 1)
                    elif both:
                        both, i, board = False, 1 - i, other
                    else:
                        return True
        if both:
            board, other, i = other, board, 1 - i


@compiled
def solve(
    domains: UInt64Array, limits: Limits, columns: Columns, solutions: UInt16Array, timed: bool
) -> tuple[UInt16Array, int]:
    """Solve all puzzles; `domains` is flat. Returns the solutions, in a larger array if needed, and their number."""
    n = len(columns.status)
    half = n if timed or limits.wanted > 2 else n // 2
    middle = half * limits.wanted
    state = np.zeros((5, 2), np.int64)
    state[END, 0] = state[PUZZLE, 1] = half
    state[END, 1], state[ROW, 1] = n, middle
    if timed:
        state[BEGAN, 0] = nanoseconds()
    parked = np.empty(2 * DEEP * SIZE, np.uint16)
    while not search(domains, limits, columns, solutions, parked, state, timed):
        solutions = doubled(solutions)
    used = int(state[ROW, 0])
    for row in range(middle, state[ROW, 1]):
        move_solution(solutions, row, used)
        used += 1
    return solutions, used
