"""Environment variables of worker processes: the list in puzzles/processes, folders, the import path.

Of the values of --pass-env, only digests are recorded.
"""

import hashlib
import os
import re
import site
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from harness.model.errors import BadUsage
from harness.running.folders import new_folder
from puzzles.processes.environment import FIXED, INTERNAL, inherited, matches

ROOT = Path(__file__).resolve().parent.parent.parent
SLOW_DIGEST = "scrypt "  # prefix of a digest by `slow_digest`
PACKAGES = ("puzzles", "encoders", "backends", "harness")
LASTING = "CROSSCHECK_TMPDIR"  # the user's folder for temporary files, for caches that outlive a run
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def temporary_folder() -> Path:
    """Create the folder for all temporary files of a run. Raises BadUsage."""
    try:
        return new_folder()
    except FileNotFoundError as e:
        raise BadUsage(f"temporary files can't be written: {e.strerror}: set TMPDIR") from None


def check_passed(names: Sequence[str]) -> None:
    """Raise BadUsage if workers can't inherit a variable of --pass-env."""
    for name in names:
        if not NAME.fullmatch(name) or name in FIXED or name == "PYTHONPATH" or matches(name, (INTERNAL,)):
            raise BadUsage(f"--pass-env {name!r}: not the name of a variable that can be passed")
        if name not in os.environ:
            raise BadUsage(f"--pass-env {name}: this variable is not set")


def variables(python: str = sys.executable, folder: Path | None = None, pass_env: Sequence[str] = ()) -> dict[str, str]:
    """Return the environment of a worker on an interpreter, with `folder` for its temporary files.

    `pass_env` are the names of --pass-env.
    """
    temporary = {"TMPDIR": str(folder), LASTING: tempfile.gettempdir()} if folder else {}
    return inherited(python == sys.executable, pass_env) | temporary | {"PYTHONPATH": python_path(python, folder)}


def threads(cores: int) -> dict[str, str]:
    """Return the variables that give libraries as many threads as a contender has cores."""
    return {name: str(cores) for name in FIXED if name.endswith("_THREADS")}


def recorded_variables(pass_env: Sequence[str] = (), salt: str = "") -> dict[str, str]:
    """Return the worker environment for the journal, without PYTHONPATH and internal variables.

    A value of --pass-env may be secret, so a digest stands for it.
    """
    found = {
        k: v
        for k, v in sorted(variables(pass_env=pass_env).items())
        if k != "PYTHONPATH" and not matches(k, (INTERNAL,))
    }
    return found | {k: SLOW_DIGEST + slow_digest(f"{salt} {k}", found[k]) for k in pass_env if k in found}


@cache
def slow_digest(salt: str, value: str) -> str:
    """Return a salted digest of a value, in hexadecimal digits; each guess of the value costs 50 ms and 16 MiB."""
    return hashlib.scrypt(os.fsencode(value), salt=salt.encode(), n=1 << 14, r=8, p=1, dklen=32).hex()


@cache
def isolated_packages(parent: Path | None) -> "tempfile.TemporaryDirectory[str]":
    """Create a folder with our packages alone, for interpreters that must not see others of this installation."""
    folder = tempfile.TemporaryDirectory(prefix="packages-", dir=parent, ignore_cleanup_errors=True)
    for package in PACKAGES:
        Path(folder.name, package).symlink_to(ROOT / package)
    return folder


def import_flags() -> list[str]:
    """Return -P, unless this process itself imports from the working folder, as `python -m` does.

    So the console script works in a user's folder that has a `harness/`.
    """
    return [] if sys.path[0] in ("", os.getcwd()) else ["-P"]


def is_installed() -> bool:
    """Return True if our packages lie where this interpreter installs packages."""
    return ROOT in {Path(p).resolve() for p in (*site.getsitepackages(), sysconfig.get_path("purelib"))}


def python_path(python: str, folder: Path | None) -> str:
    """Return the PYTHONPATH of a worker: our packages, and for another interpreter nothing else."""
    if python != sys.executable:
        return isolated_packages(folder).name
    mine = [] if is_installed() else [str(ROOT)]
    return os.pathsep.join(mine + [p for p in [os.environ.get("PYTHONPATH", "")] if p])
