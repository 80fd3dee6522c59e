"""Compilation of the checkers' loops where Numba is installed; plain Python otherwise, with the same result.

Numba's own compiler is used as it is: what decides about proofs depends on none of the native solvers' code.
"""

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from puzzles.caches import kernel_directory

Function = TypeVar("Function", bound=Callable[..., Any])


def compile_if_possible(function: Function) -> Function:
    """Compile a function on its first call, cached on disk under the digest of the checkers' sources."""
    try:
        import numba
    except ModuleNotFoundError:
        return function
    others = numba.config.CACHE_DIR  # that of the native solvers, if they are loaded
    numba.config.CACHE_DIR = str(cache_directory(numba.__version__) or "")
    try:
        compiled: Function = numba.njit(cache=bool(numba.config.CACHE_DIR))(function)
    finally:
        numba.config.CACHE_DIR = others
    return compiled


@cache
def cache_directory(version: str) -> Path | None:
    """Return the directory of the compiled checkers, for a version of Numba; None if none is writable."""
    return kernel_directory(Path(__file__).parent, f"checkers, numba {version}", os.environ.get("NUMBA_CACHE_DIR", ""))
