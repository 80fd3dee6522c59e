"""The board: squares, the values they may take, and the units whose squares must all differ.

    s  a square, as an index into Layout.squares
    v  a value, as an index into Layout.values
    u  a unit, a tuple of squares that must take different values
    d  a domain, a mask: bit v is set where the square may take value v; a given has one bit

Backends and encoders see these indices alone. Names of squares and symbols of values are for people.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

Domains = tuple[int, ...]
Solution = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Layout:
    """A board without givens. `name` says the family and its parameters, as `--as` takes them: 'sudoku 3x3'.

    Equality is identity, since readers share one layout among all puzzles of its kind; compare `key` for content.
    """

    name: str
    squares: tuple[str, ...]
    values: tuple[str, ...]
    units: tuple[tuple[int, ...], ...]

    @cached_property
    def key(self) -> tuple[object, ...]:
        """What makes two layouts the same to a solver, and to a reader: everything but the unit order's identity."""
        return (self.name, self.squares, self.values, self.units)

    @cached_property
    def full(self) -> int:
        """The mask with every value: the domain of a square of which nothing is known."""
        return (1 << len(self.values)) - 1

    @cached_property
    def open(self) -> Domains:
        """The empty board."""
        return (self.full,) * len(self.squares)

    @cached_property
    def units_of(self) -> tuple[tuple[int, ...], ...]:
        """For each square, the indices of the units that hold it."""
        found: list[list[int]] = [[] for _ in self.squares]
        for u, unit in enumerate(self.units):
            for s in unit:
                found[s].append(u)
        return tuple(map(tuple, found))

    @cached_property
    def peers(self) -> tuple[tuple[int, ...], ...]:
        """For each square, the squares that must differ from it, in order."""
        return tuple(
            tuple(sorted({p for u in self.units_of[s] for p in self.units[u]} - {s})) for s in range(len(self.squares))
        )

    def is_permutation(self, unit: tuple[int, ...]) -> bool:
        """Whether every value must appear in `unit`, which is what hidden singles and at-least-one-place rest on."""
        return len(unit) == len(self.values)


@dataclass(frozen=True)
class Puzzle:
    """A layout, what each square may still take, and what is known of its solutions.

    `name` is FILE:LINE for a puzzle read from a corpus. `count` is the number of solutions that the corpus claims,
    a lower bound where `at_least`; `solution` is one that it claims. Claims are checked, never believed.
    """

    name: str
    problem: Layout
    domains: Domains
    count: int | None = None
    at_least: bool = False
    solution: Solution | None = None


def bits(mask: int) -> Iterable[int]:
    """The values in a domain, smallest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
