"""Environment variables of worker processes: an explicit list, the same wherever a run is started from.

FIXED    set to these values whatever the user's shell says: locale, time zone, hash seed, one thread a library
PASSED   taken over where they are set: where to find programs, libraries and caches, and how they are tuned; a name
         that ends in * stands for all that begin so
SAME_INTERPRETER      taken over by workers on this interpreter alone, which was itself found by means of them

Everything else stays outside: solvers, and the programs that they start, see nothing of the user's shell.
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
    """Whether a variable is among these, some of which end in *."""
    return any(name.startswith(n[:-1]) if n.endswith("*") else name == n for n in names)


def variables(python: str = sys.executable) -> dict[str, str]:
    """The environment of a worker on an interpreter."""
    names = PASSED + SAME_INTERPRETER if python == sys.executable else PASSED
    passed = {name: value for name, value in os.environ.items() if matches(name, names)}
    return passed | FIXED | {"PYTHONPATH": python_path(python)}


def recorded_variables() -> dict[str, str]:
    """The environment of workers as a journal keeps it: without PYTHONPATH and what is ours."""
    return {k: v for k, v in sorted(variables().items()) if k != "PYTHONPATH" and not matches(k, (INTERNAL,))}


@cache
def isolated_packages() -> "tempfile.TemporaryDirectory[str]":
    """A folder with these packages only, for interpreters that must not see what else is installed beside them."""
    folder = tempfile.TemporaryDirectory(prefix="crosscheck-")
    for package in PACKAGES:
        Path(folder.name, package).symlink_to(ROOT / package)
    return folder


def python_path(python: str) -> str:
    """PYTHONPATH under which a child finds these packages, installed or not, and another interpreter nothing else."""
    if python != sys.executable:
        return isolated_packages().name
    installed = {Path(p).resolve() for p in (*site.getsitepackages(), sysconfig.get_path("purelib"))}
    mine = [] if ROOT in installed else [str(ROOT)]
    return os.pathsep.join(mine + [p for p in [os.environ.get("PYTHONPATH", "")] if p])
