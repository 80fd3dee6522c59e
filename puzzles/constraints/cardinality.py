"""Cardinality: for each of some numbers a variable states how often the number is taken."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from puzzles.constraints.checks import check_flag, check_indices, check_numbers
from puzzles.constraints.numbers import Numbers, Row, Rows, names_text
from puzzles.problem import Problem
from puzzles.problem.arrays import BoolArray

CardinalityRow = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], bool]


@dataclass(frozen=True)
class Cardinality(Rows):
    """Rows of (variables, numbers, occurrences, closed): `numbers[i]` is taken as often as `occurrences[i]` states.

    The occurrences are variables. If `closed`, no other number is taken.
    """

    rows: tuple[CardinalityRow, ...]
    kind: ClassVar[str] = "cardinality"
    parts: ClassVar = (check_indices, check_numbers, check_indices, check_flag)

    def check(self, problem: Problem) -> None:
        super().check(problem)
        if any(len(wanted) != len(occurrences) for _, wanted, occurrences, _ in self.rows):
            raise ValueError("a cardinality has not one occurrence for each number")

    def holds(self, numbers: Numbers, row: Row) -> BoolArray:
        variables, wanted, occurrences, closed = row
        taken = numbers[:, variables]
        ok = np.ones(len(numbers), np.bool_)
        for number, occurrence in zip(wanted, occurrences, strict=True):
            ok &= (taken == number).sum(axis=1) == numbers[:, occurrence]
        if closed:
            ok &= np.all(np.isin(taken, wanted), axis=1)
        return ok

    def words(self, numbers: Sequence[int], row: Row, problem: Problem) -> str:
        variables, wanted, occurrences, closed = row
        taken = [numbers[x] for x in variables]
        for number, occurrence in zip(wanted, occurrences, strict=True):
            if (count := taken.count(number)) != numbers[occurrence]:
                stated = f"{problem.variables[occurrence]} = {numbers[occurrence]}"
                return f"{count} of {names_text(variables, problem)} take {number}, not {stated}"
        assert closed
        x = next(x for x in variables if numbers[x] not in wanted)
        return f"{problem.variables[x]} takes {numbers[x]}, which is none of {', '.join(map(str, wanted))}"


KIND = Cardinality
