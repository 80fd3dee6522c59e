"""Shared memory between the parent and one worker: a batch goes in, outcomes come out.

The memory outlives the worker, so a killed worker loses no finished outcome, and the parent sees without a message
which puzzle is running and since when. The worker can write anything to the memory, but (on Linux) not truncate it,
which would kill the parent on reading.

    progress   int64[10]: first puzzle of the running ask, number of its puzzles, its start (monotonic ns), outcomes
               done, CPU time of the process at its start (ns), 1 if it repeats a warm-up, 1 if the session is opened
               again, 1 during work of ours that no limit of the ask counts, wall and CPU time (ns) that no row has:
               asks that were repeated, sessions that were opened again
    domains    uint64[n, variables, words]
    firsts     int64[n, 3]: of an ask that was repeated, whose times its row does not have: wall and CPU time, and for
               how long some process of the machine waited for a core meanwhile (ns); else 0
    times      int64[n, asks]: nanoseconds of CPU time of each ask of a query script
    rows       ROW[n]
    solutions  uint16[n, count, variables], or uint32 if the problem has too many values for uint16
    bases      int8[n]: Basis of the peak in each row
    reports    of an instance with an objective: what the running ask has found up to now (reports.py)
    stated     bytes[n]: the value that the answer states, as text; bounds alike
    kept       int8[n]: number of earlier answers to the same ask, of warm-ups, which `earlier` holds: at [k, i] the
               k-th one to puzzle i, in the columns rows, solutions, stated and bounds

The worker writes an outcome after each ask, when its caches hold the solver's data: `set_row` and `set_solution` are
faster equivalents of `rows[i] =` and `solutions[i, k] =`.
"""

import mmap
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from struct import Struct, error
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from backends.contract.checking import indices
from harness.model.outcome import ROW, Rows, no_value
from harness.running.workers.reports import Slots, report_bytes
from puzzles.problem.arrays import Int8Array, Int64Array, Solutions, UInt64Array

FIRST, SIZE, SINCE, DONE, SPENT, AGAIN, REOPENING, PAUSED, ASIDE, ASIDE_CPU = range(10)
HEADER_BYTES = 80
ROW_FORMAT = Struct("=" + "".join({1: "b", 4: "i", 8: "q"}[ROW[name].itemsize] for name in ROW.names or ()))
Columns = npt.NDArray[Any]
STEP_BYTES = 1 << 16  # in which the file grows: only pages that are written take memory
MAX_SOLUTION_BYTES = 8 << 20  # per batch, unless a single puzzle needs more


class BatchProgress(NamedTuple):
    """The progress of a batch, each number within its range."""

    first: int
    size: int
    since: int
    done: int
    spent: int
    again: bool
    reopening: bool  # after a failed ask, which is done
    paused: bool = False  # for harness work on the file that a program gets
    aside: int = 0
    aside_cpu: int = 0

    @property
    def asking(self) -> bool:
        """True during an ask, False before the first ask and between two."""
        return self.since > 0 and (self.first >= self.done or self.again)


