"""Kinds of objective, one file per kind, whose KIND is its class; adding a file adds the kind.

Every objective is minimised. Where a source maximises, its reader negates the objective, and `stated` negates a value
back for people.
"""

from fractions import Fraction
from functools import cache
from typing import Any

from puzzles.kinds import Kind, kinds_in
from puzzles.problem import Objective


@cache
def kinds() -> dict[str, Kind[Objective]]:
    """Return every kind of objective, by name."""
    return kinds_in(__name__, __path__)


def objective_from_data(data: dict[str, Any]) -> Objective:
    """Return the objective of a problem's content. Raises KeyError, TypeError or ValueError for other data."""
    return kinds()[data["kind"]].from_data({key: part for key, part in data.items() if key != "kind"})


def stated(objective: Objective, value: int) -> int:
    """Return a value with the sign that the source gives it: negated where it maximises; a sum of weights exactly."""
    scale = getattr(objective, "scale", 1)
    if scale != 1:
        found = Fraction(-value, scale)
        return found.numerator if found.denominator == 1 else found  # type: ignore[return-value]
    return -value if objective.maximise else value
