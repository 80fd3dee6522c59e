"""Compiler support of the engine: bit operations as single instructions, and forced inlining.

A call between compiled functions passes every array of a NamedTuple separately, some 200 words; small functions called
for every literal are therefore inlined, and other functions are kept few.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numba
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from backends.native.compiling import CACHE_DIRECTORY

Function = TypeVar("Function", bound=Callable[..., Any])

INNER = {"nogil": True, "error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def compiled(function: Function) -> Function:
    """Compile on the first call from Python, to run without the GIL; cached on disk with its callees."""
    kernel: Function = numba.njit(cache=bool(CACHE_DIRECTORY), nogil=True, error_model="numpy")(function)
    return kernel


def internal(function: Function) -> Function:
    """Compile for compiled callers only: the wrapper for calls from Python takes longest to compile."""
    kernel: Function = numba.njit(**INNER)(function)
    return kernel


def inlined(function: Function) -> Function:
    """Compile as part of the callers."""
    kernel: Function = numba.njit(forceinline=True, **INNER)(function)
    return kernel


def emit_population(context: Any, word: Any) -> Any:
    """Number of set bits."""
    return types.int64(types.uint64), lambda context, b, signature, args: b.ctpop(args[0])


def emit_lowest(context: Any, word: Any) -> Any:
    """Index of the lowest set bit, 64 if none is set."""
    return types.int64(types.uint64), lambda context, b, signature, args: b.cttz(args[0], ir.Constant(ir.IntType(1), 0))


population: Callable[[Any], int] = intrinsic(emit_population)
lowest: Callable[[Any], int] = intrinsic(emit_lowest)
