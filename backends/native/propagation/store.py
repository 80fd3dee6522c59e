"""Domains of the variables while constraints narrow them, and the queue of propagators that have to run again.

    x  a variable   d  a domain, as a mask   n  a number   mask  a set of values: bits, or spans of a problem of ranges

A propagator is a function with one row of a constraint. It removes values that no solution of the row takes, and
returns False if a domain becomes empty or the row is broken; once all of its variables are decided, it has to be exact.
It keeps no state between two runs, so backtracking restores a copy of the domains.
"""

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from math import inf
from operator import or_
from typing import Any, NamedTuple

from backends.native.propagation.spans import NONE, Spans, spans
from encoders.formula import Constraints
from puzzles.problem.values import WORD, bits

ALL = -1  # the mask of all values
MAX_TRIED = 64  # values of a range that are tried one by one; a larger range is halved
Mask = int | Spans


class Propagator(NamedTuple):
    """Function and its row; it runs again when a variable of `watched` loses a value of its mask."""

    run: Callable[["Store", Any], bool]
    row: Any
    watched: Sequence[tuple[int, Mask]]


def watching(run: Callable[["Store", Any], bool], row: Any, variables: Iterable[int]) -> Propagator:
    """Return a propagator that runs again whenever one of these variables loses a value."""
    return Propagator(run, row, [(x, ALL) for x in dict.fromkeys(variables)])


class Scale:
    """The number of each value, ascending, and masks of values by their numbers."""

    full: Mask
    none: Mask = 0

    def __init__(self, numbers: Sequence[int]) -> None:
        self.numbers = numbers
        self.full = (1 << len(numbers)) - 1

    def domain(self, given: Any) -> Mask:
        """Return the mask of a domain of an ask."""
        return int(given)

    def at_least(self, n: float) -> Mask:
        return ALL << bisect_left(self.numbers, n) & self.full

    def at_most(self, n: float) -> Mask:
        return (1 << bisect_right(self.numbers, n)) - 1

    def just(self, n: int) -> Mask:
        """Return the mask of one number, which is empty if no value has it."""
        v = bisect_left(self.numbers, n)
        return 1 << v if v < len(self.numbers) and self.numbers[v] == n else 0

    def among(self, numbers: Iterable[int]) -> Mask:
        return reduce(or_, map(self.just, numbers), self.none)

    def low(self, d: Any) -> int:
        """Return the least number of a domain that is not empty."""
        return self.numbers[int(d & -d).bit_length() - 1]

    def high(self, d: Any) -> int:
        """Return the greatest number of a domain that is not empty."""
        return self.numbers[int(d).bit_length() - 1]

    def index(self, d: Any) -> int:
        """Return the index of the value of a decided variable."""
        return int(d.bit_length()) - 1

    def numbers_in(self, d: Any) -> list[int]:
        return [self.numbers[v] for v in bits(d)]

    def split(self, d: Any) -> tuple[Mask, Mask]:
        """Return the values of a domain to try first, and the others."""
        v = d & -d
        return v, d ^ v


class RangeScale(Scale):
    """The numbers from the first to the last of an IntegerRange, and spans of them."""

    full: Mask
    none: Mask = NONE

    def __init__(self, numbers: Sequence[int]) -> None:
        self.numbers = numbers
        self.full = spans([(numbers[0], numbers[-1])])

    def domain(self, given: Any) -> Mask:
        first, last = given & WORD, (given >> 64) - 1
        return spans([(self.numbers[first], self.numbers[last])]) if given else NONE

    def at_least(self, n: float) -> Mask:
        return self.full & spans([(n, inf)])

    def at_most(self, n: float) -> Mask:
        return self.full & spans([(-inf, n)])

    def just(self, n: int) -> Mask:
        return self.full & spans([(n, n)])

    def low(self, d: Any) -> int:
        return int(d.ranges[0][0])

    def high(self, d: Any) -> int:
        return int(d.ranges[-1][1])

    def index(self, d: Any) -> int:
        return self.low(d) - self.numbers[0]

    def numbers_in(self, d: Any) -> list[int]:
        return list(d)

    def split(self, d: Any) -> tuple[Mask, Mask]:
        low, high = self.low(d), self.high(d)
        most = low if d.bit_count() <= MAX_TRIED else (low + high) // 2
        return d & spans([(low, most)]), d & spans([(most + 1, high)])


def scale_of(formula: Constraints) -> Scale:
    """Return the scale of a problem's numbers."""
    return (RangeScale if formula.ranged else Scale)(formula.numbers)


class Store:
    """Domains, and the queue of propagators, each at most once."""

    def __init__(self, scale: Scale, propagators: Sequence[Propagator], domains: Iterable[Mask]) -> None:
        self.scale = scale
        self.propagators = propagators
        self.domains: list[Any] = [*map(scale.domain, domains)]
        self.watchers: list[list[tuple[Mask, int]]] = [[] for _ in self.domains]
        for p, propagator in enumerate(propagators):
            for x, mask in propagator.watched:
                self.watchers[x].append((mask, p))
        self.queue = deque(range(len(propagators)))
        self.queued = bytearray(b"\1" * len(propagators))
        self.removed = 0

    def keep(self, x: int, mask: Mask) -> bool:
        """Remove all values outside the mask from the domain of x. False if no value is left."""
        before = self.domains[x]
        gone = before & ~mask
        if gone:
            self.domains[x] = before & mask
            self.removed += gone.bit_count()
            for values, p in self.watchers[x]:
                if values & gone:
                    self.wake(p)
        return bool(self.domains[x])

    def wake(self, p: int) -> None:
        """Queue a propagator."""
        if not self.queued[p]:
            self.queued[p] = 1
            self.queue.append(p)

    def decided(self, x: int) -> bool:
        return int(self.domains[x].bit_count()) == 1

    def low(self, x: int) -> int:
        return self.scale.low(self.domains[x])

    def high(self, x: int) -> int:
        return self.scale.high(self.domains[x])

    def numbers(self, x: int) -> list[int]:
        return self.scale.numbers_in(self.domains[x])

    def next_propagator(self) -> Propagator:
        p = self.queue.popleft()
        self.queued[p] = 0
        return self.propagators[p]


def keep_all(store: Store, row: tuple[Sequence[int], Mask]) -> bool:
    """Remove the values outside a mask from the domains of variables."""
    variables, mask = row
    return all(store.keep(x, mask) for x in variables)
