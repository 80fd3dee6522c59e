"""NValues: the number of distinct numbers that variables take, compared with the number of a variable."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from puzzles.constraints.checks import check_index, check_indices, check_numbers, one_of
from puzzles.constraints.numbers import ORDER, Numbers, Row, Rows, names_text
from puzzles.problem import Problem
from puzzles.problem.arrays import BoolArray

NValuesRow = tuple[tuple[int, ...], tuple[int, ...], str, int]  # variables, excepted, comparison, bound


@dataclass(frozen=True)
class NValues(Rows):
    """Rows: the count of distinct numbers of `variables`, without `excepted`, compares with that of `bound`."""

    rows: tuple[NValuesRow, ...]
    kind: ClassVar[str] = "nvalues"
    parts: ClassVar = (check_indices, check_numbers, one_of(*ORDER), check_index)

    def holds(self, numbers: Numbers, row: Row) -> BoolArray:
        variables, excepted, comparison, bound = row
        taken = np.sort(numbers[:, variables], axis=1)
        first = np.ones(taken.shape, np.bool_)
        first[:, 1:] = taken[:, 1:] != taken[:, :-1]
        found = (first & ~np.isin(taken, excepted)).sum(axis=1)
        satisfied: BoolArray = ORDER[comparison](found, numbers[:, bound]).astype(np.bool_)
        return satisfied

    def words(self, numbers: Sequence[int], row: Row, problem: Problem) -> str:
        variables, excepted, comparison, bound = row
        count = len({numbers[x] for x in variables} - set(excepted))
        stated = f"{comparison} {problem.variables[bound]} = {numbers[bound]}"
        return f"{names_text(variables, problem)} take {count} distinct values, not {stated}"


KIND = NValues
