"""A short fixed piece of work, timed at the start of a run, between its leases and at its end.

What it costs should never change, so what it does change by is the machine: how noisy it was during one run, and how
much faster or slower between two. It searches in pure Python and gathers from a table larger than the inner caches,
since what binds a solver is one or the other. About 2 ms a pass.
"""

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import numpy.typing as npt

from harness.model.lease import Lease, Sample

PASSES = 5  # at the start and at the end of a run
SAMPLE_INTERVAL_S = 1.0  # seconds between passes during a run; two passes, the first uncounted, are 0.4 % of the time
CELLS = 1 << 18
GATHERED = 1 << 16


@cache
def gather_table() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """A table of 2 MB and where to read it, always the same."""
    rng = np.random.default_rng(9)
    return rng.permutation(CELLS), rng.integers(0, CELLS, GATHERED)


def queens(size: int, row: int = 0, columns: int = 0, up: int = 0, down: int = 0) -> int:
    """How many ways there are to place queens: branching over bit sets, as our own solvers do."""
    if row == size:
        return 1
    free, found = (1 << size) - 1 & ~(columns | up | down), 0
    while free:
        bit = free & -free
        free ^= bit
        found += queens(size, row + 1, columns | bit, (up | bit) << 1, (down | bit) >> 1)
    return found


def reference_work() -> int:
    """The reference work."""
    cells, at = gather_table()
    for _ in range(4):
        at = cells[at]
    return queens(8) + int(at[0])


def measure(passes: int = PASSES) -> list[Sample]:
    """Time so many passes of the reference work, after one that is not counted."""
    reference_work()
    samples = []
    for _ in range(passes):
        wall, cpu = time.perf_counter_ns(), time.thread_time_ns()
        reference_work()
        samples.append((time.perf_counter_ns() - wall, time.thread_time_ns() - cpu))
    return samples


def sampled(leases: Iterable[Lease]) -> Iterator[Lease]:
    """The leases as they are asked for, some with a pass of the reference work just before they are handed over.

    A supervisor asks for its next lease when a place is free, so with one job nothing else of the run is running then.
    """
    last = time.monotonic()
    for lease in leases:
        if time.monotonic() - last < SAMPLE_INTERVAL_S:
            yield lease
            continue
        yield replace(lease, samples=tuple(measure(1)))
        last = time.monotonic()
