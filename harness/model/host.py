"""Machine, package versions and executables of a run."""

import contextlib
import os
import platform
import shlex
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from backends.programs.backend import command, program_of
from harness.model.digests import digest
from harness.model.origins.command_files import command_files
from harness.model.release import installed

NAME = "name"  # key of a machine's name, in the description of a place of a cluster
MEMORY_BY = "memory_by"  # key of the word for how limits and peaks of memory are kept: cgroup or sampled
PLACE_CORES = "place_cores"  # key of the cores of a place that has several
CLOCK = "clock"  # key of the difference between its clock and the client's, in words
MIN_DEFAULT_MEMORY = 1 << 30  # bytes: opened, a worker with ortools or numba has 130 MB and maps 430
PACKAGES = ("numpy", "numba", "ortools", "python-sat", "pindakaas")


def cores() -> list[int]:
    """Return the cores to which this process may pin others; empty if the system can't pin."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def cpu_model() -> str:
    """Return the name of the processor, or of its architecture if the system does not report it."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def memory() -> int | None:
    """Return the bytes of main memory, or None if the system does not report them."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return None


def cgroup_limits() -> Iterator[int]:
    """Yield the limits of memory of this process's control groups and all above them, version 1 and 2."""
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, group = line.split(":", 2)
        root, name = Path("/sys/fs/cgroup"), "memory.max"
        if controllers:
            root, name = root / "memory", "memory.limit_in_bytes"
            if "memory" not in controllers.split(","):
                continue
        folder = root / group.lstrip("/")
        for place in (folder, *folder.parents):
            with contextlib.suppress(OSError, ValueError):  # ValueError: "max"
                yield int((place / name).read_text())


def default_memory(jobs: int) -> int:
    """Return the default memory limit of a worker, 0 if the machine does not report its memory."""
    known = [limit for limit in (memory(), *cgroup_limits()) if limit]
    return max(MIN_DEFAULT_MEMORY, min(known) // 2 // jobs) if known else 0


def host() -> dict[str, Any]:
    """Return a description of the machine."""
    return {
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "cpu": cpu_model(),
        "cores": len(cores()) or os.cpu_count() or 1,
        "memory": memory(),
    }


class MachineType(NamedTuple):
    """Machines with comparable times: same processor, architecture, system, and number of cores for the process."""

    cpu: str
    machine: str
    system: str
    cores: int

    def __str__(self) -> str:
        cores = f"{self.cores} core{'s' * (self.cores != 1)}" if self.cores else ""
        return ", ".join(filter(None, (self.cpu, self.machine, self.system, cores)))


def machine_type(host: Mapping[str, Any]) -> MachineType:
    """Return the type of a machine that `host` described, without its name, memory and release of the system."""
    return MachineType(
        str(host["cpu"]), str(host.get("machine") or ""), str(host.get("system") or ""), int(host.get("cores") or 0)
    )


def versions() -> dict[str, str | None]:
    """Return versions of Python and the packages that affect measurements; None if not installed."""
    found: dict[str, str | None] = {"python": platform.python_version(), "crosscheck": installed()}
    return found | {package: installed(package) for package in PACKAGES}


def executables(
    programs: Mapping[str, str],
    pythons: Mapping[str, str],
    backends: Iterable[str] = (),
    checkers: Mapping[str, str] | None = None,
) -> dict[str, str | None]:
    """Return digests of the files that a run executes, by the name in the command and the resolved path.

    These are the files of `--program`, `--env` and `--checker`, and the programs on the PATH that backends name.
    """
    found: dict[str, str | None] = {}
    for option, commands in (("--program", programs), ("--checker", checkers or {})):
        for name, text in commands.items():
            found |= {f"{option} {name}: {path}": digest(path) for path in command_files(shlex.split(text))}
    for name, python in pythons.items():
        path = Path(shutil.which(python) or python).resolve()
        found[f"--env {name}: {path}"] = digest(path)
    for backend in backends:
        known = command(backend, programs) if (name := program_of(backend)) and name not in programs else None
        found |= {f"{backend}: {path}": digest(path) for path in command_files(known.words if known else ())}
    return found
