"""All assignments of a small problem, checked by the judge's check of the constraints."""

from collections.abc import Sequence
from math import prod

import numpy as np

from puzzles.problem import Problem
from puzzles.problem.arrays import Solutions
from puzzles.problem.columns import index_type
from puzzles.problem.values import Domains, indices_of, size_of

CELLS = 1 << 22  # values of all assignments that are tried at once


def right_assignments(problem: Problem, domains: Domains, nodes: int) -> Solutions | None:
    """Return the assignments that satisfy every constraint; None if more than `nodes` would have to be checked."""
    size = prod(size_of(mask, problem.values) for mask in domains)
    if size > nodes or size * max(1, len(domains)) > CELLS:
        return None
    values = [np.array(list(indices_of(mask, problem.values)), index_type(problem)) for mask in domains]
    tried = product_of(values, size)
    good = np.ones(len(tried), np.bool_)
    for constraint in problem.constraints:
        good &= constraint.satisfied(tried, problem)
    right: Solutions = tried[good]
    return right


def product_of(values: Sequence[Solutions], size: int) -> Solutions:
    """Return all `size` choices of a value for each variable, the last variable fastest."""
    tried = np.zeros((size, len(values)), values[0].dtype if values else np.uint16)
    block = size
    for x, own in enumerate(values):
        block //= len(own) or 1
        tried[:, x] = np.tile(np.repeat(own, block), size // (len(own) * block) if size else 0)
    return tried
