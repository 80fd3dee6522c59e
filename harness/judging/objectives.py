"""Outcomes of instances with an objective for the judge: values that it evaluates, and stated values."""

import numpy as np

from harness.model.outcome import Outcomes
from harness.model.quality import Optimised, Quality, Stated
from harness.model.trajectory import NOTHING, StepKind, Trajectory
from puzzles.imported import is_imported
from puzzles.objectives.models import ModelCount
from puzzles.objectives.queries import QueryScript
from puzzles.problem.arrays import Int32Array


def optimised(outcomes: Outcomes, valid: Int32Array) -> Optimised | None:
    """Evaluate the solutions of outcomes, whose numbers of valid ones are known; None without an objective.

    Imported values, and numbers of models, are as they are stated.
    """
    problem, rows = outcomes.batch.problem, outcomes.rows
    if problem.objective is None:
        return None
    found = rows["found"]
    first = (np.cumsum(found) - found)[valid > 0]
    values: list[int | None] = [None] * len(rows)
    evaluated = problem.objective.values(outcomes.solutions[first], problem).tolist()
    for i, value in zip(np.flatnonzero(valid > 0).tolist(), evaluated, strict=True):
        values[i] = value
    trajectories = [outcomes.trajectories.get(i, NOTHING) for i in range(len(rows))]
    if is_imported(problem) or problem.objective.kind == ModelCount.kind:
        values = [trajectory.stated for trajectory in trajectories]
    false = [
        is_false(value, bool(complete), trajectory)
        for value, complete, trajectory in zip(values, rows["complete"].tolist(), trajectories, strict=True)
    ]
    goal, at = problem.objective, 0
    if isinstance(goal, QueryScript):
        for i in np.flatnonzero(found).tolist():
            false[i] |= bool(goal.judged(outcomes.solutions[at]).fault)
            at += int(found[i])
    bounds = Stated.of_values([trajectory.bound for trajectory in trajectories])
    return Optimised(np.ones(len(rows), np.bool_), Quality.of_values(values), bounds, np.array(false, np.bool_))


def is_false(value: int | None, complete: bool, trajectory: Trajectory) -> bool:
    """Return True if a trajectory or an answer states another value than that of its solution."""
    if trajectory.faults or (value is not None and trajectory.stated not in (None, value)):
        return True
    if not complete:
        return False
    best = min((step.value for step in trajectory.of(StepKind.IMPROVED) if step.value is not None), default=None)
    return best is not None and (value is None or best < value)
