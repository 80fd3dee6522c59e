"""Kinds of constraint, one file per kind, whose KIND is its class; adding a file adds the kind."""

import importlib
import pkgutil
from functools import cache
from typing import Any, Protocol

from puzzles.problem import Constraint


class Kind(Protocol):
    """The class of a constraint."""

    kind: str

    def from_data(self, data: dict[str, Any]) -> Constraint:
        """Return the constraint that `data` describes."""


@cache
def kinds() -> dict[str, Kind]:
    """Return every kind of constraint, by name."""
    modules = [importlib.import_module(f"{__name__}.{m.name}") for m in pkgutil.iter_modules(__path__)]
    return {module.KIND.kind: module.KIND for module in modules if hasattr(module, "KIND")}
