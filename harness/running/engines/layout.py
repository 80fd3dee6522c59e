"""Layout of messages as bytes: MessagePack of lists, one item for each field of a table, and nothing of Python's.

    A = Array(np.int64)            a kind: how a value is written, and read from the plain data that arrived
    PART = Record(Part, n=Natural(), at=A)   a table: the fields of a message, in the order in which they travel

Reading makes values of exactly the stated kinds, or raises Malformed; what they may be is for the reader to check. A
field that is appended to a table is all that a new column needs.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

T = TypeVar("T")


class Malformed(ValueError):
    """A message that is not of its layout; the text names the field."""


class FieldKind(Protocol):
    """Kind of a field: `write` returns plain data, `read` makes the value of plain data or raises Malformed."""

    def write(self, value: Any) -> Any: ...

    def read(self, data: Any) -> Any: ...


class PlainField:
    """Values of these built-in types, as they are."""

    def __init__(self, *types: type) -> None:
        self.types = types

    def write(self, value: Any) -> Any:
        return value

    def read(self, data: Any) -> Any:
        if type(data) not in self.types:
            raise Malformed(f"a {type(data).__name__}")
        return data


class Array:
    """Arrays of one of these types and so many dimensions: the type by number, the shape, and little-endian bytes."""

    def __init__(self, *types: Any, dimensions: int = 1) -> None:
        self.types, self.dimensions = [np.dtype(each) for each in types], dimensions

    def write(self, value: Any) -> Any:
        raw = value.astype(value.dtype.newbyteorder("<"), order="C", copy=False)
        return [self.types.index(value.dtype), list(value.shape), raw.tobytes()]

    def read(self, data: Any) -> Any:
        number, shape, raw = listed(data, 3)
        if type(number) is not int or not 0 <= number < len(self.types) or type(raw) is not bytes:
            raise Malformed("an array")
        lengths, kind = listed(shape, self.dimensions), self.types[number]
        if not all(type(n) is int and 0 <= n < 1 << 48 for n in lengths):
            raise Malformed("a shape")
        size = kind.itemsize
        for n in lengths:
            size *= n
        if size != len(raw):
            raise Malformed("an array of another size")
        return np.frombuffer(raw, kind.newbyteorder("<")).reshape(lengths).astype(kind)


class Many:
    """Tuples of any length of one kind."""

    def __init__(self, each: FieldKind) -> None:
        self.each = each

    def write(self, value: Any) -> Any:
        return [self.each.write(item) for item in value]

    def read(self, data: Any) -> Any:
        return tuple(self.each.read(item) for item in listed(data))


class Fixed:
    """Tuples of these kinds."""

    def __init__(self, *kinds: FieldKind) -> None:
        self.kinds = kinds

    def write(self, value: Any) -> Any:
        return [kind.write(item) for kind, item in zip(self.kinds, value, strict=True)]

    def read(self, data: Any) -> Any:
        return tuple(kind.read(item) for kind, item in zip(self.kinds, listed(data, len(self.kinds)), strict=True))


class Pairs:
    """Dictionaries from one kind to another."""

    def __init__(self, key: FieldKind, value: FieldKind) -> None:
        self.key, self.value = key, value

    def write(self, value: Any) -> Any:
        return [[self.key.write(key), self.value.write(item)] for key, item in value.items()]

    def read(self, data: Any) -> Any:
        pairs = [listed(pair, 2) for pair in listed(data)]
        found = {self.key.read(key): self.value.read(item) for key, item in pairs}
        if len(found) < len(pairs):
            raise Malformed("a key twice")
        return found


class Maybe:
    """Values of a kind, or None."""

    def __init__(self, kind: FieldKind) -> None:
        self.kind = kind

    def write(self, value: Any) -> Any:
        return None if value is None else self.kind.write(value)

    def read(self, data: Any) -> Any:
        return None if data is None else self.kind.read(data)


class Either:
    """Bytes, or objects of a record, whose list tells them apart."""

    def __init__(self, plain: PlainField, record: "Record[Any]") -> None:
        self.plain, self.record = plain, record

    def write(self, value: Any) -> Any:
        return self.plain.write(value) if isinstance(value, bytes) else self.record.write(value)

    def read(self, data: Any) -> Any:
        return self.record.read(data) if type(data) is list else self.plain.read(data)


class Record(Generic[T]):
    """Objects that `make` makes of these fields, which are its parameters and the object's attributes."""

    def __init__(self, make: Callable[..., T], **fields: FieldKind) -> None:
        self.make, self.fields = make, fields

    def write(self, value: T) -> Any:
        return [kind.write(getattr(value, name)) for name, kind in self.fields.items()]

    def read(self, data: Any) -> T:
        values = listed(data, len(self.fields))
        return self.make(**dict(read_fields(self.fields, values)))


