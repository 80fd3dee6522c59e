"""Element: the variable that an index selects from a list has a given number.

    list[index - start] = value, where `list` are variables, and `index` and `value` variables too

An index outside the list breaks the constraint.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from puzzles.constraints.checks import check_index, check_indices, check_number
from puzzles.constraints.numbers import Numbers, Row, Rows, exact, names_text
from puzzles.problem import Problem
from puzzles.problem.arrays import BoolArray

ElementRow = tuple[tuple[int, ...], int, int, int]  # list, index, start, value


@dataclass(frozen=True)
class Element(Rows):
    """Rows: the number of `list[index - start]` is the number of `value`."""

    rows: tuple[ElementRow, ...]
    kind: ClassVar[str] = "element"
    parts: ClassVar = (check_indices, check_index, check_number, check_index)

    def holds(self, numbers: Numbers, row: Row) -> BoolArray:
        variables, index, start, value = row
        at = exact(numbers[:, index], 2) - start
        inside = (at >= 0) & (at < len(variables))
        if not len(variables):
            return np.zeros(len(numbers), np.bool_)
        chosen = np.array(variables)[np.where(inside, at, 0).astype(np.intp)]
        found: BoolArray = inside.astype(np.bool_) & (numbers[np.arange(len(numbers)), chosen] == numbers[:, value])
        return found

    def words(self, numbers: Sequence[int], row: Row, problem: Problem) -> str:
        variables, index, start, value = row
        names, at = problem.variables, numbers[index] - start
        if not 0 <= at < len(variables):
            return f"{names[index]} is {numbers[index]}, outside {start} to {start + len(variables) - 1}"
        taken = variables[at]
        listed = f"item {numbers[index]} of {names_text(variables, problem)}"
        return f"{listed} is {names[taken]} = {numbers[taken]}, but {names[value]} is {numbers[value]}"


KIND = Element
