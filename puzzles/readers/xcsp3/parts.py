"""The data of one constraint as the child sent it, with checked access to its parts. All functions raise ParseError."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from puzzles.errors import ParseError, brief
from puzzles.readers.refusal import Refusal

Value = Any  # as in child.py
MAX_EXPANDED = 1 << 20  # items of a list, and parts of a constraint that is decomposed
MAX_NUMBER = (1 << 63) - 1


@dataclass(frozen=True)
class Parts:
    """A constraint: its name, its parts as [name, attributes, value] in the order of the file, its own attributes."""

    name: str
    items: Sequence[Any]
    own: Mapping[str, Any] = field(default_factory=dict)

    def __contains__(self, part: str) -> bool:
        return any(name == part for name, _, _ in self.items)

    def of(self, part: str) -> list[Value]:
        """Return the values of all parts of this name, at least one."""
        found = [value for name, _, value in self.items if name == part]
        if not found:
            raise ParseError(f"{self.name} needs <{part}>")
        return found

    def one(self, part: str) -> Value:
        """Return the value of the only part of this name."""
        if len(found := self.of(part)) > 1:
            raise ParseError(f"{self.name} has {len(found)} <{part}>, not one")
        return found[0]

    def items_of(self, part: str) -> list[Value]:
        """Return the items of the only part of this name, a list."""
        return listed(self.one(part))

    def attribute(self, part: str, name: str, default: Any, at: int = 0) -> Any:
        """Return an attribute of the part of this name, or of the part number `at` of several."""
        found = [attributes for item, attributes, _ in self.items if item == part]
        value = found[at].get(name, default) if at < len(found) else default
        if type(value) is not type(default):
            raise ParseError(f"{name}={value!r} in {self.name}")
        return value


def shown(value: Value) -> str:
    """Quote a value for a message."""
    return brief(str(value[1] if isinstance(value, list) and value[:1] in (["text"], ["var"]) else value))


def integer(value: Value) -> int:
    """Return a number. Raises also Refusal, if it is longer than 64 bits."""
    if type(value) is not int:
        raise ParseError(f"unexpected {shown(value)}: expected a number")
    if abs(value) > MAX_NUMBER:
        raise Refusal(["numbers beyond 64 bits"])
    return value


def listed(value: Value) -> list[Value]:
    """Return the items of a list, with ranges as their numbers. One item alone is a list too. Raises also Refusal."""
    if not isinstance(value, list) or value[:1] != ["list"]:
        value = ["list", value]
    found: list[Value] = []
    for item in value[1:]:
        if is_range(item):
            first, last = map(integer, item[1:])
            check_size(len(found) + last - first + 1)
            found += range(first, last + 1)
        else:
            found.append(item)
    return found


def check_size(items: int) -> None:
    """Raise Refusal if a constraint has too many parts."""
    if items > MAX_EXPANDED:
        raise Refusal([f"constraints of more than {MAX_EXPANDED} parts"])


def is_range(value: Value) -> bool:
    """Return True for a range of numbers."""
    return isinstance(value, list) and value[:1] == ["range"]
