"""Compilation of the checker's loops where Numba is installed; plain Python otherwise, with the same result."""

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def compile_if_possible(function: Function) -> Function:
    """Compile a function on its first call, cached on disk."""
    try:
        import numba
    except ModuleNotFoundError:
        return function
    compiled: Function = numba.njit(cache=True)(function)
    return compiled
