"""Harness work in an ask of a program that gets the file of its instance: set apart from the program's time and limit.

The file is encoded, to read models and to forbid them, and what the program prints is parsed. While that goes on the
pulse says so, and then the start of the ask is put off by as much, so that the parent's limits do not count it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter_ns as now

from backends.answer import Pauses
from harness.model.outcome import OUTSIDE
from harness.running.workers.shared_memory import PAUSED, SINCE, SPENT


class HarnessWork(Pauses):
    """Nanoseconds of harness work in an ask, by phase, and its CPU time. Blocks may be nested."""

    counted = True

    def __init__(self, pulse: "memoryview[int]", cpu_time: Callable[[], int]) -> None:
        self.pulse, self.cpu_time = pulse, cpu_time
        self.phases = dict.fromkeys(OUTSIDE, 0)
        self.cpu = 0

    @property
    def total(self) -> int:  # type: ignore[override]
        return sum(self.phases.values())

    @contextmanager
    def pause(self, phase: str) -> Iterator[None]:
        if self.pulse[PAUSED]:
            yield
            return
        self.pulse[PAUSED] = 1
        begin, cpu = now(), self.cpu_time()
        try:
            yield
        finally:
            took, spent = now() - begin, self.cpu_time() - cpu
            self.phases[phase] += took
            self.cpu += spent
            self.pulse[SINCE] += took
            self.pulse[SPENT] += spent
            self.pulse[PAUSED] = 0
