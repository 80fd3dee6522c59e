"""Columns: instances as NumPy arrays, for batches and for cheap storage of millions.

Domains are uint64[instances, variables, words], the mask of a variable split into words of 64 values, lowest first.
Solutions are uint16[solutions, variables], or uint32 if the problem has too many values for that.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzles.problem import Domains, Problem, Values

UInt64Array = npt.NDArray[np.uint64]
BoolArray = npt.NDArray[np.bool_]
Masks = npt.NDArray[np.unsignedinteger[Any]]
Solutions = npt.NDArray[np.unsignedinteger[Any]]
WORD_MASK = (1 << 64) - 1


def words(problem: Problem) -> int:
    """Return the number of words that the mask of a variable takes."""
    return -(-len(problem.values) // 64)


def mask_type(values: Values) -> type[np.unsignedinteger[Any]]:
    """Return the smallest type that holds a mask word of a problem with these values."""
    n = len(values)
    return np.uint16 if n <= 16 else np.uint32 if n <= 32 else np.uint64


def index_type(problem: Problem) -> type[np.unsignedinteger[Any]]:
    """Return the element type of solutions; its largest number is not a value and means 'no value'."""
    return np.uint16 if len(problem.values) < 0xFFFF else np.uint32


def pack(problem: Problem, boards: Iterable[Domains]) -> UInt64Array:
    """Return the domains of instances of one problem as one column."""
    depth = words(problem)
    if depth == 1:
        rows: Sequence[object] = list(boards)
    else:
        rows = [[[mask >> 64 * w & WORD_MASK for w in range(depth)] for mask in board] for board in boards]
    return np.array(rows, dtype=np.uint64).reshape(len(rows), len(problem.variables), depth)


def unpack(column: UInt64Array) -> list[Domains]:
    """Return the domains of each instance of a column."""
    if column.shape[2] == 1:
        return [tuple(board) for board in column[:, :, 0].tolist()]
    return [tuple(sum(part << 64 * w for w, part in enumerate(cell)) for cell in board) for board in column.tolist()]


def valid(problem: Problem, domains: Masks, solutions: Solutions) -> BoolArray:
    """Return bool[m]: True where a solution has no violations, as `puzzles.check.violations` finds them.

    domains is uint[m, variables, words], of any type that holds the masks, and solutions is uint[m, variables].
    """
    in_range = solutions < len(problem.values)
    ok: BoolArray = np.all(in_range, axis=1)
    if not ok.any():
        return ok
    held = solutions if ok.all() else np.where(in_range, solutions, 0)
    bit = held.astype(domains.dtype)
    if domains.shape[2] == 1:
        word = domains[:, :, 0]
    else:
        word = np.take_along_axis(domains, (bit >> 6).astype(np.intp)[:, :, None], axis=2)[:, :, 0]
        bit &= 63
    ok &= np.all(word >> bit & 1, axis=1)
    for constraint in problem.constraints:
        ok &= constraint.satisfied(held, problem)
    return ok
