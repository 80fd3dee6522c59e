"""Solvers of PyPI in environments of their own: `python -m venv` and `pip install`, with digests from pip's report."""

import json
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path

from backends.programs.known_programs import KNOWN
from harness.model.errors import BadUsage
from puzzles.environments import Environment, Installed, environments, environments_of, environments_root, write_record
from puzzles.packages import COUNTERS, SOLVERS, distribution_of, solver_of

NEEDED = ("numpy",)  # what a worker imports beside the solver
SECONDS = 1800  # limit of pip
LINE = 200  # characters of pip's message
NAME = re.compile(r"([A-Za-z0-9][A-Za-z0-9.:_-]*)(?:==([A-Za-z0-9][A-Za-z0-9.!+_-]*))?")


def get(text: str, note: Callable[[str], None]) -> Environment:
    """Return the environment of NAME[==VERSION], made if there is none of these numbers. Raises BadUsage, OSError."""
    matched = NAME.fullmatch(text)
    if not matched:
        raise BadUsage(f"{text!r} is not NAME[==VERSION]")
    name, version = matched[1], matched[2] or ""
    distribution = distribution_named(name)
    if version and (there := environments_of(distribution, version)):
        return there[-1]
    part = environments_root() / f"{distribution}-{version or 'newest'}.part"
    shutil.rmtree(part, ignore_errors=True)  # of a `get` that was killed
    part.mkdir(parents=True)
    try:
        any_patch = ".*" if re.fullmatch(r"[0-9.]+", version) else ""  # 9.11 is any 9.11.N
        wanted = f"{distribution}=={version}{any_patch}" if version else distribution
        note(f"installing {wanted} from the index of pip into {environments_root()} ...")
        made = installed(part, distribution, wanted)
        return kept(part, made)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def distribution_named(name: str) -> str:
    """Return the distribution of a solver's name or of a distribution's. Raises BadUsage, with what to do."""
    if found := solver_of(name) or distribution_of(name):
        return found
    program = name.rpartition(":")[2]
    if program in KNOWN:
        raise BadUsage(f"{program} is a program: {KNOWN[program].install}; then -b {KNOWN[program].base}:{program}")
    raise BadUsage(f"{name!r} is no solver of a package: known are {', '.join((*SOLVERS, *COUNTERS))}")


def installed(folder: Path, distribution: str, wanted: str) -> Environment:
    """Install a distribution in a folder; return its environment. Raises BadUsage with pip's reason."""
    report = folder / "report.json"
    python = str(folder / "bin" / "python")
    finish([sys.executable, "-m", "venv", str(folder)], "python -m venv")
    options = ["--quiet", "--disable-pip-version-check", "--no-input", "--report", str(report)]
    finish([python, "-m", "pip", "install", *options, wanted, *NEEDED], f"pip install {wanted}")
    packages = tuple(map(of_report, json.loads(report.read_text())["install"]))
    first = next(p for p in packages if p.distribution == canonical(distribution))
    others = tuple(p for p in packages if p is not first)
    made = date.today().isoformat()
    return Environment("", distribution, first.version, platform.python_version(), made, (first, *others))


def kept(part: Path, made: Environment) -> Environment:
    """Give a finished environment its name and its record; one of the same version that is there stays."""
    folder = part.with_name(f"{made.distribution}-{made.version}")
    if not environments_of(made.distribution, made.version):
        shutil.rmtree(folder, ignore_errors=True)
        part.rename(folder)
        write_record(folder, made)
    environments.cache_clear()
    return environments_of(made.distribution, made.version)[-1]


def canonical(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution).lower()


def of_report(entry: dict[str, object]) -> Installed:
    """Return a distribution of pip's report, whose format pip documents."""
    metadata, download = entry["metadata"], entry["download_info"]
    assert isinstance(metadata, dict)
    assert isinstance(download, dict)
    hashes = download.get("archive_info", {}).get("hashes", {})
    return Installed(canonical(metadata["name"]), metadata["version"], hashes.get("sha256", ""))


def finish(command: list[str], what: str) -> None:
    """Run a command to its end. Raises BadUsage with the first error that it prints."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise BadUsage(f"{what} did not end within {SECONDS} s") from None
    if done.returncode:
        lines = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        reason = next((line for line in lines if line.startswith("ERROR:")), lines[-1] if lines else "no message")
        raise BadUsage(f"{what}: {reason.removeprefix('ERROR: ')[:LINE]}")
