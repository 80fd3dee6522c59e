"""Truth about any problem: its solutions, by exhaustive search that shares no code with a backend or an encoding.

Boards and formulas of clauses have searches of their own. For other problems every assignment is checked, if there are
few enough, by the judge's check of the constraints. With an objective, the truth is one solution of the best value.
"""

from harness.fuzzing.clausal import clauses_of_problem, enumerate_models
from harness.fuzzing.counting import Enumeration, count
from harness.judging.exhaustive import right_assignments
from puzzles.boards.layout import Layout
from puzzles.problem import Problem
from puzzles.problem.values import Domains

MODEL_NODES = 20  # placements on a board cost about as much as one node of the search for models


def solutions_of(problem: Problem, domains: Domains, most: int, nodes: int) -> Enumeration:
    """Find up to `most` solutions within a number of nodes, which are placements or assignments; or the best one.

    No assignment is tried if there are more than `nodes`, or more than fit into memory.
    """
    if problem.objective is None and isinstance(problem, Layout):
        return count(problem, domains, most, nodes)
    if problem.objective is None and (clauses := clauses_of_problem(problem)) is not None:
        return enumerate_models(clauses, domains, most, nodes // MODEL_NODES)
    right = right_assignments(problem, domains, nodes)
    if right is None:
        return Enumeration((), False)
    if problem.objective is None:
        found = [tuple(row) for row in right[:most].tolist()]
        return Enumeration(tuple(found), len(found) < most)
    values = problem.objective.values(right, problem).tolist()
    best = [tuple(right[values.index(min(values))].tolist())] if values else []
    return Enumeration(tuple(best), True)
