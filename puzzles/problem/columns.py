"""Columns: instances as NumPy arrays, for batches and for compact storage of millions.

Domains are uint64[instances, variables, words], the mask of a variable split into words of 64 values, lowest first; a
range has two words, its first value and one more than its last. Solutions are uint16[solutions, variables], uint32 if
the problem has too many values for that, or uint64 if its domains are ranges.
"""

from collections.abc import Callable, Iterable, Mapping
from struct import Struct
from typing import Any

import numpy as np

from puzzles.problem import Problem
from puzzles.problem.arrays import BoolArray, Masks, Solutions, UInt64Array
from puzzles.problem.values import Domains, IntegerRange, Values

WORD_MASK = (1 << 64) - 1


def words(problem: Problem) -> int:
    """Return the number of words in the domain of a variable."""
    return words_of(problem.values)


def words_of(values: Values) -> int:
    """Return the number of words in a domain over these values."""
    return 2 if isinstance(values, IntegerRange) else -(-len(values) // 64)


def mask_type(values: Values) -> type[np.unsignedinteger[Any]]:
    """Return the smallest type that holds a mask word of a problem with these values."""
    n = len(values)
    if isinstance(values, IntegerRange):
        return np.uint64
    return np.uint16 if n <= 16 else np.uint32 if n <= 32 else np.uint64


def index_type(problem: Problem) -> type[np.unsignedinteger[Any]]:
    """Return the element type of solutions. Its largest number is no value and means 'no value'."""
    if problem.ranged:
        return np.uint64
    return np.uint16 if len(problem.values) < 0xFFFF else np.uint32


def packer(problem: Problem, kind: type[np.unsignedinteger[Any]]) -> Callable[[Domains], bytes]:
    """Return a function that packs the domains of an instance, as words of a type with room for them."""
    depth = words(problem)
    letter = "HIQ"[np.dtype(kind).itemsize >> 2]  # of 2, 4 or 8 bytes
    one = Struct(f"={len(problem.variables) * depth}{letter}").pack
    if depth == 1:
        return lambda domains: one(*domains)
    return lambda domains: one(*(mask >> 64 * w & WORD_MASK for mask in domains for w in range(depth)))


def pack(problem: Problem, boards: Iterable[Domains]) -> UInt64Array:
    """Return the domains of instances of one problem as one column."""
    rows = list(map(packer(problem, np.uint64), boards))
    column = np.frombuffer(bytearray().join(rows), np.uint64)
    return column.reshape(len(rows), len(problem.variables), words(problem))


def pack_marks(problem: Problem, masks: Mapping[str, int], marks: str) -> Masks:
    """Return the domains of marked instances as a column of one-word masks, from all their marks together."""
    of_code = {ord(mark): mask for mark, mask in masks.items() if len(mark) == 1}
    by_code = np.zeros(max(of_code) + 1, mask_type(problem.values))
    by_code[list(of_code)] = np.array(list(of_code.values()), by_code.dtype)
    codes = np.frombuffer(marks.encode("utf-32-le", "surrogatepass"), "<u4")
    column: Masks = by_code[codes].reshape(-1, len(problem.variables), 1)
    return column


def projected(problem: Problem, solutions: Solutions) -> Solutions:
    """Return the columns of the variables of the projection."""
    return solutions[:, problem.shown] if problem.free else solutions


def distinct(problem: Problem, solutions: Solutions) -> Solutions:
    """Return solutions that differ on the projection, in the order of their values there."""
    keys = projected(problem, solutions)
    if not keys.shape[1]:
        return solutions[:1]
    return solutions[np.unique(keys, axis=0, return_index=True)[1]]


def unpack(column: UInt64Array) -> list[Domains]:
    """Return the domains of each instance of a column."""
    if column.shape[2] == 1:
        return [tuple(board) for board in column[:, :, 0].tolist()]
    return [tuple(sum(part << 64 * w for w, part in enumerate(cell)) for cell in board) for board in column.tolist()]


def valid(problem: Problem, domains: Masks, solutions: Solutions) -> BoolArray:
    """Return bool[m]: True where a solution has no violations, as `puzzles.problem.check.violations` finds them.

    domains is uint[m, variables, words], of any type that holds the masks, and solutions is uint[m, variables].
    """
    in_range = solutions < len(problem.values)
    ok: BoolArray = np.all(in_range, axis=1)
    if not ok.any():
        return ok
    indices = solutions if ok.all() else np.where(in_range, solutions, 0)
    bit = indices.astype(domains.dtype)
    if problem.ranged:
        ok &= np.all((domains[:, :, 0] <= bit) & (bit < domains[:, :, 1]), axis=1)
        return satisfying(problem, indices, ok)
    if domains.shape[2] == 1:
        word = domains[:, :, 0]
    else:
        word = np.take_along_axis(domains, (bit >> 6).astype(np.intp)[:, :, None], axis=2)[:, :, 0]
        bit &= 63
    ok &= np.all(word >> bit & 1, axis=1)
    return satisfying(problem, indices, ok)


def satisfying(problem: Problem, solutions: Solutions, ok: BoolArray) -> BoolArray:
    """Return `ok`, bool[m], made False where a solution violates a constraint."""
    for constraint in problem.constraints:
        ok &= constraint.satisfied(solutions, problem)
    return ok
