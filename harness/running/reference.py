"""Reference work: a short fixed task, timed at the start of a run, between its leases and at its end.

Its cost should be constant, so its variation measures the machine: noise within a run, and speed differences between
runs. It searches in pure Python and gathers from a table larger than the inner caches, since solvers are bound by
computation or by memory. About 2 ms per pass.
"""

import time
from functools import cache

import numpy as np
import numpy.typing as npt

from harness.model.lease import Sample

PASSES = 5  # passes at the start and again at the end of a run
SAMPLE_INTERVAL_S = 1.0  # seconds between passes during a run; two passes, the first untimed, are 0.4 % of the time
CELLS = 1 << 18
GATHERED = 1 << 16


@cache
def gather_table() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return a table of 2 MB and the indices to gather, the same on every call."""
    rng = np.random.default_rng(9)
    return rng.permutation(CELLS), rng.integers(0, CELLS, GATHERED)


def queens(size: int, row: int = 0, columns: int = 0, up: int = 0, down: int = 0) -> int:
    """Count placements of queens by branching over bit sets, as the native solvers do."""
    if row == size:
        return 1
    free, found = (1 << size) - 1 & ~(columns | up | down), 0
    while free:
        bit = free & -free
        free ^= bit
        found += queens(size, row + 1, columns | bit, (up | bit) << 1, (down | bit) >> 1)
    return found


def reference_work() -> int:
    """Do one pass of the reference work."""
    cells, at = gather_table()
    for _ in range(4):
        at = cells[at]
    return queens(8) + int(at[0])


def measure(passes: int = PASSES) -> list[Sample]:
    """Time passes of the reference work, after one untimed pass."""
    reference_work()
    samples = []
    for _ in range(passes):
        wall, cpu = time.perf_counter_ns(), time.thread_time_ns()
        reference_work()
        samples.append((time.perf_counter_ns() - wall, time.thread_time_ns() - cpu))
    return samples


class Sampler:
    """Reference work between leases, at most once in SAMPLE_INTERVAL_S.

    It is timed just before a lease begins, when no other work of a run with one job is running.
    """

    def __init__(self) -> None:
        self.last = time.monotonic()

    def sample(self) -> tuple[Sample, ...]:
        """Return the time of one pass if a sample is due, else nothing."""
        if time.monotonic() - self.last < SAMPLE_INTERVAL_S:
            return ()
        (found,) = measure(1)
        self.last = time.monotonic()
        return (found,)
