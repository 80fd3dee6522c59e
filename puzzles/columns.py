"""Puzzles as columns: what a batch carries, and what a million of them cost little in.

Domains are uint64[puzzles, squares, words], the mask of a square cut into words of 64 values, lowest first.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from puzzles.layout import Domains, Layout

UInt64Array = npt.NDArray[np.uint64]
WORD = (1 << 64) - 1


def words(layout: Layout) -> int:
    """How many words the mask of a square takes."""
    return -(-len(layout.values) // 64)


def pack(layout: Layout, boards: Iterable[Domains]) -> UInt64Array:
    """Boards of one layout as one column."""
    deep = words(layout)
    if deep == 1:
        rows: Sequence[object] = list(boards)
    else:
        rows = [[[mask >> 64 * w & WORD for w in range(deep)] for mask in board] for board in boards]
    return np.array(rows, dtype=np.uint64).reshape(len(rows), len(layout.squares), deep)


def unpack(column: UInt64Array) -> list[Domains]:
    """The boards of a column."""
    if column.shape[2] == 1:
        return [tuple(board) for board in column[:, :, 0].tolist()]
    return [tuple(sum(word << 64 * w for w, word in enumerate(cell)) for cell in board) for board in column.tolist()]
