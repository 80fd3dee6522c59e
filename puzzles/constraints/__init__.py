"""Kinds of constraint, one file per kind, whose KIND is its class; adding a file adds the kind.

Code that treats kinds differently has a function for each kind, in one table made by `by_kind`.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from puzzles.kinds import Kind, kinds_in
from puzzles.problem import Constraint

R = TypeVar("R")


@cache
def kinds() -> dict[str, Kind[Constraint]]:
    """Return every kind of constraint, by name."""
    return kinds_in(__name__, __path__)


def by_kind(*functions: Callable[..., R]) -> dict[str, Callable[..., R]]:
    """Return functions by name of a kind of constraint: the kind that occurs in the types of the function."""
    return {kind_of(function).kind: function for function in functions}


def kind_of(function: Callable[..., Any]) -> Kind[Constraint]:
    """Return the class of constraints among the types of a function's parameters and result."""
    found: list[Kind[Constraint]] = [kind for kind in function.__annotations__.values() if hasattr(kind, "from_data")]
    if len(found) != 1:
        code = function.__code__
        at = f"{code.co_filename}:{code.co_firstlineno}: {function.__name__}"
        raise TypeError(f"{at}: state one kind in the types, such as 'constraint: Linear', not {len(found)}")
    return found[0]
