"""Lex: two lists of variables in lexicographic order."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from puzzles.constraints.checks import check_indices, one_of
from puzzles.constraints.numbers import ORDER, Numbers, Row, Rows, names_text
from puzzles.problem import Problem
from puzzles.problem.arrays import BoolArray

LexRow = tuple[tuple[int, ...], tuple[int, ...], str]  # left, right, one of < <= > >=


@dataclass(frozen=True)
class Lex(Rows):
    """Rows: the numbers of `left` compare with those of `right`, a list of equal length, lexicographically."""

    rows: tuple[LexRow, ...]
    kind: ClassVar[str] = "lex"
    parts: ClassVar = (check_indices, check_indices, one_of("<", "<=", ">", ">="))

    def check(self, problem: Problem) -> None:
        super().check(problem)
        if any(len(left) != len(right) for left, right, _ in self.rows):
            raise ValueError("lists of different lengths in an order")

    def holds(self, numbers: Numbers, row: Row) -> BoolArray:
        left, right, comparison = row
        sign = np.zeros(len(numbers), np.int8)  # sign of the first difference
        for x, y in zip(left, right, strict=True):
            larger, smaller = numbers[:, x] > numbers[:, y], numbers[:, x] < numbers[:, y]
            here = larger.astype(np.int8) - smaller.astype(np.int8)
            sign = np.where(sign == 0, here, sign)
        satisfied: BoolArray = ORDER[comparison](sign, 0)
        return satisfied

    def words(self, numbers: Sequence[int], row: Row, problem: Problem) -> str:
        left, right, comparison = row
        sides = [
            f"({names_text(side, problem)}) = ({', '.join(str(numbers[x]) for x in side)})" for side in (left, right)
        ]
        return f"{sides[0]} is not {comparison} {sides[1]}"


KIND = Lex
