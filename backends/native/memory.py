"""Memory of a solver as its compiled functions see it: numbers, and pointers to the data of arrays.

Numba passes an array as seven words, tests each index for a negative one, and makes a wrapper that takes the array
apart: with the thirty arrays of a solver, half of the time of its compilation. A pointer is one word, and has neither
length nor bounds. The arrays must be contiguous, and the caller must keep them alive until the call returns.
"""

from collections.abc import Callable
from ctypes import addressof, c_char
from functools import cache
from typing import Any, TypeVar, get_args, get_type_hints

import numpy as np
from numba import config
from numba.core import types
from numba.core.types.containers import NamedTuple
from numba.core.types.misc import CPointer
from numba.extending import intrinsic
from numba.np.numpy_support import from_dtype

from puzzles.problem.arrays import Int64Array

Fields = TypeVar("Fields")


def words(fields: Any) -> Int64Array:
    """Return the fields of a NamedTuple as words: numbers, and the addresses of arrays. Raises TypeError."""
    kind: Any = type(fields)
    both = zip(fields, elements(kind).values(), strict=True)
    return np.array([x if element is None else address(x, element) for x, element in both], np.int64)


@cache
def elements(kind: Any) -> dict[str, Any]:
    """Return the type of each field's elements by its annotation, None for a number."""
    return {name: None if hint is int else element_of(hint) for name, hint in get_type_hints(kind).items()}


def element_of(hint: Any) -> Any:
    """Return the type of the elements of `NDArray[TYPE]`, which is `ndarray[SHAPE, dtype[TYPE]]` before NumPy 2.5."""
    last = get_args(hint)[-1]
    return np.dtype(*(get_args(last) or (last,)))


def allocate(kind: Callable[..., Fields], lengths: dict[str, int], **given: Any) -> Fields:
    """Return a NamedTuple with arrays of zeros of these lengths, and the other fields as given."""
    element = elements(kind)
    return kind(**given, **{name: np.zeros(length, element[name]) for name, length in lengths.items()})


def address(array: Any, element: Any) -> int:
    """Return the address of the data of a contiguous array. Raises TypeError."""
    if array.dtype != element:
        raise TypeError(f"an array of {array.dtype}, not {element}")
    return addressof(c_char.from_buffer(array)) if array.size else 0


def field_type(element: Any) -> Any:
    """Return the type of a field in compiled code."""
    if element is None:
        return types.int64
    return CPointer(types.uint8 if element == np.bool_ else from_dtype(element))


def emit_view(context: Any, memory: Any, kind: Any) -> Any:
    """Emit a NamedTuple of a kind whose fields are read from words."""
    fields = [field_type(element) for element in elements(kind.instance_class).values()]

    def emit(context: Any, b: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(memory)(context, b, args[0]).data
        read = [b.load(b.gep(data, [context.get_constant(types.intp, i)])) for i in range(len(fields))]
        typed = [
            word if field is types.int64 else b.inttoptr(word, context.get_value_type(field))
            for word, field in zip(read, fields, strict=True)
        ]
        return context.make_tuple(b, signature.return_type, typed)

    return NamedTuple(fields, kind.instance_class)(memory, kind), emit


view: Callable[[Int64Array, Any], Any] = intrinsic(emit_view)
if config.DISABLE_JIT:  # plain Python needs no pointers
    words, view = lambda fields: fields, lambda fields, kind: fields
