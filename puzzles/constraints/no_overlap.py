"""NoOverlap: boxes of any number of dimensions do not overlap (Beldiceanu & Contejean 1994).

A box has an origin and a length in each dimension; no length may be negative. Two boxes are apart if in some dimension
one ends where the other begins, or before. If zeros are ignored, a box with a length of 0 overlaps nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from puzzles.constraints.checks import check_flag, check_indices, check_tuple
from puzzles.constraints.numbers import Numbers, Row, Rows, exact, names_text
from puzzles.problem import Problem
from puzzles.problem.arrays import BoolArray

Box = tuple[int, ...]  # a variable for each dimension
NoOverlapRow = tuple[tuple[Box, ...], tuple[Box, ...], bool]  # origins, lengths, zeros are ignored


def check_boxes(found: Any, variables: int) -> None:
    """Check a tuple of tuples of variables."""
    check_tuple(found)
    for box in found:
        check_indices(box, variables)


@dataclass(frozen=True)
class NoOverlap(Rows):
    """Rows: no two boxes overlap. Origins and lengths are variables."""

    rows: tuple[NoOverlapRow, ...]
    kind: ClassVar[str] = "no_overlap"
    parts: ClassVar = (check_boxes, check_boxes, check_flag)

    def check(self, problem: Problem) -> None:
        super().check(problem)
        for origins, lengths, _ in self.rows:
            if len(origins) != len(lengths) or len({len(box) for box in (*origins, *lengths)}) > 1:
                raise ValueError("boxes that have not one origin and one length for each dimension")

    def holds(self, numbers: Numbers, row: Row) -> BoolArray:
        origins, lengths, ignored = row
        ok = np.ones(len(numbers), np.bool_)
        for box in lengths:
            ok &= np.all(numbers[:, list(box)] >= 0, axis=1)
        for (a, long_a), (b, long_b) in combinations(zip(origins, lengths, strict=True), 2):
            at_a, at_b, size_a, size_b = (exact(numbers[:, list(part)], 2) for part in (a, b, long_a, long_b))
            apart = np.any((at_a + size_a <= at_b) | (at_b + size_b <= at_a), axis=1)
            if ignored:
                apart |= np.any((size_a == 0) | (size_b == 0), axis=1)
            ok &= apart
        return ok

    def words(self, numbers: Sequence[int], row: Row, problem: Problem) -> str:
        origins, lengths, ignored = row
        for x in (x for box in lengths for x in box):
            if numbers[x] < 0:
                return f"{problem.variables[x]} is {numbers[x]}, a length below 0"
        one = np.array([numbers], object)
        for (a, long_a), (b, long_b) in combinations(zip(origins, lengths, strict=True), 2):
            if not self.holds(one, ((a, b), (long_a, long_b), ignored))[0]:
                return f"the boxes at {names_text(a, problem)} and at {names_text(b, problem)} overlap"
        raise AssertionError("no two boxes overlap")


KIND = NoOverlap
