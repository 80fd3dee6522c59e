"""Merit: the number by which answers to an instance are ordered, in columns over instances.

The merit of an answer is how many distinct solutions it gives; of an instance with an objective, the value of its best
solution with its sign turned, since values are minimised. It is an integer of any size, which may be negative, and no
solution at all is below every number. Evidence, claims and verdicts need this order alone:

    shown     the merit that checked solutions have
    complete  an answer says that no answer has more merit than its own; certificates and corpora say so too

A claim of completeness is refuted where more is shown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from puzzles.problem.arrays import BoolArray, Int32Array, Int64Array

Index = slice | Int64Array | list[int]
ALL = slice(None)


@dataclass
class Merit:
    """Merits: `some` bool[n], True where there is a solution; `number` int64[n], or object[n] of Python integers.

    Where there is no solution the number is 0.
    """

    some: BoolArray
    number: Any

    @classmethod
    def none(cls, n: int) -> Self:
        """Return n merits of no solution."""
        return cls(np.zeros(n, np.bool_), np.zeros(n, np.int64))

    @classmethod
    def of_counts(cls, counts: Int32Array | Int64Array) -> Self:
        """Return the merits of numbers of solutions, 0 or more."""
        return cls(counts > 0, counts.astype(np.int64))

    @classmethod
    def of_numbers(cls, some: BoolArray, numbers: Any) -> Self:
        """Return merits of integers of any size, as int64 if all fit."""
        try:
            return cls(some, np.where(some, numbers, 0).astype(np.int64))
        except OverflowError:
            return cls(some, np.where(some, np.asarray(numbers, object), 0))

    @classmethod
    def of_values(cls, values: Sequence[int | None]) -> Self:
        """Return the merits of best solutions, by the values of the objective; None for no solution."""
        some = np.array([value is not None for value in values], np.bool_)
        return cls.of_numbers(some, np.array([-(value or 0) for value in values], object))

    @property
    def values(self) -> list[int | None]:
        """Values of the objective, None for no solution."""
        return [-n if there else None for there, n in zip(self.some.tolist(), self.number.tolist(), strict=True)]

    def __len__(self) -> int:
        return len(self.some)

    def __getitem__(self, at: Index | BoolArray) -> "Merit":
        return Merit(self.some[at], self.number[at])

    def __setitem__(self, at: Index | BoolArray, other: "Merit") -> None:
        if other.number.dtype == object and self.number.dtype != object:
            self.number = self.number.astype(object)
        self.some[at], self.number[at] = other.some, other.number

    def same(self, other: "Merit") -> BoolArray:
        """Return True where both merits are equal."""
        same: BoolArray = (self.some == other.some) & (self.number == other.number).astype(np.bool_)
        return same

    def below(self, other: "Merit") -> BoolArray:
        """Return True where this merit is less than the other."""
        less = (self.number < other.number).astype(np.bool_)
        below: BoolArray = other.some & (~self.some | less)
        return below


@dataclass
class Stated:
    """Merits that an answer, certificate or corpus states as the greatest: `given` bool[n], True where stated."""

    given: BoolArray
    merit: Merit

    @classmethod
    def none(cls, n: int) -> Self:
        """Return no statement on n instances."""
        return cls(np.zeros(n, np.bool_), Merit.none(n))

    @classmethod
    def of_values(cls, values: Sequence[int | None]) -> Self:
        """Return statements that no value is below these, None for no statement."""
        merit = Merit.of_values(values)
        return cls(merit.some.copy(), merit)

    @classmethod
    def of_counts(cls, counts: Mapping[int, int], n: int) -> Self:
        """Return the numbers of solutions stated of some of n instances, given by position."""
        stated, at = cls.none(n), np.fromiter(counts, np.int64, len(counts))
        stated.put(at, Merit.of_counts(np.fromiter(counts.values(), np.int64, len(counts))))
        return stated

    def __getitem__(self, at: Index | BoolArray) -> "Stated":
        return Stated(self.given[at], self.merit[at])

    def put(self, at: Index | BoolArray, merit: Merit) -> None:
        """State these merits, replacing earlier ones."""
        self.given[at] = True
        self.merit[at] = merit

    def raise_to(self, at: Int64Array, merit: Merit) -> Int64Array:
        """Keep the greatest merit stated of each instance, none given twice; return the instances that changed."""
        more = ~self.given[at] | self.merit[at].below(merit)
        self.put(at[more], merit[more])
        return at[more]

    def lower_to(self, at: Int64Array, merit: Merit) -> None:
        """Keep the least merit stated of each instance; no instance is given twice."""
        less = ~self.given[at] | merit.below(self.merit[at])
        self.put(at[less], merit[less])

    def same(self, merit: Merit) -> BoolArray:
        """Return True where exactly this merit is stated."""
        return self.given & self.merit.same(merit)

    def below(self, merit: Merit) -> BoolArray:
        """Return True where less than this merit is stated."""
        return self.given & self.merit.below(merit)

    def above(self, merit: Merit) -> BoolArray:
        """Return True where more than this merit is stated."""
        return self.given & merit.below(self.merit)


@dataclass(frozen=True)
class CorpusClaims:
    """Claimed merits by id of the instance, with True where a merit is a lower bound."""

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

    of      bool[n], True for an outcome of an instance with an objective
    merit   of the solution of each of these, by its value as the judge evaluates it
    bound   the greatest merit that any solution has, as the contender states it
    false   bool[n], True where a stated value is not that of its solution, an improvement is none, or an answer is
            stated to be the best although its own contender reported a better one
    """

    of: BoolArray
    merit: Merit
    bound: Stated
    false: BoolArray

    def __getitem__(self, at: BoolArray | Int64Array) -> "Optimised":
        return Optimised(self.of[at], self.merit[at], self.bound[at], self.false[at])
