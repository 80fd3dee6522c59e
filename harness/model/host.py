"""Machine, package versions and executables of a run."""

import hashlib
import os
import platform
import shlex
import shutil
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

PACKAGES = ("crosscheck", "numpy", "numba", "ortools", "python-sat")


def cores() -> list[int]:
    """Return the cores to which this process may pin another; none if the system can't pin."""
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


def versions() -> dict[str, str | None]:
    """Return versions of Python and the packages that affect measurements; None if not installed."""

    def installed(package: str) -> str | None:
        try:
            return version(package)
        except PackageNotFoundError:
            return None

    return {"python": platform.python_version()} | {p: installed(p) for p in PACKAGES}


def digest(path: Path) -> str | None:
    """Return the SHA-256 of a file's content, or of a folder's names and digests; None if it can't be read."""
    try:
        if path.is_dir():
            files = sorted(p for p in path.rglob("*") if p.is_file())
            listed = "".join(f"{digest(p)} {p.relative_to(path).as_posix()!r}\n" for p in files)
            return hashlib.sha256(listed.encode()).hexdigest()
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def executables(programs: Mapping[str, str], pythons: Mapping[str, str]) -> dict[str, str | None]:
    """Return digests of the files that `--program` and `--env` run, by option and resolved path.

    For a command these are its program and each word that names a file, such as the script of an interpreter.
    """
    found: dict[str, str | None] = {}
    for name, command in programs.items():
        first, *rest = shlex.split(command)
        words = [shutil.which(first) or first, *(word for word in rest if Path(word).is_file())]
        found |= {f"--program {name}: {path}": digest(path) for path in (Path(word).resolve() for word in words)}
    for name, python in pythons.items():
        path = Path(shutil.which(python) or python).resolve()
        found[f"--env {name}: {path}"] = digest(path)
    return found
