"""Functions for compiled code that compile to one instruction, or to one call into the C library."""

import time
from collections.abc import Callable, Sequence
from inspect import Parameter, Signature
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

BIT, INT32, INT64 = ir.IntType(1), ir.IntType(32), ir.IntType(64)
TIMESPEC = ir.ArrayType(INT64, 2)  # seconds and nanoseconds, on every 64-bit system


def instruction(result: Any, arguments: Sequence[Any], emit: Callable[..., Any]) -> Any:
    """Return a function for compiled code from a function that emits its LLVM code.

    An argument of type None is a contiguous array, of which `emit` gets the address of the data.
    """

    def typed(context: Any, *given: Any) -> Any:
        kinds = [kind or array for kind, array in zip(arguments, given, strict=True)]

        def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            data = [
                make_array(k)(context, builder, x).data if isinstance(k, types.Array) else x
                for k, x in zip(kinds, args, strict=True)
            ]
            emitted = emit(builder, *data)
            return context.get_dummy_value() if result is types.none else emitted

        return result(*kinds), code

    names = ("context", "x", "y", "z")[: len(arguments) + 1]
    typed.__signature__ = Signature([Parameter(n, Parameter.POSITIONAL_OR_KEYWORD) for n in names])  # type: ignore[attr-defined]
    return intrinsic(typed)


def emit_nanoseconds(b: Any) -> Any:
    """Read the monotonic clock by the C library's clock_gettime."""
    kind = ir.FunctionType(INT32, [INT32, TIMESPEC.as_pointer()])
    clock_gettime = cgutils.get_or_insert_function(b.module, kind, "clock_gettime")
    now = cgutils.alloca_once(b, TIMESPEC)
    b.call(clock_gettime, [ir.Constant(INT32, time.CLOCK_MONOTONIC), now])
    seconds, rest = (b.extract_value(b.load(now), i) for i in (0, 1))
    return b.add(b.mul(seconds, ir.Constant(INT64, 10**9)), rest)


Count = Callable[[Any], int]
nanoseconds: Callable[[], int] = instruction(types.int64, (), emit_nanoseconds)  # takes about 30 ns
population: Count = instruction(types.int64, (types.uint64,), lambda b, x: b.ctpop(x))  # set bits
lowest: Count = instruction(types.int64, (types.uint64,), lambda b, x: b.cttz(x, ir.Constant(BIT, 0)))  # set bit, or 64
