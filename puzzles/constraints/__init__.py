"""Kinds of constraint, one file per kind, whose KIND is its class; adding a file adds the kind.

Code that treats kinds differently has a function for each kind, in one table made by `by_kind`.
"""

import importlib
import pkgutil
from collections.abc import Callable
from functools import cache
from typing import Any, Protocol, TypeVar

from puzzles.problem import Constraint

R = TypeVar("R")


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


def by_kind(*functions: Callable[..., R]) -> dict[str, Callable[..., R]]:
    """Return functions by name of a kind of constraint: the kind that occurs in the types of the function."""
    return {kind_of(function).kind: function for function in functions}


def kind_of(function: Callable[..., Any]) -> Kind:
    """Return the class of constraints among the types of a function's parameters and result."""
    found: list[Kind] = [kind for kind in function.__annotations__.values() if hasattr(kind, "from_data")]
    (kind,) = found
    return kind
