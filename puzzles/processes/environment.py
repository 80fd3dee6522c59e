"""Environment variables of workers and plug-in processes: an explicit list, independent of the user's shell.

FIXED             set to these values: locale, time zone, hash seed, one thread per library
PASSED            inherited if set: locations of programs, libraries and caches, and their tuning; a trailing * matches
                  any suffix
INTERNAL          variables of Crosscheck itself: inherited, but left out of the record of a run
--pass-env        inherited by workers if set, too; of their values only digests are recorded
SAME_INTERPRETER  inherited only by processes on this interpreter, which was itself started with them

Solvers, plug-ins and the programs that they start see no other variables.
"""

import os
from collections.abc import Sequence

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
    """Return True if a variable is among these names; a trailing * in a name matches any suffix."""
    return any(name.startswith(n[:-1]) if n.endswith("*") else name == n for n in names)


def inherited(same_interpreter: bool, more: Sequence[str] = ()) -> dict[str, str]:
    """Return the environment of a process: variables of the list and of `more` that it inherits, and the fixed ones."""
    names = PASSED + tuple(more) + (SAME_INTERPRETER if same_interpreter else ())
    return {name: value for name, value in os.environ.items() if matches(name, names)} | FIXED
