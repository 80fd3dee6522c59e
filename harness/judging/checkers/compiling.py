"""Compilation of the checkers' loops where Numba is installed; plain Python otherwise, with the same result.

Numba's own compiler is used as it is: what decides about proofs depends on none of the native solvers' code.
"""

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from puzzles.caches import kernel_directory

COMPILED = b"compiling import"  # in each file with compiled functions; these import constants of such files alone
Function = TypeVar("Function", bound=Callable[..., Any])


def compile_if_possible(function: Function) -> Function:
    """Compile a function on its first call, cached on disk under the digest of the compiled sources."""
    return compiled(function)


def compile_inner(function: Function) -> Function:
    """Compile a function that only compiled ones call and that allocates nothing, which takes half as long.

    It has one version for constants and signed integers of any size, which are passed as int64.
    """
    kernel: Any = compiled(function, no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False)
    if template := getattr(kernel, "get_call_template", None):
        kernel.get_call_template = lambda args, kws: template(tuple(map(wide, args)), kws)
    return kernel  # type: ignore[no-any-return]


def wide(kind: Any) -> Any:
    """Return the type that an inner function receives for an argument."""
    from numba.core import types
    from numba.core.types.misc import unliteral

    plain = unliteral(kind)
    return types.int64 if plain in types.signed_domain else plain


def compiled(function: Function, **options: bool) -> Function:
    """Compile a function, with options of Numba."""
    try:
        import numba

        from puzzles.kernel_caches import cached_in
    except ModuleNotFoundError:
        return function
    directory = cache_directory(numba.__version__)
    with cached_in(directory):
        kernel: Function = numba.njit(cache=bool(directory), **options)(function)
    return kernel


@cache
def cache_directory(version: str) -> Path | None:
    """Return the directory of the compiled checkers, for a version of Numba; None if none is writable."""
    chosen = os.environ.get("NUMBA_CACHE_DIR", "")
    return kernel_directory(Path(__file__).parent, f"checkers, numba {version}", chosen, COMPILED)
