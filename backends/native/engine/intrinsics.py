"""Bit operations of the engine, as single instructions."""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic


def emit_population(context: Any, word: Any) -> Any:
    """Number of set bits."""
    return types.int64(types.uint64), lambda context, b, signature, args: b.ctpop(args[0])


def emit_lowest(context: Any, word: Any) -> Any:
    """Index of the lowest set bit, 64 if none is set."""
    return types.int64(types.uint64), lambda context, b, signature, args: b.cttz(args[0], ir.Constant(ir.IntType(1), 0))


population: Callable[[Any], int] = intrinsic(emit_population)
lowest: Callable[[Any], int] = intrinsic(emit_lowest)
