"""9x9 Sudoku kernel for batches: 32 puzzles in the lanes of a vector, searched in lockstep.

All lanes sweep together. Between sweeps, halted lanes are handled one by one: a contradiction backtracks, a solution is
written, an open board branches; a lane that is done loads the next puzzle. So every lane works in every sweep until
the puzzles run out.
"""

from typing import NamedTuple

import numpy as np

from backends.answer import Int32Array, Int64Array, UInt16Array, UInt64Array
from backends.native.board9 import SIZE, choose_square, get, put
from backends.native.clock import nanoseconds
from backends.native.columns import Columns, Limits, conclude, doubled
from backends.native.compiling import compiled, internal
from backends.native.kernel9 import DEEP
from backends.native.kernel_io import Session9, open_session
from backends.native.lanes import peek, poke, trailing, which
from backends.native.lockstep_rules import sweep
from encoders.formula import Formula

LANES = 32
CHECK = 255  # a mask: the clock is read every 256 sweeps


class Team(NamedTuple):
    """State of all lanes.

    boards, singles  arrays of lockstep_rules.py
    scratch          one board outside the lanes
    parked           boards of open branches, DEEP per lane
    puzzle, depth    each lane's puzzle and number of parked boards
    began            the clock when its puzzle was loaded, ns
    """

    boards: UInt16Array
    singles: UInt16Array
    scratch: UInt16Array
    parked: UInt16Array
    puzzle: Int64Array
    depth: Int64Array
    began: Int64Array


@internal
def copy_out(boards: UInt16Array, lane: int, parked: UInt16Array, at: int) -> None:
    """Copy a lane's board to `parked`, from `at`, in the order of board9's vectors."""
    for k in range(27):
        poke(parked, at + k, peek(boards, 96 * k + lane))
        poke(parked, at + 32 + k, peek(boards, 96 * k + 32 + lane))
        poke(parked, at + 64 + k, peek(boards, 96 * k + 64 + lane))


@internal
def copy_in(boards: UInt16Array, lane: int, parked: UInt16Array, at: int) -> None:
    """Copy a board back into a lane; the inverse of `copy_out`."""
    for k in range(27):
        poke(boards, 96 * k + lane, peek(parked, at + k))
        poke(boards, 96 * k + 32 + lane, peek(parked, at + 32 + k))
        poke(boards, 96 * k + 64 + lane, peek(parked, at + 64 + k))


@internal
def write_solution(boards: UInt16Array, lane: int, solutions: UInt16Array, row: int) -> None:
    """Write a lane's solved board as value indices."""
    for s in range(81):
        solutions[row, s] = trailing(peek(boards, 32 * s + lane))


@internal
def guess(team: Team, lane: int) -> None:
    """Place the lowest candidate of the chosen square; park the board without that candidate."""
    copy_out(team.boards, lane, team.scratch, 0)
    board = get(team.scratch, 0)
    spot = choose_square(board)
    place = DEEP * lane + int(team.depth[lane])
    put(team.parked, place, board)
    here = 96 * (spot & 31) + 32 * (spot >> 5) + lane
    candidates = peek(team.boards, here)
    lowest = candidates & -candidates
    poke(team.boards, here, lowest)
    poke(team.parked, SIZE * place + spot, candidates ^ lowest)
    team.depth[lane] += 1


@internal
def load_puzzle(team: Team, lane: int, domains: UInt64Array, p: int, now: int) -> None:
    """Load puzzle `p` into a free lane."""
    for s in range(81):
        poke(team.boards, 32 * s + lane, int(domains[p, s, 0]) & 511)
    team.puzzle[lane], team.depth[lane], team.began[lane] = p, 0, now


@internal
def overdue_lanes(team: Team, busy: int, oldest: int) -> int:
    """Return the busy lanes whose puzzle began before `oldest`, as bits."""
    late = 0
    for lane in range(LANES):
        if team.began[lane] < oldest:
            late |= 1 << lane
    return late & busy


@internal
def backtrack(team: Team, lane: int) -> bool:
    """Restore the board parked last. False if there is none."""
    if team.depth[lane] == 0:
        return False
    team.depth[lane] -= 1
    copy_in(team.boards, lane, team.parked, SIZE * (DEEP * lane + int(team.depth[lane])))
    return True


@internal
def sort_by_puzzle(solutions: UInt16Array, owner: Int64Array, used: int, found: Int32Array) -> UInt16Array:
    """Return the solutions grouped by puzzle, in order; those of one puzzle in the order found."""
    start = np.zeros(len(found), np.int64)
    for p in range(1, len(found)):
        start[p] = start[p - 1] + found[p - 1]
    ordered = np.empty((used, 81), np.uint16)
    for k in range(used):
        row = start[owner[k]]
        start[owner[k]] += 1
        for s in range(81):
            ordered[row, s] = solutions[k, s]
    return ordered


@compiled
def solve(domains: UInt64Array, limits: Limits, columns: Columns, solutions: UInt16Array) -> tuple[UInt16Array, int]:
    """Solve all puzzles. A puzzle's time limit runs from its loading; the clock is read every 256 sweeps."""
    n = len(domains)
    team = Team(
        np.ones(81 * LANES, np.uint16),
        np.empty(27 * LANES, np.uint16),
        np.ones(SIZE, np.uint16),
        np.empty(DEEP * LANES * SIZE, np.uint16),
        np.zeros(LANES, np.int64),
        np.zeros(LANES, np.int64),
        np.zeros(LANES, np.int64),
    )
    owner = np.empty(len(solutions), np.int64)
    used = sweeps = following = busy = 0
    now = nanoseconds()
    for lane in range(min(LANES, n)):
        load_puzzle(team, lane, domains, following, now)
        following += 1
        busy |= 1 << lane
    while busy:
        bad, changed, unsure = sweep(team.boards, team.singles)
        dead, open_, late = which(bad), which(unsure), 0
        sweeps += 1
        if sweeps & CHECK == 0:
            now = nanoseconds()
            late = overdue_lanes(team, busy, now - limits.nanoseconds)
        halted = (dead | late | ~which(changed)) & busy
        while halted:
            lane = trailing(halted)
            halted &= halted - 1
            p = int(team.puzzle[lane])
            stopped = late >> lane & 1 == 1
            if dead >> lane & 1:
                columns.conflicts[p] += 1
            elif open_ >> lane & 1:
                stopped = stopped or columns.decisions[p] >= limits.nodes
                if not stopped:
                    guess(team, lane)
                    columns.decisions[p] += 1
                    continue
            elif not stopped:
                if used == len(solutions):
                    solutions, owner = doubled(solutions), doubled(owner)
                write_solution(team.boards, lane, solutions, used)
                owner[used] = p
                used += 1
                columns.found[p] += 1
            if not stopped and columns.found[p] < limits.wanted and backtrack(team, lane):
                continue
            conclude(columns, p, int(columns.found[p]), team.depth[lane] == 0 and not stopped, stopped)
            if following < n:
                load_puzzle(team, lane, domains, following, now)
                following += 1
            else:
                busy &= ~(1 << lane)
    return sort_by_puzzle(solutions, owner, used, columns.found), used


def open(formula: Formula) -> Session9:  # noqa: A001 - every variant's module has this name
    """Return a session on 9x9 Sudoku. Raises Unsupported on any other layout."""
    return open_session(formula, solve, False, "native:batch")
