"""Board layouts: squares, the values they may take, and units whose squares must all differ.

s  a square, as an index into Layout.squares: a variable of the problem
u  a unit, a tuple of squares that must take different values
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from puzzles.constraints.all_different import AllDifferent
from puzzles.problem import Instance, Problem
from puzzles.problem.content import digest_of
from puzzles.problem.values import Domains as Domains
from puzzles.problem.values import Solution as Solution
from puzzles.problem.values import bits as bits


@dataclass(frozen=True, eq=False)
class Layout(Problem):
    """A board without givens: Layout(name, squares, values, units), the problem that many puzzles share.

    `name` is the family and its parameters, as for `--as`: 'sudoku 3x3'.
    """

    variables: tuple[str, ...]
    values: tuple[str, ...]
    constraints: tuple[AllDifferent] = field(init=False, repr=False)
    objective: None = field(init=False, repr=False, default=None)  # a layout is shared by puzzles, which have none
    units: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "constraints", (AllDifferent(self.units),))

    @property
    def shared(self) -> bool:
        return True

    @property
    def squares(self) -> tuple[str, ...]:
        return self.variables

    @property
    def key(self) -> tuple[object, ...]:
        """Name and content, for comparison; the order of units, and within units, matters."""
        return (self.name, self.variables, self.values, self.units)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        """Return the layout that `data` describes, name included."""
        return cls(data["name"], tuple(data["squares"]), tuple(data["values"]), tuple(map(tuple, data["units"])))

    def content(self) -> dict[str, Any]:
        return {"squares": self.variables, "values": self.values, "units": self.units}

    @cached_property
    def digest(self) -> str:
        """Digest of squares, values and units: the identity of boards in golden files and journals."""
        return digest_of(self.key[1:])

    @cached_property
    def units_of(self) -> tuple[tuple[int, ...], ...]:
        """Indices of the units that contain each square."""
        found: list[list[int]] = [[] for _ in self.squares]
        for u, unit in enumerate(self.units):
            for s in unit:
                found[s].append(u)
        return tuple(map(tuple, found))

    @cached_property
    def peers(self) -> tuple[tuple[int, ...], ...]:
        """Squares that must differ from each square, in order."""
        return tuple(
            tuple(sorted({p for u in self.units_of[s] for p in self.units[u]} - {s})) for s in range(len(self.squares))
        )

    def is_permutation(self, unit: tuple[int, ...]) -> bool:
        """Return True if every value must appear in `unit`.

        Hidden singles and "value >= 1" clauses are sound only in such units.
        """
        return len(unit) == len(self.values)


if TYPE_CHECKING:
    Puzzle = Instance[Layout]
else:
    Puzzle = Instance  # the alias is twice as slow to call, and corpora have millions
