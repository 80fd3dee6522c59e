"""Table: the numbers of variables are a listed tuple, or are no listed tuple.

One object holds all scopes that share a list of tuples.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from puzzles.constraints.checks import check_array, check_flag, check_indices, check_tuple
from puzzles.constraints.numbers import Numbers, batches, names_text, numbers_of
from puzzles.constraints.numbers import tuples as nested
from puzzles.problem import Problem
from puzzles.problem.arrays import BoolArray, Solutions

STAR = int(np.iinfo(np.int64).min)  # stands for any number
BATCH_CELLS = 1 << 22  # comparisons per batch, which bounds memory


@dataclass(frozen=True, eq=False)
class Table:
    """Each scope takes a tuple of the list, or if not `positive` takes no tuple of the list.

    scopes  variables, all scopes of one length of at least 1
    tuples  int64, flat: as many numbers per tuple as a scope has variables; STAR stands for any
    """

    scopes: tuple[tuple[int, ...], ...]
    tuples: npt.NDArray[np.int64]
    positive: bool = True
    kind: ClassVar[str] = "table"

    @classmethod
    def of(cls, scopes: Iterable[Iterable[int]], rows: Iterable[Sequence[int]], positive: bool = True) -> Self:
        """Build the object from tuples of numbers."""
        flat = np.array([number for row in rows for number in row], np.int64)
        return cls(tuple(map(tuple, scopes)), flat, positive)

    @cached_property
    def rows(self) -> npt.NDArray[np.int64]:
        """Tuples in rows: [tuples, variables of a scope]."""
        return self.tuples.reshape(-1, len(self.scopes[0]))

    def listed(self, numbers: Numbers, scope: Sequence[int]) -> BoolArray:
        """Return bool[m]: True if the numbers of a scope match a tuple."""
        taken, any_number = numbers[:, scope], self.rows == STAR
        found = np.zeros(len(numbers), np.bool_)
        batch = max(1, BATCH_CELLS // max(1, self.tuples.size))
        for i in range(0, len(numbers), batch):
            equal = (taken[i : i + batch, None, :] == self.rows) | any_number
            found[i : i + batch] = equal.all(axis=2).any(axis=1)
        return found

    def check(self, problem: Problem) -> None:
        check_flag(self.positive)
        check_tuple(self.scopes)
        lengths = {len(scope) for scope in self.scopes}
        for scope in self.scopes:
            check_indices(scope, len(problem.variables))
        check_array(self.tuples, STAR, -STAR - 1)
        if len(lengths) != 1 or 0 in lengths or len(self.tuples) % max(lengths):
            raise ValueError("the tuples of a table do not fit its scopes")

    def satisfied(self, solutions: Solutions, problem: Problem) -> BoolArray:
        ok = np.ones(len(solutions), np.bool_)
        for part, numbers in batches(solutions, problem):
            for scope in self.scopes:
                ok[part] &= self.listed(numbers, scope) == self.positive
        return ok

    def explain(self, solution: Sequence[int], problem: Problem) -> list[str]:
        numbers = numbers_of(np.array([solution], np.uint64), problem)
        broken = [scope for scope in self.scopes if self.listed(numbers, scope)[0] != self.positive]
        fault = "is not in its table" if self.positive else "is in its table of forbidden tuples"
        words = [", ".join(str(numbers[0, x]) for x in scope) for scope in broken]
        return [f"({word}) of {names_text(scope, problem)} {fault}" for scope, word in zip(broken, words, strict=True)]

    def data(self) -> dict[str, Any]:
        return {"scopes": self.scopes, "tuples": self.tuples, "positive": self.positive}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        return cls(nested(data["scopes"]), data["tuples"], data["positive"])


KIND = Table
