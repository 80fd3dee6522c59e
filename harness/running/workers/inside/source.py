"""File of an instance in its worker: checked, and decompressed, when the contender is opened.

In an ask of a program that gets the file, our own work does not count for the program's time and limit: encoding the
file, to read and to forbid models, and parsing the program's output. Meanwhile the progress has a mark, and afterwards
the start of the ask is put off by the duration, so that the parent's limits do not count it.
"""

import shutil
import tempfile
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from time import perf_counter_ns as now
from time import process_time_ns

from backends.contract.answer import Pauses
from harness.model.digests import digest_and_start
from harness.model.outcome import OUTSIDE, SourceDigest
from harness.running.workers.problem_file import ChangedFile
from harness.running.workers.shared_memory import PAUSED, SINCE, SPENT
from puzzles.readers.compressed import compression, open_binary

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
        found, start = digest_and_start(original)
        if found is None:
            self.path, self.note = None, f"{source.path} can't be read here: the program got a written file instead"
        elif found != source.digest:
            raise ChangedFile(f"{source.path} has changed since it was read: start a new run")
        elif compression(start) is not None:
            self.folder = tempfile.TemporaryDirectory(prefix="source-")
            self.path = Path(self.folder.name, f"instance.{ENDINGS.get(source.format, source.format)}")
            with open_binary(original) as packed, self.path.open("wb") as file:
                shutil.copyfileobj(packed, file, 1 << 20)


class HarnessWork(Pauses):
    """Nanoseconds of harness work in an ask, by phase, and its CPU time. Blocks may be nested."""

    counted = True

    def __init__(self, progress: "memoryview[int]") -> None:
        self.progress = progress
        self.phases: dict[str, int] = dict.fromkeys(OUTSIDE, 0)
        self.cpu = 0

    @property
    def total(self) -> int:  # type: ignore[override]
        return sum(self.phases.values())

    def pause(self, phase: str) -> AbstractContextManager[None]:
        return nullcontext() if self.progress[PAUSED] else Pause(self, phase)


class Pause:
    """Block of harness work in an ask. A class takes half of the time of a generator."""

    def __init__(self, work: HarnessWork, phase: str) -> None:
        self.work, self.phase = work, phase

    def __enter__(self) -> None:
        self.work.progress[PAUSED] = 1
        self.begin, self.cpu = now(), process_time_ns()

    def __exit__(self, *raised: object) -> None:
        work, took, spent = self.work, now() - self.begin, process_time_ns() - self.cpu
        work.phases[self.phase] += took
        work.cpu += spent
        work.progress[SINCE] += took
        work.progress[SPENT] += spent
        work.progress[PAUSED] = 0
