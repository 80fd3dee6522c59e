"""Families of boards with sums or comparisons, one file per family, which defines FAMILY; adding a file adds it.

A board is stated on one line that begins with the family's name: `killer 2x2 aabbccdd... a=5 b=5 ...`. Unlike a layout,
it is a problem of its own, whose squares hold numbers.
"""

import importlib
import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from puzzles.boards.board import Board
from puzzles.problem.values import Domains


@dataclass(frozen=True)
class BoardFamily:
    """A family of boards: its name, its notation, and the function that reads the words after the name.

    read  words -> the board, and the domains that its givens leave; raises ParseError
    """

    name: str
    usage: str
    read: Callable[[Sequence[str]], tuple[Board, Domains]]


@cache
def names() -> frozenset[str]:
    """Return the names of all families; none is imported."""
    return frozenset(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))


@cache
def family(name: str) -> BoardFamily:
    """Return the family of that name."""
    found: BoardFamily = importlib.import_module(f"{__name__}.{name}").FAMILY
    return found
