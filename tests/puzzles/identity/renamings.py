"""Random renamings of problems: of variables, with the order of rows and of terms whose order means nothing."""

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

from puzzles.constraints import moving
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.linear import Linear
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import Constraint, Instance, Objective, Problem


def renamed(instance: Instance[Problem], random: Random) -> Instance[Problem]:
    """Return an instance under a random renaming."""
    problem, count = instance.problem, len(instance.domains)
    at = random.sample(range(count), count)
    domains = [0] * count
    for x, domain in enumerate(instance.domains):
        domains[at[x]] = domain
    constraints = [shuffled(moving.renumbered(c, at.__getitem__), random) for c in problem.constraints]
    goal = problem.objective and moved(problem.objective, at, random)
    made = Problem(
        problem.name,
        problem.variables,
        problem.values,
        tuple(random.sample(constraints, len(constraints))),
        objective=goal,
    )
    return Instance("renamed", made, tuple(domains))


def shuffled(constraint: Constraint, random: Random) -> Constraint:
    """Return a constraint with its rows in another order, and the terms of clauses and sums too."""
    rows = list(moving.rows_of(constraint))
    random.shuffle(rows)
    if isinstance(constraint, Clauses):
        rows = [random.sample(row, len(row)) for row in rows]
    if isinstance(constraint, Linear):
        rows = [(*terms(row[:2], random), *row[2:]) for row in rows]
    return moving.with_rows(constraint, rows)


def terms(row: Any, random: Random) -> Any:
    """Return coefficients and variables in another order."""
    pairs = list(zip(*row, strict=True))
    random.shuffle(pairs)
    return tuple(map(list, zip(*pairs, strict=True))) or ([], [])


def moved(goal: Objective, at: list[int], random: Random) -> Objective:
    """Return an objective on the new variables."""
    if isinstance(goal, SoftClauses):
        rows = [(w, moving.move(Clauses, row, at.__getitem__)) for w, row in goal.rows]
        return SoftClauses.of(random.sample(rows, len(rows)))
    if isinstance(goal, ExpressionObjective):
        return replace(goal, tree=moving.substituted(goal.tree, lambda x: ("var", at[x])))
    assert isinstance(goal, LinearObjective)
    return replace(goal, variables=np.array(at, np.int32)[goal.variables])
