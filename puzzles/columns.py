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


def valid(layout: Layout, domains: UInt64Array, solutions: npt.NDArray[np.uint16]) -> npt.NDArray[np.bool_]:
    """Whether each solution is right: what `puzzles.check.violations` says of one, of a column of them.

    domains uint64[m, squares, words] and solutions uint16[m, squares] go side by side.
    """
    top = len(layout.values)
    ok: npt.NDArray[np.bool_] = np.all(solutions < top, axis=1)
    held = np.where(solutions < top, solutions, 0).T.astype(np.uint64)
    word, bit = (held >> np.uint64(6)).astype(np.intp), np.uint64(1) << (held & np.uint64(63))
    allowed = np.take_along_axis(domains.transpose(1, 0, 2), word[:, :, None], axis=2)[:, :, 0]
    ok &= np.all(allowed & bit != 0, axis=0)
    for w in range(words(layout)):
        mine = bit if words(layout) == 1 else np.where(word == w, bit, np.uint64(0))
        for unit in layout.units:
            seen = np.zeros(len(solutions), dtype=np.uint64)
            for s in unit:
                ok &= seen & mine[s] == 0
                seen |= mine[s]
    return ok
