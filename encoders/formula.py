"""Formulas, the input of solvers. Squares and values are indices, never names.

A formula encodes a layout and serves every puzzle on it; only encodings marked `per_puzzle` use the domains.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
import numpy.typing as npt

from puzzles.constraints import all_different
from puzzles.constraints.clauses import split_clauses
from puzzles.problem import Constraint, Domains

Int32Array = npt.NDArray[np.int32]


class Unsupported(Exception):
    """An encoding does not accept a problem, or a backend a formula; the text says what is not accepted.

    This is expected, not a failure: the instances are reported as unsupported. Any other exception is an error.
    """


@dataclass(frozen=True, eq=False)
class Cnf:
    """Clauses over variables 1..variables.

    clauses  one flat array, each clause ended by 0, as in a DIMACS file
    literal  [square][value] -> the literal that is true iff the value is placed there; every encoding defines all of
             them, and givens, decoding, blocking and projection use them
    at_most  (literals, k): at most k of them are true; only for solvers that accept cardinality constraints
    """

    clauses: Int32Array
    variables: int
    literal: Sequence[tuple[int, ...]]
    at_most: tuple[tuple[tuple[int, ...], int], ...] = ()

    def clause_lists(self) -> list[list[int]]:
        """Return the clauses as lists, without the 0."""
        return split_clauses(self.clauses)


@dataclass(frozen=True, eq=False)
class AllDifferent:
    """`squares` variables over 0..values-1; the squares of each unit take different values."""

    squares: int
    values: int
    units: tuple[tuple[int, ...], ...]

    def as_constraints(self) -> "Constraints":
        """Return the same as constraints on the numbers 0 to values - 1."""
        return Constraints(self.squares, range(self.values), (all_different.AllDifferent(self.units),))


@dataclass(frozen=True, eq=False)
class Booleans:
    """One Boolean per place, square * values + value, and groups with exactly or at most one true."""

    squares: int
    values: int
    exactly_one: tuple[tuple[int, ...], ...]
    at_most_one: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class Channelled:
    """Integers and Booleans of the same squares: a place is true iff its square takes its value."""

    integers: AllDifferent
    booleans: Booleans


@dataclass(frozen=True, eq=False)
class Text:
    """Symbols for programs that read puzzles as text: one per value, and one for an open square; name of the layout."""

    symbols: str
    open: str
    layout: str


@dataclass(frozen=True, eq=False)
class Constraints:
    """`variables` integers over `numbers`, and constraints of several kinds, unchanged, on indices of variables.

    `domains` are those of the only instance, as masks of `numbers`, if the formula is made for it.
    `names` are those of the variables, for answers to the file that an instance came as.
    """

    variables: int
    numbers: Sequence[int]
    constraints: tuple[Constraint, ...]
    domains: Domains | None = None
    names: Sequence[str] = ()

    def kinds(self) -> tuple[str, ...]:
        """Return the names of the kinds of constraint, in order."""
        return tuple(dict.fromkeys(c.kind for c in self.constraints))


Formula = Cnf | AllDifferent | Booleans | Channelled | Constraints | Text
KINDS: dict[str, type] = {kind.__name__: kind for kind in get_args(Formula)}
