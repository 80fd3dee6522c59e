"""Environment variables of worker processes: an explicit list, independent of the user's shell.

FIXED             set to these values: locale, time zone, hash seed, one thread per library
PASSED            inherited if set: locations of programs, libraries and caches, and their tuning; a trailing * matches
                  any suffix
INTERNAL          variables of Crosscheck itself: inherited, but left out of the record of a run
SAME_INTERPRETER  inherited only by workers on this interpreter, which was itself started with them

Solvers and the programs that they start see no other variables.
"""

import os
import site
import sys
import sysconfig
import tempfile
from functools import cache
from pathlib import Path

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
PASSED = (
    *("PATH", "HOME", "TMPDIR", "XDG_CACHE_HOME", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"),
    *("NUMBA_*", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", INTERNAL),
)
SAME_INTERPRETER = ("PYTHONHOME", "PYTHONNOUSERSITE", "PYTHONUSERBASE")


def matches(name: str, names: tuple[str, ...]) -> bool:
    """Return True if a variable is among these names, in which a trailing * matches any suffix."""
    return any(name.startswith(n[:-1]) if n.endswith("*") else name == n for n in names)


def variables(python: str = sys.executable) -> dict[str, str]:
    """Return the environment of a worker on an interpreter."""
    names = PASSED + SAME_INTERPRETER if python == sys.executable else PASSED
    passed = {name: value for name, value in os.environ.items() if matches(name, names)}
    return passed | FIXED | {"PYTHONPATH": python_path(python)}


def recorded_variables() -> dict[str, str]:
    """Return the worker environment for the journal, without PYTHONPATH and internal variables."""
    return {k: v for k, v in sorted(variables().items()) if k != "PYTHONPATH" and not matches(k, (INTERNAL,))}


@cache
def isolated_packages() -> "tempfile.TemporaryDirectory[str]":
    """Create a folder with only our packages, for interpreters that must not see others installed there."""
    folder = tempfile.TemporaryDirectory(prefix="crosscheck-")
    for package in PACKAGES:
        Path(folder.name, package).symlink_to(ROOT / package)
    return folder


def python_path(python: str) -> str:
    """Return the PYTHONPATH of a worker: our packages, and for another interpreter nothing else.

    A worker is started with -P, so a folder of the user that has a `harness/` does not replace ours. The working folder
    is a path of the worker only if it is one of this process (`python -m`), after our packages.
    """
    if python != sys.executable:
        return isolated_packages().name
    installed = {Path(p).resolve() for p in (*site.getsitepackages(), sysconfig.get_path("purelib"))}
    mine = [] if ROOT in installed else [str(ROOT)]
    here = [os.getcwd()] if sys.path[0] in ("", os.getcwd()) else []
    return os.pathsep.join(mine + here + [p for p in [os.environ.get("PYTHONPATH", "")] if p])
