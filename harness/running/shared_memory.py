"""Shared memory between the supervisor and one worker: a batch goes in, outcomes come out.

The memory outlives the worker, so a killed worker loses no finished outcome, and the supervisor sees without a message
which puzzle is running and since when.

    pulse      int64[6]: first puzzle of the running ask, number of its puzzles, its start (monotonic ns), outcomes
               done, CPU time of the process at its start (ns), 1 if it repeats a warm-up
    domains    uint64[n, variables, words]
    rows       ROW[n]
    solutions  uint16[n, count, variables], or uint32 if the problem has too many values for uint16
"""

import mmap
import os
import sys
import tempfile
from typing import Any

import numpy as np

from backends.answer import Int64Array, UInt64Array
from harness.model.outcome import ROW, Rows
from puzzles.columns import Solutions

FIRST, SIZE, SINCE, DONE, SPENT, AGAIN = range(6)
HEADER_BYTES = 64
MAX_SOLUTION_BYTES = 8 << 20  # per batch, unless a single puzzle needs more


def create_file() -> int:
    """Create an anonymous file and return its descriptor."""
    if sys.platform == "linux":
        return os.memfd_create("batch", os.MFD_CLOEXEC)
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def capacity(squares: int, count: int) -> int:
    """Return the maximum number of puzzles per batch."""
    return max(1, min(4096, MAX_SOLUTION_BYTES // (2 * squares * count)))


class SharedBatch:
    """Mapping of the file `fd`, in which both processes compute the same views for each batch."""

    pulse: Int64Array
    domains: UInt64Array
    rows: Rows
    solutions: Solutions

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.map: mmap.mmap | None = None

    def reserve(self, size: int) -> mmap.mmap:
        """Return a mapping of at least `size` bytes. The file grows and never shrinks."""
        if self.map is None or len(self.map) < size:
            size = max(size, HEADER_BYTES)
            if os.fstat(self.fd).st_size < size:
                os.ftruncate(self.fd, size)
            self.map = mmap.mmap(self.fd, size)
        return self.map

    def map_batch(self, n: int, squares: int, words: int, count: int, index: type[np.unsignedinteger[Any]]) -> None:
        """Map the views of a batch of n puzzles, with up to `count` solutions of type `index` each."""
        sizes = (
            HEADER_BYTES,
            8 * n * squares * words,
            ROW.itemsize * n,
            np.dtype(index).itemsize * n * count * squares,
        )
        shared = self.reserve(sum(sizes))
        at = [sum(sizes[:i]) for i in range(4)]
        self.pulse = np.frombuffer(shared, np.int64, 6, at[0])
        self.domains = np.frombuffer(shared, np.uint64, n * squares * words, at[1]).reshape(n, squares, words)
        self.rows = np.frombuffer(shared, ROW, n, at[2])
        self.solutions = np.frombuffer(shared, index, n * count * squares, at[3]).reshape(n, count, squares)

    def write(self, text: bytes) -> None:
        """Write a text in place of a batch."""
        self.reserve(HEADER_BYTES + len(text))[HEADER_BYTES : HEADER_BYTES + len(text)] = text

    def read(self, size: int) -> bytes:
        """Read the text of that size."""
        return self.reserve(HEADER_BYTES + size)[HEADER_BYTES : HEADER_BYTES + size]
