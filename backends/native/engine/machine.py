"""What compiled code needs of the machine: a decorator with types, bit counts, and the clock read from inside.

The clock is libc's clock_gettime, bound by name when the code is linked, so compiled files stay cacheable (an address
taken through ctypes would not). A reading costs about 30 ns, a call from Python more than a microsecond.
"""

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

Function = TypeVar("Function", bound=Callable[..., Any])

MONOTONIC = 6 if sys.platform == "darwin" else 1  # CLOCK_MONOTONIC in time.h
clock_gettime = types.ExternalFunction("clock_gettime", types.int32(types.int32, types.voidptr))


def compiled(function: Function) -> Function:
    """Compiled without the GIL, kept on disk: used from compiled code, and from Python as the same function."""
    kept: Function = njit(cache=True, nogil=True, error_model="numpy")(function)
    return kept


def _unary(emit: str) -> Any:
    """An LLVM instruction on one uint64 that gives an int64."""

    @intrinsic  # type: ignore[misc]
    def instruction(typing: Any, word: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            if emit == "ctpop":
                return builder.ctpop(args[0])
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.uint64), code

    return instruction


population = _unary("ctpop")
lowest = _unary("cttz")


def inlined(function: Function) -> Function:
    """Compiled into its callers: a call that hands over all of a search's arrays would cost more than the work."""
    kept: Function = njit(nogil=True, error_model="numpy", forceinline=True)(function)
    return kept


@compiled
def nanoseconds() -> int:
    """The monotonic clock, as time.perf_counter_ns on Linux."""
    now = np.empty(2, np.int64)
    clock_gettime(MONOTONIC, now.ctypes)
    return now[0] * 1_000_000_000 + now[1]  # type: ignore[no-any-return]
