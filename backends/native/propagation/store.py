"""Domains of the variables while constraints narrow them, and the queue of propagators that have to run again.

    x  a variable   d  a domain, as bits   v  an index of a value   n  a number   mask  a set of values, as bits

A propagator is a function with one row of a constraint. It removes values that no solution of the row takes, and
returns False if a domain becomes empty or the row is broken; once all of its variables are decided, it has to be exact.
It keeps no state between two runs, so backtracking restores a copy of the domains.
"""

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from puzzles.problem.values import bits

ALL = -1  # the mask of all values


class Propagator(NamedTuple):
    """Function and its row; it runs again when a variable of `watched` loses a value of its mask."""

    run: Callable[["Store", Any], bool]
    row: Any
    watched: Sequence[tuple[int, int]]


def watching(run: Callable[["Store", Any], bool], row: Any, variables: Iterable[int]) -> Propagator:
    """Return a propagator that runs again whenever one of these variables loses a value."""
    return Propagator(run, row, [(x, ALL) for x in dict.fromkeys(variables)])


class Scale:
    """The number of each value, ascending, and masks of values by their numbers."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self.numbers = numbers
        self.full = (1 << len(numbers)) - 1

    def at_least(self, n: float) -> int:
        return ALL << bisect_left(self.numbers, n) & self.full

    def at_most(self, n: float) -> int:
        return (1 << bisect_right(self.numbers, n)) - 1

    def just(self, n: int) -> int:
        """Return the mask of one number, 0 if no value has it."""
        v = bisect_left(self.numbers, n)
        return 1 << v if v < len(self.numbers) and self.numbers[v] == n else 0

    def among(self, numbers: Iterable[int]) -> int:
        return reduce(or_, map(self.just, numbers), 0)

    def low(self, d: int) -> int:
        """Return the least number of a domain that is not empty."""
        return self.numbers[(d & -d).bit_length() - 1]

    def high(self, d: int) -> int:
        """Return the greatest number of a domain that is not empty."""
        return self.numbers[d.bit_length() - 1]

    def numbers_in(self, d: int) -> list[int]:
        return [self.numbers[v] for v in bits(d)]


class Store:
    """Domains, and the queue of propagators, each at most once."""

    def __init__(self, scale: Scale, propagators: Sequence[Propagator], domains: Iterable[int]) -> None:
        self.scale = scale
        self.propagators = propagators
        self.domains = list(domains)
        self.watchers: list[list[tuple[int, int]]] = [[] for _ in self.domains]
        for p, propagator in enumerate(propagators):
            for x, mask in propagator.watched:
                self.watchers[x].append((mask, p))
        self.queue = deque(range(len(propagators)))
        self.queued = bytearray(b"\1" * len(propagators))
        self.removed = 0

    def keep(self, x: int, mask: int) -> bool:
        """Remove all values outside the mask from the domain of x. False if no value is left."""
        before = self.domains[x]
        gone = before & ~mask
        if gone:
            self.domains[x] = before ^ gone
            self.removed += gone.bit_count()
            for values, p in self.watchers[x]:
                if values & gone:
                    self.wake(p)
        return gone != before

    def wake(self, p: int) -> None:
        """Queue a propagator."""
        if not self.queued[p]:
            self.queued[p] = 1
            self.queue.append(p)

    def decided(self, x: int) -> bool:
        d = self.domains[x]
        return not d & (d - 1)

    def low(self, x: int) -> int:
        return self.scale.low(self.domains[x])

    def high(self, x: int) -> int:
        return self.scale.high(self.domains[x])

    def next_propagator(self) -> Propagator:
        p = self.queue.popleft()
        self.queued[p] = 0
        return self.propagators[p]


def keep_all(store: Store, row: tuple[Sequence[int], int]) -> bool:
    """Remove the values outside a mask from the domains of variables."""
    variables, mask = row
    return all(store.keep(x, mask) for x in variables)
