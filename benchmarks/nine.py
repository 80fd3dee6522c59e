"""Generators of many 9x9 boards for native.py: determined by a seed, made with the batch kernel.

boards  uint8[n, 81]: 1 to 9 for a given, 0 for an open square     grids   boards without open squares
"""

from collections.abc import Callable
from functools import cache

import numpy as np
import numpy.typing as npt

from backends.contract import registry
from backends.contract.answer import Answers, Ask, Asks, BatchSession, Session
from encoders.formula import AllDifferent
from puzzles.boards.families import layout

UInt8Array = npt.NDArray[np.uint8]
UInt64Array = npt.NDArray[np.uint64]
BoolArray = npt.NDArray[np.bool_]
Int64Array = npt.NDArray[np.int64]
Random = np.random.Generator

NINE = layout("sudoku 3x3")
FORMULA = AllDifferent(81, 9, NINE.units)


@cache
def open_session(name: str) -> Session:
    return registry.find(name).open(FORMULA)


def domains(boards: UInt8Array) -> UInt64Array:
    """Return the domains of boards as a batch takes them: uint64[n, 81, 1]."""
    given = np.uint64(1) << (np.maximum(boards, 1) - 1).astype(np.uint64)
    return np.where(boards > 0, given, np.uint64(511))[:, :, None]


def solve(boards: UInt8Array, count: int) -> Answers:
    batch = open_session("native:batch")
    assert isinstance(batch, BatchSession)
    return batch.ask_many(Asks(domains(boards), count))


def grids(n: int, random: Random) -> UInt8Array:
    """Return full grids: the first solution of three random boxes on the diagonal, with renamed values."""
    boards = np.zeros((n, 9, 9), np.uint8)
    for at in (0, 3, 6):
        boards[:, at : at + 3, at : at + 3] = random.permuted(np.tile(np.arange(1, 10), (n, 1)), axis=1).reshape(
            n, 3, 3
        )
    found = solve(boards.reshape(n, 81), 1).solutions
    names = random.permuted(np.tile(np.arange(1, 10, dtype=np.uint8), (n, 1)), axis=1)
    return np.take_along_axis(names, found.astype(np.int64), axis=1)


def dig(boards: UInt8Array, random: Random) -> UInt8Array:
    """Minimise boards: open every given in random order, restore it if a second solution appears."""
    boards = boards.copy()
    rows = np.arange(len(boards))
    for squares in random.permuted(np.tile(np.arange(81), (len(boards), 1)), axis=1).T:
        held = boards[rows, squares]
        boards[rows, squares] = 0
        lost = solve(boards, 2).found != 1
        boards[rows[lost], squares[lost]] = held[lost]
    return boards


def sample_mask(boards: UInt8Array, which: BoolArray, most: Int64Array, random: Random) -> UInt8Array:
    """Return a mask with, for each board, up to `most` random squares of those in `which`."""
    rank = np.argsort(np.argsort(np.where(which, random.random(boards.shape), 2.0), axis=1), axis=1)
    return ((rank < most[:, None]) & which).astype(np.uint8)


def minimal(n: int, random: Random) -> UInt8Array:
    return dig(grids(n, random), random)


def easy(n: int, random: Random) -> UInt8Array:
    """Return minimal boards with twelve givens restored."""
    full = grids(n, random)
    boards = dig(full, random)
    return np.where(sample_mask(boards, boards == 0, np.full(n, 12), random) > 0, full, boards)


def several(n: int, random: Random) -> UInt8Array:
    """Return minimal boards with one to three givens opened."""
    boards = minimal(n, random)
    return np.where(sample_mask(boards, boards > 0, random.integers(1, 4, n), random) > 0, 0, boards).astype(np.uint8)


def none(n: int, random: Random) -> UInt8Array:
    """Return minimal boards plus a wrong given that no peer contradicts."""
    full = grids(n, random)
    boards = dig(full, random)
    rows, squares = np.arange(n), np.argmax(sample_mask(boards, boards == 0, np.ones(n, np.int64), random), axis=1)
    peers = np.array(NINE.peers)
    for _ in range(200):
        value = random.integers(1, 10, n).astype(np.uint8)
        fits = (boards[rows[:, None], peers[squares]] != value[:, None]).all(axis=1)
        fits &= (boards[rows, squares] == 0) & (value != full[rows, squares])
        boards[rows[fits], squares[fits]] = value[fits]
    refuted: UInt8Array = boards[solve(boards, 1).found == 0]
    return refuted


def few(n: int, random: Random) -> UInt8Array:
    """Return boards of 17 to 20 givens, by local search: replace one or two givens by another."""
    pool = minimal(4000, random)
    for _ in range(300):
        givens = (pool > 0).sum(axis=1)
        if (givens <= 20).sum() >= n:
            break
        pool = pool[np.argsort(givens, kind="stable")[: 2 * n]]
        parents = pool[random.integers(0, min(len(pool), 1500), 300)]
        full = solve(parents, 1).solutions.astype(np.uint8) + 1
        taken = sample_mask(parents, parents > 0, random.integers(1, 3, 300), random)
        left = np.where(taken > 0, 0, parents).astype(np.uint8)
        parent, square = np.nonzero(left == 0)
        children = left[parent]
        children[np.arange(len(children)), square] = full[parent, square]
        children = dig(children[solve(children, 2).found == 1], random)
        pool = np.unique(np.concatenate([pool, children]), axis=0)
    found: UInt8Array = random.permutation(pool[(pool > 0).sum(axis=1) <= 20])[:n]
    return found


def hard(n: int, random: Random) -> UInt8Array:
    """Return those of 20 n minimal boards that cost native:python, a solver of singles, most branchings."""
    boards = minimal(20 * n, random)
    reference = open_session("native:python")
    ask = domains(boards)[:, :, 0].tolist()
    cost = [reference.ask(Ask(tuple(board), 2)).counters["decisions"] for board in ask]
    return boards[np.argsort(-np.array(cost), kind="stable")[:n]]


def mixed(n: int, random: Random) -> UInt8Array:
    """Return boards of 20 to 50 random givens, a tenth with one wrong given: none, one or more solutions."""
    full = grids(n, random)
    boards = np.where(sample_mask(full, full > 0, random.integers(20, 51, n), random) > 0, full, 0).astype(np.uint8)
    wrong = random.random(n) < 0.1
    spot = np.argmax(sample_mask(boards, boards > 0, np.ones(n, np.int64), random), axis=1)
    boards[wrong, spot[wrong]] = random.integers(1, 10, int(wrong.sum()))
    return boards


KINDS: dict[str, tuple[Callable[[int, Random], UInt8Array], int]] = {
    "easy": (easy, 20000),
    "minimal": (minimal, 20000),
    "17-20": (few, 5000),
    "hard": (hard, 800),
    "several": (several, 20000),
    "none": (none, 20000),
}
