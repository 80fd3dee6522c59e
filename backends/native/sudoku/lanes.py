"""Vector type of 32 lanes of 16 bits for compiled code, with the operations of the 9x9 kernels.

Numba has no vector type and relies on LLVM to vectorise loops. With an explicit vector LLVM uses one 512-bit register,
two of 256 or four of 128, depending on the machine. In a kernel `|`, `&`, `^`, `+`, `-` and `~` work on all lanes at
once; a lane mostly holds a mask of values. Functions named emit_* generate the LLVM code of an operation.
"""

import operator
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.codegen import get_host_cpu_features
from numba.core.datamodel import models
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import lower_builtin, register_model

from backends.native.intrinsics import INT64, instruction
from puzzles.problem.arrays import UInt16Array, UInt64Array

FEATURES = get_host_cpu_features() if numba.config.CPU_FEATURES is None else numba.config.CPU_FEATURES
ONE_REGISTER = "+avx512bw" in FEATURES  # holds a vector
PERMUTES_BYTES = "+avx512vbmi" in FEATURES
WIDTH = 32
LANE = ir.IntType(16)
VECTOR = ir.VectorType(LANE, WIDTH)


class Lanes(Protocol):
    """Vector type for type checkers; Numba uses `lanes`."""

    def __or__(self, other: "Lanes") -> "Lanes": ...
    def __and__(self, other: "Lanes") -> "Lanes": ...
    def __xor__(self, other: "Lanes") -> "Lanes": ...
    def __add__(self, other: "Lanes") -> "Lanes": ...
    def __sub__(self, other: "Lanes") -> "Lanes": ...
    def __invert__(self) -> "Lanes": ...


class LanesType(types.Type):
    def __init__(self) -> None:
        super().__init__(name="lanes16x32")


lanes = LanesType()


@register_model(LanesType)
class LanesModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, numba_type: Any) -> None:
        super().__init__(manager, numba_type, VECTOR)


def splat(value: int) -> ir.Constant:
    """Return a constant with the same value in every lane."""
    return ir.Constant(VECTOR, [value] * WIDTH)


def operation(symbol: Callable[..., object], arity: int, emit: Callable[..., Any]) -> None:
    """Register one operator on vectors with Numba."""

    class Template(ConcreteTemplate):  # type: ignore[misc]
        key = symbol
        cases = (signature(lanes, *(lanes,) * arity),)

    infer_global(symbol)(Template)
    lower_builtin(symbol, *(lanes,) * arity)(lambda context, builder, sig, args: emit(builder, *args))


operation(operator.or_, 2, lambda b, x, y: b.or_(x, y))
operation(operator.and_, 2, lambda b, x, y: b.and_(x, y))
operation(operator.xor, 2, lambda b, x, y: b.xor(x, y))
operation(operator.add, 2, lambda b, x, y: b.add(x, y))
operation(operator.sub, 2, lambda b, x, y: b.sub(x, y))
operation(operator.invert, 1, lambda b, x: b.xor(x, splat(0xFFFF)))


def permutation(source: Sequence[int]) -> Callable[[Lanes], Lanes]:
    """Return a function v -> w, where lane i of w is lane source[i] of v. Lanes 30 and 31 are equal and stay.

    Some processors permute bytes in half the time of words. LLVM would make words of pairs of bytes, so lane 31 gets a
    byte of lane 30.
    """
    octet = [2 * s + k for s in source for k in (0, 1)]
    if PERMUTES_BYTES:
        octet[-1] = octet[-3]
    octets = ir.VectorType(ir.IntType(8), len(octet))
    mask = ir.Constant(ir.VectorType(ir.IntType(32), len(octet)), octet)

    def emit(b: Any, x: Any) -> Any:
        x = b.bitcast(x, octets)
        return b.bitcast(b.shuffle_vector(x, x, mask), VECTOR)

    shuffled: Callable[[Lanes], Lanes] = instruction(lanes, (lanes,), emit)
    return shuffled


def constant(values: Sequence[int]) -> Callable[[], Lanes]:
    """Return a function () -> the vector of these values."""
    vector: Callable[[], Lanes] = instruction(lanes, (), lambda b: ir.Constant(VECTOR, list(values)))
    return vector


def arrangement(source: Sequence[int]) -> Callable[[Lanes, Lanes, Lanes], Lanes]:
    """Return a function (x, y, z) -> w: lane i of w is lane source[i] of the lanes of x, y and z in sequence."""
    lane = ir.IntType(32)
    first = ir.Constant(ir.VectorType(lane, WIDTH), [s % (2 * WIDTH) for s in source])
    second = ir.Constant(ir.VectorType(lane, WIDTH), [i if s < 2 * WIDTH else s - WIDTH for i, s in enumerate(source)])
    arranged: Callable[[Lanes, Lanes, Lanes], Lanes] = instruction(
        lanes, (lanes,) * 3, lambda b, x, y, z: b.shuffle_vector(b.shuffle_vector(x, y, first), z, second)
    )
    return arranged


