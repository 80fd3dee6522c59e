"""Quality: the number by which answers to an instance are ordered, in columns over instances.

The quality of an answer is how many distinct solutions it gives; of an instance with an objective, the value of its
best solution with its sign turned, since values are minimised. It is an integer of any size, which may be negative, and
no solution at all is below every number. Evidence, claims and verdicts need this order alone:

    verified  the quality that checked solutions have
    complete  an answer says that no answer has a higher quality than its own; certificates and corpora say so too

A claim of completeness is refuted where a higher quality is verified.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from puzzles.problem.arrays import BoolArray, Int32Array, Int64Array

Index = slice | Int64Array | list[int]
ALL = slice(None)


@dataclass
class Quality:
    """Qualities: `some` bool[n], True where there is a solution; `number` int64[n], or object[n] of Python integers.

    Where there is no solution the number is 0.
    """

    some: BoolArray
    number: Any

    @classmethod
    def none(cls, n: int) -> Self:
        """Return n qualities of no solution."""
        return cls(np.zeros(n, np.bool_), np.zeros(n, np.int64))

    @classmethod
    def of_counts(cls, counts: Int32Array | Int64Array) -> Self:
        """Return the qualities of numbers of solutions, 0 or more."""
        return cls(counts > 0, counts.astype(np.int64))

    @classmethod
    def of_numbers(cls, some: BoolArray, numbers: Any) -> Self:
        """Return qualities of integers of any size, as int64 if all fit."""
        try:
            return cls(some, np.where(some, numbers, 0).astype(np.int64))
        except OverflowError:
            return cls(some, np.where(some, np.asarray(numbers, object), 0))

    @classmethod
    def of_values(cls, values: Sequence[int | None]) -> Self:
        """Return the qualities of best solutions, by the values of the objective; None for no solution."""
        some = np.array([value is not None for value in values], np.bool_)
        return cls.of_numbers(some, np.array([-(value or 0) for value in values], object))

    @property
    def values(self) -> list[int | None]:
        """Values of the objective, None for no solution."""
        return [-n if there else None for there, n in zip(self.some.tolist(), self.number.tolist(), strict=True)]

    def __len__(self) -> int:
        return len(self.some)

    def __getitem__(self, at: Index | BoolArray) -> "Quality":
        return Quality(self.some[at], self.number[at])

    def __setitem__(self, at: Index | BoolArray, other: "Quality") -> None:
        if other.number.dtype == object and self.number.dtype != object:
            self.number = self.number.astype(object)
        self.some[at], self.number[at] = other.some, other.number

    def same(self, other: "Quality") -> BoolArray:
        """Return True where both qualities are equal."""
        same: BoolArray = (self.some == other.some) & (self.number == other.number).astype(np.bool_)
        return same

    def below(self, other: "Quality") -> BoolArray:
        """Return True where this quality is below the other."""
        less = (self.number < other.number).astype(np.bool_)
        below: BoolArray = other.some & (~self.some | less)
        return below


@dataclass
class Stated:
    """Qualities that an answer, certificate or corpus states as the highest: `given` bool[n], True where stated."""

    given: BoolArray
    quality: Quality

    @classmethod
    def none(cls, n: int) -> Self:
        """Return no statement on n instances."""
        return cls(np.zeros(n, np.bool_), Quality.none(n))

    @classmethod
    def of_values(cls, values: Sequence[int | None]) -> Self:
        """Return statements that no value is below these, None for no statement."""
        quality = Quality.of_values(values)
        return cls(quality.some.copy(), quality)

    @classmethod
    def of_counts(cls, counts: Mapping[int, int], n: int) -> Self:
        """Return the numbers of solutions stated of some of n instances, given by position."""
        stated, at = cls.none(n), np.fromiter(counts, np.int64, len(counts))
        stated.put(at, Quality.of_counts(np.fromiter(counts.values(), np.int64, len(counts))))
        return stated

    def __getitem__(self, at: Index | BoolArray) -> "Stated":
        return Stated(self.given[at], self.quality[at])

    def put(self, at: Index | BoolArray, quality: Quality) -> None:
        """State these qualities, replacing earlier ones."""
        self.given[at] = True
        self.quality[at] = quality

    def raise_to(self, at: Int64Array, quality: Quality) -> Int64Array:
        """Keep the highest quality stated of each instance, none given twice; return the instances that changed."""
        more = ~self.given[at] | self.quality[at].below(quality)
        self.put(at[more], quality[more])
        return at[more]

    def lower_to(self, at: Int64Array, quality: Quality) -> None:
        """Keep the lowest quality stated of each instance; no instance is given twice."""
        less = ~self.given[at] | quality.below(self.quality[at])
        self.put(at[less], quality[less])

    def same(self, quality: Quality) -> BoolArray:
        """Return True where exactly this quality is stated."""
        return self.given & self.quality.same(quality)

    def below(self, quality: Quality) -> BoolArray:
        """Return True where a lower quality is stated."""
        return self.given & self.quality.below(quality)

    def above(self, quality: Quality) -> BoolArray:
        """Return True where a higher quality is stated."""
        return self.given & quality.below(self.quality)


@dataclass(frozen=True)
class CorpusClaims:
    """Claimed qualities by id of the instance, with True where a quality is a lower bound."""

    stated: Stated
    at_least: BoolArray

    @classmethod
    def none(cls, instances: int) -> Self:
        """Return no claim on instances 1 to `instances`."""
        return cls(Stated.none(instances + 1), np.zeros(instances + 1, np.bool_))

    def __getitem__(self, at: Index) -> "CorpusClaims":
        return CorpusClaims(self.stated[at], self.at_least[at])


@dataclass(frozen=True)
class Optimised:
    """Columns over outcomes.

    of       bool[n], True for an outcome of an instance with an objective
    quality  of the solution of each of these, by its value as the judge evaluates it
    bound    the highest quality that any solution has, as the contender states it
    false    bool[n], True where a stated value is not that of its solution, an improvement is none, or an answer is
             stated to be the best although its own contender reported a better one
    """

    of: BoolArray
    quality: Quality
    bound: Stated
    false: BoolArray

    def __getitem__(self, at: BoolArray | Int64Array) -> "Optimised":
        return Optimised(self.of[at], self.quality[at], self.bound[at], self.false[at])
