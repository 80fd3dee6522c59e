"""Constraints and objective of a finding as JSON, and back: arrays are written as {"int64": [numbers]}."""

from typing import Any

import numpy as np

from puzzles.constraints import kinds
from puzzles.objectives import objective_from_data
from puzzles.problem import Objective, Problem
from puzzles.problem.values import IntegerRange, Integers, Values

ARRAYS = ("uint8", "int32", "int64")


def constraints_to_json(problem: Problem) -> list[dict[str, Any]]:
    """Return the constraints of a problem as JSON-compatible data."""
    return [{"kind": c.kind} | {key: part_to_json(part) for key, part in c.data().items()} for c in problem.constraints]


def objective_to_json(objective: Objective) -> dict[str, Any]:
    """Return an objective as JSON-compatible data."""
    return {"kind": objective.kind} | {key: part_to_json(part) for key, part in objective.data().items()}


def part_to_json(part: Any) -> Any:
    """Return a part with arrays as lists of their type."""
    return {part.dtype.name: part.tolist()} if isinstance(part, np.ndarray) else part


def part_from_json(part: Any) -> Any:
    """Return the part that `part_to_json` converted."""
    if isinstance(part, dict):
        ((name, numbers),) = part.items()
        if name not in ARRAYS:
            raise ValueError(f"an array of type {name!r}")
        return np.array(numbers, name)
    return part


def parse_problem(
    name: str, variables: tuple[str, ...], values: Values, constraints: Any, objective: Any = None
) -> Problem:
    """Build a problem from the entries of a finding. Raises KeyError, TypeError or ValueError."""
    built = []
    for data in constraints:
        kind = kinds()[data.pop("kind")]
        built.append(kind.from_data({key: part_from_json(part) for key, part in data.items()}))
    parts = {} if objective is None else {key: part_from_json(part) for key, part in objective.items() if key != "kind"}
    goal = None if objective is None else objective_from_data(parts | {"kind": objective["kind"]})
    numbers = values if isinstance(values, IntegerRange) else Integers(map(int, values))
    problem = Problem(name, variables, numbers, tuple(built), objective=goal)
    for constraint in built:
        constraint.check(problem)
    if goal is not None:
        goal.check(problem)
    return problem
