"""MinMax: the smallest or largest number of some variables, compared with the number of a variable."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from puzzles.constraints.checks import check_index, check_indices, one_of
from puzzles.constraints.numbers import ORDER, Numbers, Row, Rows, names_text
from puzzles.problem import Problem
from puzzles.problem.arrays import BoolArray

MinMaxRow = tuple[str, tuple[int, ...], str, int]  # "minimum" or "maximum", variables, comparison, bound
CHOOSE = {"minimum": np.min, "maximum": np.max}


@dataclass(frozen=True)
class MinMax(Rows):
    """Rows: the minimum or maximum of `variables`, at least one, compares with `bound`."""

    rows: tuple[MinMaxRow, ...]
    kind: ClassVar[str] = "minmax"
    parts: ClassVar = (one_of(*CHOOSE), check_indices, one_of(*ORDER), check_index)

    def check(self, problem: Problem) -> None:
        super().check(problem)
        if not all(variables for _, variables, _, _ in self.rows):
            raise ValueError("a minimum or maximum of no variables")

    def holds(self, numbers: Numbers, row: Row) -> BoolArray:
        which, variables, comparison, bound = row
        chosen = CHOOSE[which](numbers[:, variables], axis=1)
        satisfied: BoolArray = ORDER[comparison](chosen, numbers[:, bound]).astype(np.bool_)
        return satisfied

    def words(self, numbers: Sequence[int], row: Row, problem: Problem) -> str:
        which, variables, comparison, bound = row
        chosen = (min if which == "minimum" else max)(numbers[x] for x in variables)
        stated = f"{comparison} {problem.variables[bound]} = {numbers[bound]}"
        return f"the {which} of {names_text(variables, problem)} is {chosen}, not {stated}"


KIND = MinMax
