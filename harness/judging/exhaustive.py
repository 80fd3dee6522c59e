"""All assignments of a small problem, checked by the judge's check of the constraints."""

from math import prod

import numpy as np

from puzzles.problem import Problem
from puzzles.problem.arrays import Solutions
from puzzles.problem.columns import index_type
from puzzles.problem.values import Domains, bits

NOTHING = np.zeros((1, 0), np.uint16)  # the only assignment of a problem without variables
CELLS = 1 << 22  # values of all assignments that are tried at once


def right_assignments(problem: Problem, domains: Domains, nodes: int) -> Solutions | None:
    """Return the assignments that satisfy every constraint; None if more than `nodes` would have to be checked."""
    values = [np.array(list(bits(mask)), index_type(problem)) for mask in domains]
    size = prod(map(len, values))
    if size > nodes or size * max(1, len(values)) > CELLS:
        return None
    tried = np.stack(np.meshgrid(*values, indexing="ij"), -1).reshape(size, len(values)) if values else NOTHING
    good = np.ones(len(tried), np.bool_)
    for constraint in problem.constraints:
        good &= constraint.satisfied(tried, problem)
    right: Solutions = tried[good]
    return right
