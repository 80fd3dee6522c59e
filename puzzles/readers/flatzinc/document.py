"""A FlatZinc model as its text or its JSON states it, before names are looked up.

value  an integer, a truth value, a float, the name of a variable, parameter or array, a list of values, an IntSet, or a
       String; of an annotation, a FlatCall
entry  a number from which `line_of` finds the line: the line itself in text, the number of an entry in JSON
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from puzzles.errors import ParseError, brief
from puzzles.readers.building import Ranges

Value = Any


class String(str):
    """A string of the model, which is no name."""


class IntSet(NamedTuple):
    """A set of integers."""

    ranges: Ranges


class Declared(NamedTuple):
    """A variable: its type (bool, int, float, set of int), domain, value if it has one, and its entry."""

    name: str
    type: str
    domain: IntSet | None
    value: Value
    entry: int


class FlatCall(NamedTuple):
    """A constraint with its arguments, and its entry."""

    name: str
    arguments: list[Value]
    entry: int


class OutputItem(NamedTuple):
    """A variable or an array to print, the first and last index of each dimension, and the printed name."""

    name: str
    dimensions: tuple[tuple[int, int], ...] = ()
    label: str = ""


class Solve(NamedTuple):
    """The goal: satisfy, minimize or maximize; the value that is optimised, and its entry."""

    method: str
    value: Value
    entry: int


class DeclaredName(NamedTuple):
    """A DeclaredItem of puzzles.problem.declared, with numbers and names of variables as its parts."""

    name: str
    kind: str
    texts: tuple[str, ...]
    parts: tuple[str | int, ...]


@dataclass
class Document:
    """A model: variables, parameters and arrays by name, constraints, outputs, and the goal.

    stated  what the source declares, where it is known     untied  outputs that may take values of no meaning
    """

    variables: list[Declared] = field(default_factory=list)
    named: dict[str, Value] = field(default_factory=dict)
    calls: list[FlatCall] = field(default_factory=list)
    outputs: list[OutputItem] = field(default_factory=list)
    goal: Solve | None = None
    stated: list[DeclaredName] = field(default_factory=list)
    untied: set[str] = field(default_factory=set)
    line_of: Callable[[int], int] = int


def shown(value: Value) -> str:
    """Quote a value for a message."""
    if isinstance(value, IntSet):
        return brief(f"{{{', '.join(f'{a}..{b}' for a, b in value.ranges[:9])}}}")
    if isinstance(value, list):
        return "a list"
    return brief(str(value).lower() if isinstance(value, bool) else str(value))


def expected(what: str, value: Value) -> ParseError:
    """Return the error of a value where another is expected."""
    return ParseError(f"unexpected {shown(value)}: expected {what}")