class TextField(PlainField):
    """Texts; what has no UTF-8 (lone surrogates) becomes question marks."""

    def __init__(self) -> None:
        super().__init__(str)

    def write(self, value: Any) -> Any:
        return value.encode(errors="replace").decode()


class Number(PlainField):
    """Integers of any size, as decimal text of at most so many digits."""

    def __init__(self, digits: int = 4200) -> None:  # Python converts no more than 4300
        super().__init__(str)
        self.pattern = re.compile(f"-?[0-9]{{1,{digits}}}")

    def write(self, value: Any) -> Any:
        return str(value)

    def read(self, data: Any) -> Any:
        if self.pattern.fullmatch(super().read(data)) is None:
            raise Malformed("not a number")
        return int(data)


class Choice:
    """Members of an enumeration of integers."""

    def __init__(self, members: type[IntEnum]) -> None:
        self.members = members

    def write(self, value: Any) -> Any:
        return int(value)

    def read(self, data: Any) -> Any:
        if type(data) is not int or data not in tuple(self.members):
            raise Malformed("none of its members")
        return self.members(data)


class Json(TextField):
    """Data as JSON has it, of any depth: for settings, whose reader knows what they are."""

    def write(self, value: Any) -> Any:
        return json.dumps(value)

    def read(self, data: Any) -> Any:
        try:
            return json.loads(super().read(data))
        except (ValueError, RecursionError):
            raise Malformed("not JSON") from None


TEXT, WHOLE, FLAG, BYTES, NUMBER, JSON = (
    TextField(),
    PlainField(int),
    PlainField(bool),
    PlainField(bytes),
    Number(),
    Json(),
)


def read_fields(fields: Mapping[str, FieldKind], values: Sequence[Any]) -> list[tuple[str, Any]]:
    """Return the fields of a record with their values. Raises Malformed, which names the field."""
    found = []
    for (name, kind), value in zip(fields.items(), values, strict=True):
        try:
            found.append((name, kind.read(value)))
        except Malformed as e:
            raise Malformed(f"{name}: {e}") from None
    return found


def listed(data: Any, length: int | None = None) -> list[Any]:
    """Return a list as it is. Raises Malformed unless it is one, of this length."""
    if type(data) is not list or length not in (None, len(data)):
        raise Malformed("a list of another length" if type(data) is list else f"a {type(data).__name__}")
    return data


def encode(record: Record[T], message: T) -> bytes:
    """Return the bytes of a message."""
    import msgpack  # of the extra `cluster`

    packed: bytes = msgpack.packb(record.write(message))
    return packed


def decode(record: Record[T], data: bytes) -> T:
    """Return the message of these bytes. Raises Malformed."""
    import msgpack

    if type(data) is not bytes:
        raise Malformed(f"a {type(data).__name__}")
    try:
        plain = msgpack.unpackb(data)
    except Exception as e:  # of many kinds, of its own and built-in
        raise Malformed(f"not MessagePack: {type(e).__name__}") from None
    return record.read(plain)
