"""Environment variables of worker processes: an explicit list, independent of the user's shell.

FIXED             set to these values: locale, time zone, hash seed, one thread per library
PASSED            inherited if set: locations of programs, libraries and caches, and their tuning; a trailing * matches
                  any suffix
INTERNAL          variables of Crosscheck itself: inherited, but left out of the record of a run
--pass-env        inherited if set, too; of their values only digests are recorded
SAME_INTERPRETER  inherited only by workers on this interpreter, which was itself started with them

Solvers and the programs that they start see no other variables.
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

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ("puzzles", "encoders", "backends", "harness")
FIXED = {
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "PYTHONHASHSEED": "0",
    "PYTHONUNBUFFERED": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",
}
INTERNAL = "CROSSCHECK_*"
LASTING = "CROSSCHECK_TMPDIR"  # the user's folder for temporary files, for caches that outlive a run
PASSED = (
    *("PATH", "HOME", "TMPDIR", "XDG_CACHE_HOME", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"),
    *("NUMBA_*", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", INTERNAL),
)
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
SAME_INTERPRETER = ("PYTHONHOME", "PYTHONNOUSERSITE", "PYTHONUSERBASE")


def temporary_folder() -> Path:
    """Create the folder for all temporary files of a run. Raises BadUsage."""
    try:
        return Path(tempfile.mkdtemp(prefix="crosscheck-"))
    except FileNotFoundError as e:
        raise BadUsage(f"temporary files can't be written: {e.strerror}: set TMPDIR") from None


def matches(name: str, names: tuple[str, ...]) -> bool:
    """Return True if a variable is among these names, in which a trailing * matches any suffix."""
    return any(name.startswith(n[:-1]) if n.endswith("*") else name == n for n in names)


def check_passed(names: Sequence[str]) -> None:
    """Raise BadUsage if workers can't inherit one of the variables of --pass-env."""
    for name in names:
        if not NAME.fullmatch(name) or name in FIXED or name == "PYTHONPATH" or matches(name, (INTERNAL,)):
            raise BadUsage(f"--pass-env {name!r}: not the name of a variable that can be passed")
        if name not in os.environ:
            raise BadUsage(f"--pass-env {name}: this variable is not set")


def variables(python: str = sys.executable, folder: Path | None = None, pass_env: Sequence[str] = ()) -> dict[str, str]:
    """Return the environment of a worker on an interpreter, whose temporary files go to `folder`.

    `pass_env` are the names of --pass-env.
    """
    names = PASSED + tuple(pass_env) + (SAME_INTERPRETER if python == sys.executable else ())
    passed = {name: value for name, value in os.environ.items() if matches(name, names)}
    temporary = {"TMPDIR": str(folder), LASTING: tempfile.gettempdir()} if folder else {}
    return passed | FIXED | temporary | {"PYTHONPATH": python_path(python, folder)}


def recorded_variables(pass_env: Sequence[str] = ()) -> dict[str, str]:
    """Return the worker environment for the journal, without PYTHONPATH and internal variables.

    A value of --pass-env may be secret, so its digest stands for it.
    """
    found = {
        k: v
        for k, v in sorted(variables(pass_env=pass_env).items())
        if k != "PYTHONPATH" and not matches(k, (INTERNAL,))
    }
    digests = {k: hashlib.sha256(os.fsencode(found[k])).hexdigest() for k in pass_env if k in found}
    return found | {k: f"sha256 {digest}" for k, digest in digests.items()}


@cache
def isolated_packages(parent: Path | None) -> "tempfile.TemporaryDirectory[str]":
    """Create a folder with only our packages, for interpreters that must not see others installed there."""
    folder = tempfile.TemporaryDirectory(prefix="packages-", dir=parent, ignore_cleanup_errors=True)
    for package in PACKAGES:
        Path(folder.name, package).symlink_to(ROOT / package)
    return folder


def import_flags() -> list[str]:
    """Return -P, unless this process itself imports from the working folder, as `python -m` does.

    So the console script works in a folder of the user that has a `harness/`.
    """
    return [] if sys.path[0] in ("", os.getcwd()) else ["-P"]


def python_path(python: str, folder: Path | None) -> str:
    """Return the PYTHONPATH of a worker: our packages, and for another interpreter nothing else."""
    if python != sys.executable:
        return isolated_packages(folder).name
    installed = {Path(p).resolve() for p in (*site.getsitepackages(), sysconfig.get_path("purelib"))}
    mine = [] if ROOT in installed else [str(ROOT)]
    return os.pathsep.join(mine + [p for p in [os.environ.get("PYTHONPATH", "")] if p])
