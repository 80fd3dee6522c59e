"""File of an instance in its worker: checked, and decompressed, when the contender is opened.

In an ask of a program that gets the file, our own work does not count for the program's time and limit: encoding the
file, to read and to forbid models, and parsing the program's output. Meanwhile the pulse is marked, and afterwards the
start of the ask is put off by the duration, so that the parent's limits do not count it.
"""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter_ns as now

from backends.contract.answer import Pauses
from harness.model.digests import digest
from harness.model.outcome import OUTSIDE, SourceDigest
from harness.running.workers.problem_file import ChangedFile
from harness.running.workers.shared_memory import PAUSED, SINCE, SPENT
from puzzles.readers.compressed import is_compressed, open_binary

ENDINGS = {"xcsp3": "xml"}  # endings that are not the format's name


class WorkerSource:
    """File that a program gets: the instance's own file, or its decompressed content in the run's folder.

    path  None if this machine lacks the file: the program then gets a written one
    note  text on that, or ''
    """

    def __init__(self, source: SourceDigest) -> None:
        original = Path(source.path)
        self.path: Path | None = original
        self.note = ""
        found = digest(original)
        if found is None:
            self.path, self.note = None, f"{source.path} can't be read here: the program got a written file instead"
        elif found != source.digest:
            raise ChangedFile(f"{source.path} has changed since it was read: start a new run")
        elif is_compressed(original):
            self.folder = tempfile.TemporaryDirectory(prefix="source-")
            self.path = Path(self.folder.name, f"instance.{ENDINGS.get(source.format, source.format)}")
            with open_binary(original) as packed, self.path.open("wb") as file:
                shutil.copyfileobj(packed, file, 1 << 20)


class HarnessWork(Pauses):
    """Nanoseconds of harness work in an ask, by phase, and its CPU time. Blocks may be nested."""

    counted = True

    def __init__(self, pulse: "memoryview[int]", cpu_time: Callable[[], int]) -> None:
        self.pulse, self.cpu_time = pulse, cpu_time
        self.phases: dict[str, int] = dict.fromkeys(OUTSIDE, 0)
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