def create_file() -> int:
    """Create an anonymous file and return its descriptor; on Linux it can grow, but never shrink."""
    if sys.platform == "linux":
        import fcntl

        fd = os.memfd_create("batch", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        fcntl.fcntl(fd, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL)
        return fd
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def capacity(squares: int, count: int) -> int:
    """Return the maximum number of puzzles per batch."""
    return max(1, min(4096, MAX_SOLUTION_BYTES // max(1, 2 * squares * count)))


class SharedBatch:
    """Mapping of the file `fd`, in which both processes compute the same views for each batch."""

    progress: Int64Array
    domains: UInt64Array
    rows: Rows
    solutions: Solutions
    bases: Int8Array
    firsts: Int64Array
    times: Int64Array
    reports: Slots
    stated: npt.NDArray[np.bytes_]
    bounds: npt.NDArray[np.bytes_]
    kept: Int8Array
    earlier: list[tuple[Columns, Columns]]  # a column, and what it had before: [warmups, *column]

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.map: mmap.mmap | None = None

    def reserve(self, size: int) -> mmap.mmap:
        """Return a mapping of at least `size` bytes. The file grows and never shrinks."""
        if self.map is None or len(self.map) < size:
            size = -(-size // STEP_BYTES) * STEP_BYTES
            if os.fstat(self.fd).st_size < size:
                os.ftruncate(self.fd, size)
            self.map = mmap.mmap(self.fd, size)
        return self.map

    def map_batch(
        self,
        n: int,
        squares: int,
        words: int,
        count: int,
        index: type[np.unsignedinteger[Any]],
        digits: int = 0,
        warmups: int = 0,
        asks: int = 0,
    ) -> None:
        """Map the views of a batch of n puzzles, with up to `count` solutions of type `index` each.

        `digits` is the length of the longest value of their objective, 0 without one; `warmups` is how often an ask may
        be repeated; `asks` is the number of asks of a query script, 0 of another instance.
        """
        itemsize = np.dtype(index).itemsize
        sizes = (
            HEADER_BYTES,
            8 * n * squares * words,
            24 * n,
            8 * n * asks,
            ROW.itemsize * n,
            itemsize * n * count * squares,
            n,
            report_bytes(digits, squares, itemsize) + 8,
            2 * n * digits,
            n,
            *(warmups * size for size in (ROW.itemsize * n, itemsize * n * count * squares, n * digits, n * digits)),
        )
        shared = self.reserve(sum(sizes))
        at = [sum(sizes[:i]) for i in range(len(sizes))]
        self.progress = np.frombuffer(shared, np.int64, 10, at[0])
        self.domains = np.frombuffer(shared, np.uint64, n * squares * words, at[1]).reshape(n, squares, words)
        self.firsts = np.frombuffer(shared, np.int64, 3 * n, at[2]).reshape(n, 3)
        self.times = np.frombuffer(shared, np.int64, n * asks, at[3]).reshape(n, asks)
        self.rows = np.frombuffer(shared, ROW, n, at[4])
        self.solutions = np.frombuffer(shared, index, n * count * squares, at[5]).reshape(n, count, squares)
        self.bases = np.frombuffer(shared, np.int8, n, at[6])
        if digits:
            self.reports = Slots(shared, -(-at[7] // 8) * 8, digits, squares, index)
            self.stated = np.frombuffer(shared, f"S{digits}", n, at[8])
            self.bounds = np.frombuffer(shared, f"S{digits}", n, at[8] + n * digits)
        self.kept = np.frombuffer(shared, np.int8, n, at[9])
        columns = [self.rows, self.solutions, *([self.stated, self.bounds] if digits else [])]
        self.earlier = [
            (
                column,
                np.frombuffer(shared, column.dtype, warmups * column.size, at[10 + k]).reshape(warmups, *column.shape),
            )
            for k, column in enumerate(columns)
        ]
        self.solution_format = Struct(f"={squares}{'HIQ'[itemsize >> 2]}")
        self.rows_at, self.solutions_at, self.count = at[4], at[5], count

    def keep(self, first: int, size: int) -> None:
        """Keep the answers to an ask that is repeated."""
        nth, at = int(self.kept[first]), slice(first, first + size)
        for column, before in self.earlier:
            before[nth, at] = column[at]
        self.kept[at] = nth + 1

    def set_row(self, i: int, row: Sequence[int]) -> None:
        """Write the row of puzzle i."""
        assert self.map is not None
        ROW_FORMAT.pack_into(self.map, self.rows_at + i * ROW_FORMAT.size, *row)

    def set_solution(self, i: int, k: int, values: Sequence[int]) -> None:
        """Write the k-th solution of puzzle i; numbers that its type can't hold become `no_value`. Raises BadAnswer."""
        assert self.map is not None
        made = self.solution_format
        at = self.solutions_at + (i * self.count + k) * made.size
        try:
            made.pack_into(self.map, at, *values)
        except error:
            none = no_value(self.solutions)
            made.pack_into(self.map, at, *(v if 0 <= v < none else none for v in indices(values)))

    def read_progress(self, n: int) -> BatchProgress:
        """Return the progress of a batch of n puzzles, with numbers clamped to their ranges."""
        self.restore_size()
        first, size, since, done, spent, again, reopening, paused, aside, aside_cpu = self.progress.tolist()
        done = min(max(done, 0), n)
        size, since = min(max(size, 1), max(n - done, 1)), min(max(since, 0), time.monotonic_ns())
        flags = bool(again), bool(reopening), bool(paused)
        return BatchProgress(first, size, since, done, max(spent, 0), *flags, max(aside, 0), max(aside_cpu, 0))

    def restore_size(self) -> None:
        """Undo a truncation by the worker, where the system can't forbid it: reading beyond the end raises SIGBUS."""
        if sys.platform != "linux" and self.fd >= 0 and self.map is not None:
            if os.fstat(self.fd).st_size < len(self.map):
                os.ftruncate(self.fd, len(self.map))

    def close(self) -> None:
        """Close the file after the end of its worker; the mapped content can still be read."""
        self.restore_size()
        os.close(self.fd)
        self.fd = -1
