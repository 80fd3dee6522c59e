"""Clock for compiled code: a reading takes about 30 ns, a call from Python into Numba a microsecond."""

import time
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

INT32, INT64 = ir.IntType(32), ir.IntType(64)
TIMESPEC = ir.ArrayType(INT64, 2)  # seconds and nanoseconds, on every 64-bit system


def emit_nanoseconds(context: Any) -> Any:
    """Read the monotonic clock by the C library's clock_gettime."""

    def emit(context: Any, b: Any, sig: Any, args: Any) -> Any:
        kind = ir.FunctionType(INT32, [INT32, TIMESPEC.as_pointer()])
        clock_gettime = cgutils.get_or_insert_function(b.module, kind, "clock_gettime")
        now = cgutils.alloca_once(b, TIMESPEC)
        b.call(clock_gettime, [ir.Constant(INT32, time.CLOCK_MONOTONIC), now])
        seconds, rest = (b.extract_value(b.load(now), i) for i in (0, 1))
        return b.add(b.mul(seconds, ir.Constant(INT64, 10**9)), rest)

    return types.int64(), emit


nanoseconds: Callable[[], int] = intrinsic(emit_nanoseconds)
