"""Kinds of constraint, one file per kind, whose KIND is its class; adding a file adds the kind.

Code that treats kinds differently has a function for each kind, which `by_kind` finds by its types.
"""

from collections.abc import Callable, Mapping
from functools import cache
from itertools import pairwise
from operator import itemgetter
from types import FunctionType
from typing import Any

from puzzles.kinds import Kind, kinds_in
from puzzles.problem import Constraint


@cache
def kinds() -> dict[str, Kind[Constraint]]:
    """Return every kind of constraint, by name."""
    return kinds_in(__name__, __path__)


def by_kind(*modules: Mapping[str, Any]) -> dict[str, Callable[..., Any]]:
    """Return the functions that modules define for one kind of constraint or of objective each, by name of the kind.

    The kind is the one among the types of a function's parameters and result. A module is given by its names: `vars` of
    another one, `globals()` of one that makes the table below its functions.
    """
    own = [f for names in modules for f in names.values() if getattr(f, "__module__", "") == names["__name__"]]
    found = [(kind.kind, f) for f in own if isinstance(f, FunctionType) for kind in kinds_of(f)]
    found.sort(key=itemgetter(0))
    for (kind, first), (other, second) in pairwise(found):
        at = f"{second.__code__.co_filename}:{second.__code__.co_firstlineno}"
        assert kind != other, f"{at}: {first.__name__} and {second.__name__} both have the kind {kind} in their types"
    return dict(found)


def kinds_of(function: FunctionType) -> list[Any]:
    """Return the classes of constraints and objectives among the types of a function's parameters and result."""
    return [kind for kind in function.__annotations__.values() if isinstance(kind, type) and hasattr(kind, "from_data")]
