"""Values of variables, the domains and solutions over them, and names of numbered variables."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:  # numpy is imported at its first use
    import numpy.typing as npt

    Array = npt.NDArray[Any]

Domains = tuple[int, ...]
Solution = tuple[int, ...]
Values = Sequence[str]


WORD = (1 << 64) - 1
LONG_MASK = 4096  # bits of a mask that is read as a text: a step of the other loop copies the whole mask


@dataclass(frozen=True, init=False)
class Integers(Sequence[str]):
    """Integer values, ascending, possibly negative or with gaps; item i is the text of number i.

    Consecutive numbers are stored as a range, others as a tuple.
    """

    numbers: Sequence[int]

    def __init__(self, numbers: Iterable[int]) -> None:
        if not isinstance(numbers, range) or numbers.step != 1:
            numbers = tuple(numbers)
            if any(a >= b for a, b in pairwise(numbers)):
                raise ValueError("integer values must ascend")
            if not numbers or numbers[-1] - numbers[0] == len(numbers) - 1:
                numbers = range(numbers[0], numbers[-1] + 1) if numbers else range(0)
        object.__setattr__(self, "numbers", numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, i: int) -> str: ...
    @overload
    def __getitem__(self, i: slice) -> "Integers": ...
    def __getitem__(self, i: int | slice) -> "str | Integers":
        return str(self.numbers[i]) if isinstance(i, int) else Integers(self.numbers[i])


class IntegerRange(Integers):
    """Integers first..last of which no table is made: a domain is a range of them, as `bounded` packs it.

    There are fewer than 2 ** 63.
    """


@dataclass(frozen=True)
class Numbered(Sequence[str]):
    """Names of numbered variables: PREFIX1, PREFIX2, ... A million of them take no memory."""

    prefix: str
    size: int

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, i: int) -> str: ...
    @overload
    def __getitem__(self, i: slice) -> tuple[str, ...]: ...
    def __getitem__(self, i: int | slice) -> str | tuple[str, ...]:
        at = range(1, self.size + 1)[i]
        return f"{self.prefix}{at}" if isinstance(at, int) else tuple(f"{self.prefix}{k}" for k in at)


def bounded(first: int, last: int) -> int:
    """Return the domain of the indices first..last of an IntegerRange: the first, and 64 bits higher the last + 1."""
    return first | last + 1 << 64


def indices_of(domain: int, values: Values) -> Iterable[int]:
    """Iterate over the value indices in a domain, smallest first; those of an IntegerRange are a range."""
    return range(domain & WORD, domain >> 64) if isinstance(values, IntegerRange) else bits(domain)


def ends_of(domain: int, values: Values) -> tuple[int, int]:
    """Return the least and the greatest value index in a domain, which is not empty."""
    if isinstance(values, IntegerRange):
        return domain & WORD, (domain >> 64) - 1
    return (domain & -domain).bit_length() - 1, domain.bit_length() - 1


def size_of(domain: int, values: Values) -> int:
    """Return the number of values in a domain."""
    return (domain >> 64) - (domain & WORD) if isinstance(values, IntegerRange) else domain.bit_count()


def holds(domain: int, v: int, values: Values) -> bool:
    """Return True if a value is in a domain."""
    if isinstance(values, IntegerRange):
        return domain & WORD <= v < domain >> 64
    return bool(domain >> v & 1)


def bits(mask: int) -> Iterable[int]:
    """Iterate over the values in a domain, smallest first."""
    if mask.bit_length() > LONG_MASK:
        text = f"{mask:b}"[::-1]
        at = text.find("1")
        while at >= 0:
            yield at
            at = text.find("1", at + 1)
        return
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
