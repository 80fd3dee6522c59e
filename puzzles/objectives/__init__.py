"""Kinds of objective, one file per kind, whose KIND is its class; adding a file adds the kind.

Every objective is minimised. Where a source maximises, its reader negates the objective, and `stated` negates a value
back for people.
"""

import importlib
import pkgutil
from functools import cache
from typing import Any, Protocol

from puzzles.problem import Objective


class Kind(Protocol):
    """The class of an objective."""

    kind: str

    def from_data(self, data: dict[str, Any]) -> Objective:
        """Return the objective that `data` describes."""


@cache
def kinds() -> dict[str, Kind]:
    """Return every kind of objective, by name."""
    modules = [importlib.import_module(f"{__name__}.{m.name}") for m in pkgutil.iter_modules(__path__)]
    return {module.KIND.kind: module.KIND for module in modules if hasattr(module, "KIND")}


def objective_from_data(data: dict[str, Any]) -> Objective:
    """Return the objective of a problem's content. Raises KeyError, TypeError or ValueError for other data."""
    return kinds()[data["kind"]].from_data({key: part for key, part in data.items() if key != "kind"})


def stated(objective: Objective, value: int) -> int:
    """Return a value with the sign that the source gives it: negated where it maximises."""
    return -value if objective.maximise else value
