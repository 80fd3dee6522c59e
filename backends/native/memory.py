"""Memory of a solver as its compiled functions see it: numbers, and pointers to the data of arrays.

Numba passes an array as seven words, tests each index for a negative one, and makes a wrapper that takes the array
apart. With the thirty arrays of a solver that was half of the time of its compilation. A pointer is one word and has
neither length nor bounds. The arrays must be contiguous, and belong to the caller until the call returns.
"""

from collections.abc import Callable
from typing import Any, get_args, get_type_hints

import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.numpy_support import from_dtype

from backends.answer import Int64Array


def words(fields: tuple[Any, ...]) -> Int64Array:
    """Return the fields of a NamedTuple as words: numbers, and the addresses of arrays."""
    return np.array([x if isinstance(x, int) else address(x) for x in fields], np.int64)


def address(array: np.ndarray[Any, Any]) -> int:
    """Return the address of an array's data."""
    found: int = array.__array_interface__["data"][0]
    return found


def field_type(annotation: Any) -> Any:
    """Return the type of a field in compiled code."""
    if annotation in (int, bool):
        return types.int64
    element = np.dtype(get_args(get_args(annotation)[1])[0])
    return types.CPointer(types.uint8 if element == np.bool_ else from_dtype(element))


def emit_view(context: Any, address: Any, kind: Any) -> Any:
    """Fields of the NamedTuple whose words are at this address."""
    fields = [field_type(hint) for hint in get_type_hints(kind.instance_class).values()]

    def emit(context: Any, b: Any, signature: Any, args: Any) -> Any:
        at = b.inttoptr(args[0], cgutils.intp_t.as_pointer())
        loaded = [b.load(cgutils.gep(b, at, i)) for i in range(len(fields))]
        typed = [x if t == types.int64 else b.inttoptr(x, context.get_value_type(t)) for x, t in zip(loaded, fields)]
        return context.make_tuple(b, signature.return_type, typed)

    return types.NamedTuple(fields, kind.instance_class)(types.int64, kind), emit


view: Callable[[int, Any], Any] = intrinsic(emit_view)
