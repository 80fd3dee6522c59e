"""What goes into a solver. A formula speaks of squares and values by index, never by name.

A formula is of a layout, and serves every puzzle on it; only an encoding marked `per_puzzle` sees the domains.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from puzzles.constraints.clauses import one_by_one

Int32Array = npt.NDArray[np.int32]


class Unsupported(Exception):
    """A problem that an encoding, or a formula that a backend, does not take; the text names what is not taken.

    Expected, and no failure: its instances are reported as unsupported. Any other exception is an error.
    """


@dataclass(frozen=True, eq=False)
class Cnf:
    """Clauses over variables 1..variables.

    clauses  one flat array, each clause ended by 0, as in a DIMACS file
    literal  [square][value] -> the literal that is true iff the value is placed there: every encoding has one for
             each, for givens, decoding, blocking and projection alike
    at_most  (literals, k): at most k of them are true; only for solvers that take cardinality constraints
    """

    clauses: Int32Array
    variables: int
    literal: tuple[tuple[int, ...], ...]
    at_most: tuple[tuple[tuple[int, ...], int], ...] = ()

    def clause_lists(self) -> list[list[int]]:
        """The clauses one by one."""
        return one_by_one(self.clauses)


@dataclass(frozen=True, eq=False)
class AllDifferent:
    """`squares` variables over 0..values-1; the squares of each unit take different values."""

    squares: int
    values: int
    units: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class Booleans:
    """One Boolean for each place, square * values + value, and groups of which one, or at most one, is true."""

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
    """For programs that read puzzles as text: one symbol a value, and the one for an open square."""

    symbols: str
    open: str


Formula = Cnf | AllDifferent | Booleans | Channelled | Text
