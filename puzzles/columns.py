"""Instances as columns: what a batch carries, and what a million of them cost little in.

Domains are uint64[instances, variables, words], the mask of a variable cut into words of 64 values, lowest first.
Solutions are uint16[solutions, variables], or uint32 where a problem has more values than that holds.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzles.problem import Domains, Problem

UInt64Array = npt.NDArray[np.uint64]
BoolArray = npt.NDArray[np.bool_]
Solutions = npt.NDArray[np.unsignedinteger[Any]]
WORD = (1 << 64) - 1


def words(problem: Problem) -> int:
    """How many words the mask of a variable takes."""
    return -(-len(problem.values) // 64)


def index_type(problem: Problem) -> type[np.unsignedinteger[Any]]:
    """The type of solutions: its largest number is no value, and stands for none."""
    return np.uint16 if len(problem.values) < 0xFFFF else np.uint32


def pack(problem: Problem, boards: Iterable[Domains]) -> UInt64Array:
    """Domains of instances of one problem as one column."""
    deep = words(problem)
    if deep == 1:
        rows: Sequence[object] = list(boards)
    else:
        rows = [[[mask >> 64 * w & WORD for w in range(deep)] for mask in board] for board in boards]
    return np.array(rows, dtype=np.uint64).reshape(len(rows), len(problem.variables), deep)


def unpack(column: UInt64Array) -> list[Domains]:
    """The domains of each instance of a column."""
    if column.shape[2] == 1:
        return [tuple(board) for board in column[:, :, 0].tolist()]
    return [tuple(sum(word << 64 * w for w, word in enumerate(cell)) for cell in board) for board in column.tolist()]


def valid(problem: Problem, domains: UInt64Array, solutions: Solutions) -> BoolArray:
    """Whether each solution is right: what `puzzles.check.violations` says of one, of a column of them.

    domains uint64[m, variables, words] and solutions uint[m, variables] go side by side.
    """
    there = solutions < len(problem.values)
    ok: BoolArray = np.all(there, axis=1)
    if not ok.any():
        return ok
    held = solutions if ok.all() else np.where(there, solutions, 0)
    wide = held.astype(np.uint64)
    if domains.shape[2] == 1:
        mine = domains[:, :, 0]
    else:
        mine = np.take_along_axis(domains, (wide >> np.uint64(6)).astype(np.intp)[:, :, None], axis=2)[:, :, 0]
        wide &= np.uint64(63)
    ok &= np.all(mine >> wide & np.uint64(1), axis=1)
    for constraint in problem.constraints:
        ok &= constraint.satisfied(held, problem)
    return ok