def emit_some(b: Any, x: Any) -> Any:
    """Emit: True if any lane is nonzero."""
    whole = ir.IntType(16 * WIDTH)
    return b.icmp_unsigned("!=", b.bitcast(x, whole), ir.Constant(whole, 0))


def emit_least(b: Any, x: Any) -> Any:
    """Emit: the smallest lane."""
    name = f"llvm.vector.reduce.umin.v{WIDTH}i16"
    reduce = cgutils.get_or_insert_function(b.module, ir.FunctionType(LANE, [VECTOR]), name)
    return b.zext(b.call(reduce, [x]), INT64)


def emit_counts(b: Any, x: Any) -> Any:
    """Emit: the number of set bits of each lane."""
    kind = ir.FunctionType(VECTOR, [VECTOR])
    return b.call(cgutils.get_or_insert_function(b.module, kind, f"llvm.ctpop.v{WIDTH}i16"), [x])


def emit_fill(b: Any, x: Any) -> Any:
    """Emit: the same number in every lane."""
    first = b.insert_element(ir.Constant(VECTOR, ir.Undefined), b.trunc(x, LANE), ir.Constant(ir.IntType(32), 0))
    return b.shuffle_vector(first, first, ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH))


def emit_which(b: Any, x: Any) -> Any:
    """Emit: a bit per lane, set where the lane is nonzero; lane 0 is the lowest bit."""
    return b.zext(b.bitcast(b.icmp_unsigned("!=", x, splat(0)), ir.IntType(WIDTH)), INT64)


def emit_load(b: Any, data: Any, index: Any) -> Any:
    """Emit load(array, index)."""
    return b.load(b.bitcast(b.gep(data, [index]), VECTOR.as_pointer()), align=2)


def emit_store(b: Any, data: Any, index: Any, vector: Any) -> None:
    """Emit store(array, index, vector)."""
    b.store(vector, b.bitcast(b.gep(data, [index]), VECTOR.as_pointer()), align=2)


def emit_pack(b: Any, data: Any, index: Any) -> Any:
    """Emit pack(array, index): the low 16 bits of 32 words from the index on; word 8 k + j is in lane 4 j + k."""
    words = ir.VectorType(INT64, 8)
    packed = ir.Constant(words, [0] * 8)
    for k in range(4):
        at = b.gep(data, [b.add(index, ir.Constant(INT64, 8 * k))])
        part = b.and_(b.load(b.bitcast(at, words.as_pointer()), align=8), ir.Constant(words, [0xFFFF] * 8))
        packed = b.or_(packed, b.shl(part, ir.Constant(words, [16 * k] * 8)))
    return b.bitcast(packed, VECTOR)


def emit_prefetch(b: Any, data: Any, index: Any) -> None:
    """Emit prefetch(array, index)."""
    byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
    call = cgutils.get_or_insert_function(b.module, kind, "llvm.prefetch")
    b.call(call, [b.bitcast(b.gep(data, [index]), byte), *(ir.Constant(word, k) for k in (0, 3, 1))])


One = Callable[[Lanes], Lanes]
Two = Callable[[Lanes, Lanes], Lanes]
Three = Callable[[Lanes, Lanes, Lanes], Lanes]

some: Callable[[Lanes], bool] = instruction(types.boolean, (lanes,), emit_some)
least: Callable[[Lanes], int] = instruction(types.int64, (lanes,), emit_least)
fill: Callable[[int], Lanes] = instruction(lanes, (types.int64,), emit_fill)
counts: One = instruction(lanes, (lanes,), emit_counts)
high: One = instruction(lanes, (lanes,), lambda b, x: b.shl(x, splat(8)))
low: One = instruction(lanes, (lanes,), lambda b, x: b.and_(x, splat(0xFF)))
# A comparison sets all bits of the lanes where it holds; in `empty`, of those that are 0.
empty: One = instruction(lanes, (lanes,), lambda b, x: b.sext(b.icmp_unsigned("==", x, splat(0)), VECTOR))
equal: Two = instruction(lanes, (lanes, lanes), lambda b, x, y: b.sext(b.icmp_unsigned("==", x, y), VECTOR))
minimum: Two = instruction(lanes, (lanes, lanes), lambda b, x, y: b.select(b.icmp_unsigned("<", x, y), x, y))
# (x, y, z) -> y where x is nonzero, else z.
choose: Three = instruction(lanes, (lanes,) * 3, lambda b, x, y, z: b.select(b.icmp_unsigned("!=", x, splat(0)), y, z))
which: Callable[[Lanes], int] = instruction(types.int64, (lanes,), emit_which)
load: Callable[[UInt16Array, int], Lanes] = instruction(lanes, (None, types.intp), emit_load)  # 32 elements
prefetch: Callable[[UInt64Array, int], None] = instruction(types.none, (None, types.intp), emit_prefetch)
pack: Callable[[UInt64Array, int], Lanes] = instruction(lanes, (None, types.intp), emit_pack)
store: Callable[[UInt16Array, int, Lanes], None] = instruction(types.none, (None, types.intp, lanes), emit_store)
