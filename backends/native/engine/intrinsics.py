"""What the engine needs of the compiler beside the kernels' own: bit counts as one instruction, and forced inlining.

A call between compiled functions hands over every array of a NamedTuple by itself, some 200 words; small functions
that are called for every literal are therefore put into their callers. It is also why there are few others.
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
    """Compiled when Python first calls it, without the GIL, kept on disk with all that it calls."""
    kernel: Function = numba.njit(cache=bool(CACHE_DIRECTORY), nogil=True, error_model="numpy")(function)
    return kernel


def internal(function: Function) -> Function:
    """Compiled for compiled callers alone: what lets Python call a function takes longest to compile."""
    kernel: Function = numba.njit(**INNER)(function)
    return kernel


def inlined(function: Function) -> Function:
    """Compiled as part of its callers."""
    kernel: Function = numba.njit(forceinline=True, **INNER)(function)
    return kernel


def emit_population(context: Any, word: Any) -> Any:
    """How many bits are set."""
    return types.int64(types.uint64), lambda context, b, signature, args: b.ctpop(args[0])


def emit_lowest(context: Any, word: Any) -> Any:
    """The index of the lowest bit set, 64 if none is."""
    return types.int64(types.uint64), lambda context, b, signature, args: b.cttz(args[0], ir.Constant(ir.IntType(1), 0))


population: Callable[[Any], int] = intrinsic(emit_population)
lowest: Callable[[Any], int] = intrinsic(emit_lowest)
