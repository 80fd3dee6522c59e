"""Truth about any problem: its solutions, by exhaustive search that shares no code with a backend or an encoding.

Boards and formulas of clauses have searches of their own. For other problems every assignment is checked, if there are
few enough, by the judge's check of the constraints.
"""

from math import prod

import numpy as np

from harness.fuzzing.clausal import clauses_of_problem, enumerate_models
from harness.fuzzing.counting import Enumeration, count
from puzzles.boards.layout import Layout
from puzzles.problem import Problem
from puzzles.problem.columns import index_type
from puzzles.problem.values import Domains, bits

NOTHING = np.zeros((1, 0), np.uint16)  # the only assignment of a problem without variables
CELLS = 1 << 22  # values of all assignments that are tried at once
MODEL_NODES = 20  # placements on a board cost about as much as one node of the search for models


def solutions_of(problem: Problem, domains: Domains, most: int, nodes: int) -> Enumeration:
    """Find up to `most` solutions within a number of nodes, which are placements or assignments."""
    if isinstance(problem, Layout):
        return count(problem, domains, most, nodes)
    if (clauses := clauses_of_problem(problem)) is not None:
        return enumerate_models(clauses, domains, most, nodes // MODEL_NODES)
    return try_assignments(problem, domains, most, nodes)


def try_assignments(problem: Problem, domains: Domains, most: int, nodes: int) -> Enumeration:
    """Check every assignment, but none if there are more than `nodes`, or more than fit into memory."""
    values = [np.array(list(bits(mask)), index_type(problem)) for mask in domains]
    size = prod(map(len, values))
    if size > nodes or size * max(1, len(values)) > CELLS:
        return Enumeration((), False)
    tried = np.stack(np.meshgrid(*values, indexing="ij"), -1).reshape(size, len(values)) if values else NOTHING
    good = np.ones(len(tried), np.bool_)
    for constraint in problem.constraints:
        good &= constraint.satisfied(tried, problem)
    found = [tuple(row) for row in tried[good][:most].tolist()]
    return Enumeration(tuple(found), len(found) < most)
