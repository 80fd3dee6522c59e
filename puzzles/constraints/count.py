"""Count: the number of variables that take one of some numbers, compared with the number of a variable."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from puzzles.constraints.checks import check_index, check_indices, check_numbers, one_of
from puzzles.constraints.numbers import ORDER, Numbers, Row, Rows, names_text
from puzzles.problem import Problem
from puzzles.problem.arrays import BoolArray

CountRow = tuple[tuple[int, ...], tuple[int, ...], str, int]  # variables, numbers, comparison, bound


@dataclass(frozen=True)
class Count(Rows):
    """Rows: the number of `variables` that take one of `numbers` compares with the number of `bound`."""

    rows: tuple[CountRow, ...]
    kind: ClassVar[str] = "count"
    parts: ClassVar = (check_indices, check_numbers, one_of(*ORDER), check_index)

    def holds(self, numbers: Numbers, row: Row) -> BoolArray:
        variables, wanted, comparison, bound = row
        found = np.isin(numbers[:, variables], wanted).sum(axis=1)
        satisfied: BoolArray = ORDER[comparison](found, numbers[:, bound]).astype(np.bool_)
        return satisfied

    def words(self, numbers: Sequence[int], row: Row, problem: Problem) -> str:
        variables, wanted, comparison, bound = row
        count = sum(numbers[x] in wanted for x in variables)
        which = f"{names_text(variables, problem)} take {' or '.join(map(str, wanted))}"
        return f"{count} of {which}, not {comparison} {problem.variables[bound]} = {numbers[bound]}"


KIND = Count
