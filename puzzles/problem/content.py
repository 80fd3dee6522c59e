"""Content of problems as data: JSON-compatible parts and arrays, and the digest that identifies the content."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from puzzles.problem.values import IntegerRange, Integers, Numbered, Values

if TYPE_CHECKING:  # numpy is imported at its first use
    import numpy.typing as npt

    Array = npt.NDArray[Any]


PLAIN = frozenset((str, int, float, bool, type(None)))  # types of data that holds nothing; a look is quick


def digest_of(content: object) -> str:
    """Return the digest of JSON-compatible data that may contain arrays."""
    arrays: list[Array] = []
    header = json.dumps(detach(content, arrays))
    digest = hashlib.blake2b(header.encode(), digest_size=8)
    for array in arrays:
        digest.update(little_endian(array))
    return digest.hexdigest()


def detach(content: Any, arrays: list["Array"]) -> Any:
    """Return data with each array replaced by its type and shape; the arrays are appended to `arrays`."""
    if type(content) is dict or isinstance(content, Mapping):
        return {key: part if type(part) in PLAIN else detach(part, arrays) for key, part in content.items()}
    if hasattr(content, "tobytes"):
        arrays.append(content)
        return {"array": content.dtype.newbyteorder("<").str, "shape": content.shape}
    if isinstance(content, list):
        return [part if type(part) in PLAIN else detach(part, arrays) for part in content]
    return content


def attach(content: Any, data: memoryview) -> Any:
    """Return the data that `detach` was given, from its result and the bytes of all arrays; arrays share these bytes.

    Raises ValueError unless the arrays are one-dimensional, of integers, and take exactly these bytes.
    """
    left = [data]
    whole = attached(content, left)
    if len(left[0]):
        raise ValueError(f"{len(left[0])} bytes after the last array")
    return whole


def attached(part: Any, left: list[memoryview]) -> Any:
    """Return a part with its arrays, which take their bytes from the beginning of `left[0]`."""
    if type(part) is dict:
        if "array" in part:
            return array_of(part, left)
        return {key: value if type(value) in PLAIN else attached(value, left) for key, value in part.items()}
    if type(part) is list:
        return [value if type(value) in PLAIN else attached(value, left) for value in part]
    return part


def array_of(part: Mapping[str, Any], left: list[memoryview]) -> "Array":
    """Return the array of a type and a shape, which takes its bytes from the beginning of `left[0]`."""
    import numpy as np  # only problems with arrays need it

    kind, (count,) = np.dtype(part["array"]), part["shape"]
    if kind.kind not in "iu" or type(count) is not int or not 0 <= count * kind.itemsize <= len(left[0]):
        raise ValueError(f"an array of {count} of type {kind} in {len(left[0])} bytes")
    found: Array = np.frombuffer(left[0], kind, count).astype(kind.newbyteorder("="), copy=False)
    left[0] = left[0][count * kind.itemsize :]
    return found


def little_endian(array: "Array") -> memoryview:
    """Return the bytes of an array in little-endian order, the same on every machine, without a copy where possible."""
    return array.astype(array.dtype.newbyteorder("<"), order="C", copy=False).data


def names_to_json(names: Sequence[str]) -> object:
    """Return the names of variables as JSON-compatible data."""
    return {"numbered": [names.prefix, names.size]} if isinstance(names, Numbered) else tuple(names)


def names_from_json(data: Any) -> Sequence[str]:
    """Return the names that `names_to_json` converted."""
    return Numbered(*data["numbered"]) if isinstance(data, Mapping) else tuple(data)


def values_to_json(values: Values) -> object:
    """Return values as JSON-compatible data."""
    if not isinstance(values, Integers):
        return list(values)
    numbers = values.numbers
    if isinstance(values, IntegerRange):
        return {"bounds": [numbers[0], numbers[-1]]}
    return {"range": [numbers.start, numbers.stop]} if isinstance(numbers, range) else {"integers": list(numbers)}


def values_from_json(data: Any) -> Values:
    """Return the values that `values_to_json` converted."""
    if not isinstance(data, Mapping):
        return tuple(data)
    if "bounds" in data:
        first, last = data["bounds"]
        return IntegerRange(range(first, last + 1))
    return Integers(range(*data["range"]) if "range" in data else data["integers"])
