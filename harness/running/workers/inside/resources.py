"""Memory and temporary files of a worker, as it sees and limits them itself: peaks per ask, a limit of its data."""

import contextlib
import os
import resource
import shutil
from collections.abc import Set
from itertools import chain
from pathlib import Path

from backends.programs.launching import KIB, MEMORY
from harness.model.observing.observed import Basis
from harness.running.control_groups import GroupFiles, ProgramGroup
from harness.running.workers.descendants import descendants


class PeakMeter:
    """Peak memory of an ask that begins now.

    Programs of `backends/programs/process.py` are measured alone. A contender without programs is measured as its
    worker, with the processes that it keeps between its asks. With a control group the solver is measured alone, and
    exactly if it is a program in a group of its own.
    """

    def __init__(self, kept: Set[int], group: GroupFiles | None = None, programs: ProgramGroup | None = None) -> None:
        self.group = programs.files if programs else group
        if group:
            group.reset()  # its parent reads this one if the ask is killed
            self.share = programs.begin() if programs else group.bytes_used()
            return
        self.kept = [*kept, *chain.from_iterable(map(descendants, kept))] if kept else []
        self.measured: list[int | str] = ["self", *self.kept]
        for pid in self.measured:
            reset_peak(pid)
        self.largest, self.ended = ended_children()
        MEMORY.begin()

    def read(self) -> tuple[int, Basis]:
        """Return the peak in bytes, and the processes that it covers; -1 if the system reports no peak."""
        if self.group:
            return max(0, self.group.highest() - self.share), Basis.SOLVER
        if MEMORY.highest >= 0:
            return MEMORY.highest, Basis.PROGRAM
        own = sum(map(peak_since, self.measured))
        if own == 0:
            return -1, Basis.UNKNOWN
        largest, ended = ended_children()
        if ended == self.ended and not self.kept:
            return own, Basis.WORKER
        return max(own, largest if largest > self.largest else 0), Basis.GROUP


def reset_peak(pid: int | str) -> None:
    """Reset the kernel's peak of a process's resident memory (Linux)."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/clear_refs", "w") as file:
        file.write("5")


def peak_since(pid: int | str) -> int:
    """Return the peak of a process's resident memory since its reset in bytes, 0 if it has ended (Linux)."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/status") as file:
        return KIB * next((int(line.split()[1]) for line in file if line.startswith("VmHWM:")), 0)
    return 0


def ended_children() -> tuple[int, int]:
    """Return the highest peak of all ended children, in bytes, and their page faults, which every child has."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return KIB * usage.ru_maxrss, usage.ru_minflt


class LimitTooSmall(ValueError):
    """The memory limit is below the current use of the opened worker."""


def limit_memory(limit: int, aside: bool = False) -> None:
    """Limit the data memory of this process in bytes, its present data included or set aside. Raises LimitTooSmall."""
    status = Path("/proc/self/status")
    if status.exists():
        fields = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
        used = 1024 * int(fields["VmData"].split()[0])
        limit += used if aside else 0
        if used >= limit:
            raise LimitTooSmall(
                f"the memory limit is below the {-(-used >> 20)} MiB that the opened worker already uses"
            )
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def names_in(folder: Path) -> set[str]:
    """Return the names in a folder; none if a contender has deleted it, or replaced it by a link."""
    with contextlib.suppress(OSError):
        if not os.path.islink(folder):
            return set(os.listdir(folder))
    return set()


def remove_files(folder: Path, kept: Set[str]) -> None:
    """Remove everything in a folder but `kept`: files of an ask that failed, perhaps because they filled the disk."""
    for name in names_in(folder) - kept:
        path = folder / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with contextlib.suppress(OSError):
                path.unlink()
