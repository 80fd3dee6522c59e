"""Decorators of the solver's functions: compiled without reference counts.

Numba counts references to each array of an argument at each call, also of an inlined one. With the solver's many
arrays that took three quarters of its time. Without Numba's run-time system (`_nrt`) there are no counts, and kernels
can't allocate arrays.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numba

from backends.native.compiling import CACHE_DIRECTORY

Function = TypeVar("Function", bound=Callable[..., Any])

KERNEL = {"nogil": True, "error_model": "numpy", "_nrt": False}
INNER = {**KERNEL, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def compiled(function: Function) -> Function:
    """Compile on the first call from Python, to run without the GIL; cached on disk with its callees."""
    kernel: Function = numba.njit(cache=bool(CACHE_DIRECTORY), **KERNEL)(function)
    return kernel


def internal(function: Function) -> Function:
    """Compile for compiled callers only: the wrapper for calls from Python takes longest to compile."""
    kernel: Function = numba.njit(**INNER)(function)
    return kernel


def inlined(function: Function) -> Function:
    """Compile as part of the callers."""
    kernel: Function = numba.njit(forceinline=True, **INNER)(function)
    return kernel
