"""Sets of integers as disjoint ranges, with the operators of a mask, for variables whose values are too many for bits.

The masks 0 and -1, no value and all values, mean the same here, so that one propagator reads either.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import inf

Ends = tuple[float, float]  # the least and the greatest number of a range; both are integers, or infinite


@dataclass(frozen=True)
class Spans:
    """Ranges that ascend and do not touch; none is empty."""

    ranges: tuple[Ends, ...]

    def __bool__(self) -> bool:
        return bool(self.ranges)

    def __and__(self, other: "Spans | int") -> "Spans":
        if isinstance(other, int):
            return self if other else NONE
        pairs = ((max(a, c), min(b, d)) for a, b in self.ranges for c, d in other.ranges)
        return Spans(tuple([(low, high) for low, high in pairs if low <= high]))

    def __or__(self, other: "Spans | int") -> "Spans":
        if isinstance(other, int):
            return EVERY if other else self
        return spans([*self.ranges, *other.ranges])

    __rand__, __ror__ = __and__, __or__

    def __invert__(self) -> "Spans":
        ends = [-inf, *(end for a, b in self.ranges for end in (a - 1, b + 1)), inf]
        gaps = zip(ends[::2], ends[1::2], strict=True)
        return Spans(tuple([(a, b) for a, b in gaps if a <= b and (a, b) not in NOWHERE]))

    def __iter__(self) -> Iterator[int]:
        for a, b in self.ranges:
            yield from range(int(a), int(b) + 1)

    def bit_count(self) -> int:
        """Return the number of integers, which is finite."""
        return sum(int(b) - int(a) + 1 for a, b in self.ranges)


def spans(ranges: Iterable[Ends]) -> Spans:
    """Return the union of ranges."""
    joined: list[Ends] = []
    for a, b in sorted(ranges):
        if joined and a <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(b, joined[-1][1])
        else:
            joined.append((a, b))
    return Spans(tuple(joined))


NONE, EVERY = Spans(()), Spans(((-inf, inf),))
NOWHERE = {(-inf, -inf), (inf, inf)}  # what is left beside an infinite range
