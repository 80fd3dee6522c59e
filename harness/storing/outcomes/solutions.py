"""Solutions as stored with an outcome: one value after another, each in 8, 16, 32 or 64 bits."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzles.problem.arrays import Int32Array, Solutions


def pack_solutions(solutions: Solutions) -> npt.NDArray[Any]:
    """Return solutions packed in 8 bits per value if that is enough, else in 16, 32 or 64."""
    most = int(solutions.max(initial=0))
    if most >= 1 << 32:
        return solutions.astype(np.uint64)
    return solutions.astype(np.uint8 if most < 1 << 8 else np.uint16 if most < 1 << 16 else np.uint32)


def unpack_all(blobs: Sequence[bytes | None], variables: int, found: Int32Array) -> Solutions:
    """Return the stored solutions of several outcomes, one after another; `blobs` may be one piece of all of them."""
    values = found * np.int64(variables)
    given = [blob or b"" for blob in blobs]
    if len(given) == 1:
        return unpack_solutions(given[0], variables, int(found.sum()))
    lengths = np.fromiter(map(len, given), np.int64, len(given))
    widths = {width for width in (1, 2, 4, 8) if (lengths == values * width).all()}
    if widths:  # mostly one for all, so that one step unpacks them
        return unpack_solutions(b"".join(given), variables, int(found.sum()))
    parts = zip(given, found.tolist(), strict=True)
    return np.concatenate([unpack_solutions(blob, variables, number) for blob, number in parts])


def unpack_solutions(blob: bytes | None, variables: int, found: int) -> Solutions:
    """Return stored solutions [found, variables] of any value width; solutions without variables have no blob."""
    if not blob:
        return np.empty((found, variables), np.uint16)
    size = len(blob) // max(variables * found, 1)
    raw = np.frombuffer(blob, {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}[size])
    shown: Solutions = (raw if size >= 4 else raw.astype(np.uint16)).reshape(found, variables)
    return shown
