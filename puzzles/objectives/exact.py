"""Exact integers in columns: int64 where no sum can be longer, else Python integers; and the texts of integers.

column  int64[m], or object[m] of Python integers
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzles.constraints.checks import check_array
from puzzles.constraints.linear import integers
from puzzles.problem import Problem
from puzzles.problem.values import Domains, Integers, ends_of

Exact = npt.NDArray[Any]
FITS = 2.0**62  # the size below which sums are computed in 64 bits


def weighted(columns: npt.NDArray[Any], weights: Exact) -> Exact:
    """Return columns[m, n] @ weights[n], exactly."""
    largest = float(np.abs(columns).max(initial=0)) * float(np.abs(weights.astype(np.float64)).sum())
    if weights.dtype != object and columns.dtype != object and largest < FITS:
        return np.asarray(columns.astype(np.int64) @ weights)
    return np.asarray(columns.astype(object) @ weights.astype(object))


def narrowed(column: Exact) -> Exact:
    """Return a column as int64 if all its integers fit."""
    return integers(column.tolist()) if column.dtype == object else column


def to_json(column: Exact) -> Any:
    """Return integers as an array, or as texts if one does not fit into 64 bits."""
    return list(map(str, column.tolist())) if column.dtype == object else column


def from_json(data: Any) -> Exact:
    """Return the integers that `to_json` wrote."""
    return np.array(list(map(int, data)), object) if isinstance(data, list) else np.asarray(data)


def check_integers(column: Any) -> None:
    """Raise ValueError unless this is a column of integers of any size."""
    if getattr(column, "ndim", 0) != 1:
        raise ValueError("an objective has no column of integers")
    if column.dtype == object:
        if not all(type(number) is int for number in column):
            raise ValueError("an objective has a number that is no integer")
        return
    check_array(column, -(1 << 63), (1 << 63) - 1)


def ranges(domains: Domains, problem: Problem) -> list[tuple[int, int]]:
    """Return the least and the greatest number in the domain of each variable; an empty domain counts as all values."""
    numbers = numbers_of_values(problem)
    found: dict[int, tuple[int, int]] = {}
    for mask in set(domains):
        least, most = ends_of(mask or problem.full, problem.values) if numbers else (0, 0)
        found[mask] = (numbers[least], numbers[most]) if numbers else (0, 0)
    return [found[mask] for mask in domains]


def numbers_of_values(problem: Problem) -> Sequence[int]:
    """Return the number of each value. Values that are no integers are numbered from 0."""
    values = problem.values
    return values.numbers if isinstance(values, Integers) else range(len(values))


def rows_of(flat: npt.NDArray[Any]) -> list[list[int]]:
    """Split an array of clauses, each ended by 0, into lists without the 0."""
    ends = [-1, *np.flatnonzero(flat == 0).tolist()]
    literals = flat.tolist()
    return [literals[a + 1 : b] for a, b in pairwise(ends)]
