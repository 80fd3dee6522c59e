"""Depth-first search for the solutions of many 9x9 boards.

A guess parks the board without the guessed candidate and continues with the candidate placed. The instructions of a
sweep wait for one another, so two searches take turns, each with half of the puzzles, and the processor overlaps their
sweeps. A single search runs where puzzles are timed, where more than two solutions are wanted, and on machines where a
vector takes several registers.
"""

import numpy as np

from backends.contract.answer import Asks
from backends.native.columns import PuzzleLimits, ResultColumns, conclude, limits_of, solution_rows
from backends.native.compiling import compiled, inlined
from backends.native.intrinsics import nanoseconds
from backends.native.sudoku.board9 import DEAD, MOVED, OPEN, SIZE, SOLVED, Board, get, put, split, step
from backends.native.sudoku.board9_io import SQUARES, read_board, write_solution
from backends.native.sudoku.lanes import ONE_REGISTER
from puzzles.problem.arrays import Int64Array, UInt16Array, UInt64Array

DEEP = 82  # parked boards at most, since each guess fixes a square
CHECK = 255  # a mask: the clock is read every 256 guesses

# Rows of the state, which has a column for each of the two searches.
PUZZLE, END = 0, 1  # the puzzle that is searched, and the first that is not
ROW = 2  # row for the next solution
DEPTH = 3  # number of parked boards
BEGAN = 4  # the clock when the puzzle was begun, or if it is not timed, first checked; 0 before


@inlined
def park(board: Board, parked: UInt16Array, state: Int64Array, i: int) -> None:
    """Park a board."""
    put(parked, DEEP * i + state[DEPTH, i], board)
    state[DEPTH, i] += 1


@inlined
def unpark(parked: UInt16Array, state: Int64Array, i: int) -> Board:
    """Return the board that was parked last."""
    state[DEPTH, i] -= 1
    return get(parked, DEEP * i + state[DEPTH, i])


@inlined
def late(limits: PuzzleLimits, state: Int64Array, i: int) -> bool:
    """True if search `i` has reached the time limit of its puzzle; without timing, a search began 256 guesses late."""
    now = nanoseconds()
    if state[BEGAN, i] == 0:
        state[BEGAN, i] = now
    over: bool = now - state[BEGAN, i] > limits.nanoseconds
    return over


@inlined
def close_puzzle(columns: ResultColumns, state: Int64Array, i: int, stopped: bool, timed: bool) -> None:
    """Write the result of a puzzle, and go to the next one."""
    p = state[PUZZLE, i]
    conclude(columns, p, columns.found[p], not stopped and state[DEPTH, i] == 0, stopped)
    now = 0
    if timed:
        now = nanoseconds()
        columns.nanoseconds[p] = now - state[BEGAN, i]
    state[PUZZLE, i], state[DEPTH, i], state[BEGAN, i] = p + 1, 0, now


@inlined
def advance(
    board: Board,
    found: int,
    domains: UInt64Array,
    limits: PuzzleLimits,
    columns: ResultColumns,
    solutions: UInt16Array,
    parked: UInt16Array,
    state: Int64Array,
    i: int,
    timed: bool,
) -> tuple[Board, bool]:
    """Guess, backtrack or go to the next puzzle. -> the next board of search `i`, False if no puzzle is left."""
    p = state[PUZZLE, i]
    guesses = columns.decisions[p]
    if found == OPEN and guesses < limits.nodes and (guesses & CHECK < CHECK or not late(limits, state, i)):
        columns.decisions[p] = guesses + 1
        board, rest = split(board)
        park(rest, parked, state, i)
        return board, True
    if found == DEAD:
        columns.conflicts[p] += 1
    elif found == SOLVED:
        write_solution(board, solutions, state[ROW, i])
        state[ROW, i] += 1
        columns.found[p] += 1
    if found != OPEN and columns.found[p] < limits.wanted and state[DEPTH, i]:
        return unpark(parked, state, i), True
    close_puzzle(columns, state, i, found == OPEN, timed)
    if p + 1 < state[END, i]:
        return read_board(domains, p + 1), True
    return board, False


@compiled
def search(
    domains: UInt64Array,
    limits: PuzzleLimits,
    columns: ResultColumns,
    solutions: UInt16Array,
    parked: UInt16Array,
    state: Int64Array,
    timed: bool,
) -> bool:
    """Solve the puzzles of both searches. Returns False, to be resumed, if one search lacks room for a solution."""
    i = 0
    both = state[PUZZLE, 1] < state[END, 1]
    board = other = read_board(domains, state[PUZZLE, 0])
    if both:
        other = read_board(domains, state[PUZZLE, 1])
    if state[DEPTH, 0]:
        board = unpark(parked, state, 0)
    elif timed:
        state[BEGAN, 0] = nanoseconds()
    while True:
        board, found = step(board)
        if found != MOVED:
            if found == SOLVED and state[ROW, i] == len(solutions):
                park(board, parked, state, i)
                return False
            board, more = advance(board, found, domains, limits, columns, solutions, parked, state, i, timed)
            if not more:
                if not both:
                    return True
                both, i, board = False, 1 - i, other
        if both:
            board, other, i = other, board, 1 - i


def solve(asks: Asks, columns: ResultColumns, timed: bool) -> UInt16Array:
    """Solve all puzzles and fill in the columns. Returns the solutions."""
    n = len(asks.domains)
    domains = np.require(asks.domains, np.uint64, ["C", "W"]).reshape(-1)
    solutions = solution_rows(n, asks, SQUARES)
    half = (n + 1) // 2 if ONE_REGISTER and not timed and asks.count <= 2 else n
    middle = half * min(asks.count, 2)
    state = np.zeros((5, 2), np.int64)
    state[END, 0] = state[PUZZLE, 1] = half
    state[END, 1], state[ROW, 1] = n, middle
    parked = np.empty(2 * DEEP * SIZE, np.uint16)
    while n and not search(domains, limits_of(asks), columns, solutions, parked, state, timed):
        solutions = np.concatenate([solutions, np.empty_like(solutions)])
    used, end = state[ROW].tolist()
    if end > middle:
        solutions[used : used + end - middle] = solutions[middle:end]
    return solutions[: used + end - middle]
