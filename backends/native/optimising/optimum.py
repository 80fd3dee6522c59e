"""The solver, and what is known of the optimum, as the algorithms see them. Literals are those of DIMACS."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from backends.native.optimising.events import Event, Improved, untold
from backends.shared.incumbent import Incumbent


class ClauseSolver(Protocol):
    """A solver of clauses that keeps what it learns from one search to the next.

    core       assumptions of the last search that can't all hold, if it failed; empty if the clauses have no model
    conflicts  of all searches together
    late       True after the deadline
    """

    core: list[int]

    @property
    def conflicts(self) -> int: ...

    @property
    def late(self) -> bool: ...

    def solve(self, assumptions: Sequence[int] = ..., until: int = ...) -> bool | None:
        """Search for a model in which assumptions hold. None at the deadline, or after `until` conflicts."""

    def model(self) -> list[int]:
        """Return the literals that are true in the last model."""

    def add(self, clauses: Sequence[int]) -> None:
        """Add clauses, each ended by 0."""

    def new(self) -> int:
        """Return a new variable."""

    def prefer(self, literals: Sequence[int]) -> None:
        """Make searches try these literals first as true."""


@dataclass
class Optimum:
    """Parts that algorithms share: the solver, and the best solution and the bound so far, both in `incumbent`.

    show   offers a model as a solution
    limit  lets the solver find no model whose value is this or greater, or any with None; False if it can't
    best   model of the incumbent
    tell   takes the events of the search
    """

    solver: ClauseSolver
    incumbent: Incumbent
    show: Callable[[list[int]], None]
    limit: Callable[[int | None], bool]
    best: list[int] = field(default_factory=list)
    tell: Callable[[Event], None] = untold

    def found(self) -> None:
        """Take the model of the last search."""
        before, model = self.incumbent.value, self.solver.model()
        self.show(model)
        value = self.incumbent.value
        if value is not None and value != before:
            self.best = model
            self.tell(Improved(value))

    def bounded(self, lower: int) -> bool:
        """Report that no model that the solver can still find has a lower value. True if none is better.

        The solver may exclude models that are no better than the incumbent, so a bound goes up to its value at most.
        """
        upper = self.incumbent.value
        self.incumbent.raise_bound(lower if upper is None else min(lower, upper))
        return upper is not None and lower >= upper
