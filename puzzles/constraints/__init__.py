"""Kinds of constraint, one file per kind, whose KIND is its class; adding a file adds the kind.

Whatever treats kinds differently has a function for each, and one table of them, made by `by_kind`.
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
    """Return functions by the name of the kind of constraint that each takes or makes, which its types tell."""
    return {kind_of(function).kind: function for function in functions}


def kind_of(function: Callable[..., Any]) -> Kind:
    """Return the class of constraints among the types of a function's parameters and result."""
    found: list[Kind] = [kind for kind in function.__annotations__.values() if hasattr(kind, "from_data")]
    (kind,) = found
    return kind
