"""Boards of board9.py in memory: domains in, solutions out, by three vectors for 81 squares.

A vector holds 32 squares from START on: the last two overlap. In vectors of domains squares are in the order of `pack`.
"""

from collections.abc import Callable

from backends.native.compiling import inlined
from backends.native.sudoku.board9 import Board, ones, within
from backends.native.sudoku.lanes import Lanes, arrangement, constant, counts, pack, prefetch, store
from puzzles.problem.arrays import UInt16Array, UInt64Array

SQUARES = 81
AHEAD = 2 * SQUARES  # distance from a puzzle to the one that is prefetched into the cache
START = (0, 32, SQUARES - 32)


def from_domains(c: int) -> Callable[[Lanes, Lanes, Lanes], Lanes]:
    """Return the permutation from domains to vector c of a board."""
    source = [0] * 32
    for lane in range(27):
        square = 3 * lane + c
        block = min(square // 32, 2)
        k, j = divmod(square - START[block], 8)
        source[lane] = 32 * block + 4 * j + k
    return arrangement(source)


def in_order(start: int) -> Callable[[Lanes, Lanes, Lanes], Lanes]:
    """Return the permutation from a board's vectors to 32 squares in order."""
    return arrangement([square % 3 * 32 + square // 3 for square in range(start, start + 32)])


domains0, domains1, domains2 = map(from_domains, range(3))
squares0, squares1, squares2 = map(in_order, START)
rest = constant([0] * 27 + [1] * 5)


@inlined
def read_board(domains: UInt64Array, p: int) -> Board:
    """Read puzzle `p` of a flat array."""
    at = SQUARES * p
    for line in range(11):
        prefetch(domains, at + AHEAD + 8 * line)
    a, b, c = pack(domains, at + START[0]), pack(domains, at + START[1]), pack(domains, at + START[2])
    x, y, z = domains0(a, b, c), domains1(a, b, c), domains2(a, b, c)
    return x & within() | rest(), y & within() | rest(), z & within() | rest()


@inlined
def write_solution(board: Board, solutions: UInt16Array, row: int) -> None:
    """Write a solved board as value indices: for a mask of one bit, the bit count of the mask minus one."""
    x, y, z = counts(board[0] - ones()), counts(board[1] - ones()), counts(board[2] - ones())
    at = SQUARES * row
    store(solutions, at + START[0], squares0(x, y, z))
    store(solutions, at + START[1], squares1(x, y, z))
    store(solutions, at + START[2], squares2(x, y, z))
