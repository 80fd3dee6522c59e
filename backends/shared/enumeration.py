"""Enumeration of solutions, one model at a time: a clause forbids each before the next is searched.

With an objective, each model is improved on instead: clauses that only better ones satisfy, until there is none.
"""

from collections.abc import Callable
from time import perf_counter_ns as now
from typing import NamedTuple, Protocol

from backends.contract.answer import Answer, Ask, Phases, Reason, Status
from puzzles.problem.values import Domains, Solution


class ModelSource(Protocol):
    """A solver loaded with the clauses of one ask."""

    def solve(self) -> bool | None:
        """Search for a model: True if one is found, False if none exists, None on a timeout."""

    def model(self) -> list[int]:
        """Return the literals that are true in the last model."""

    def forbid(self, clause: list[int]) -> None:
        """Add a clause."""


class Decoder(Protocol):
    """Conversion between models and solutions."""

    def decode(self, model: list[int], domains: Domains) -> Solution:
        """Return the value of each variable; an invalid one where the model has none."""

    def forbid(self, solution: Solution) -> list[int]:
        """Return the clause that `ModelSource.forbid` takes to exclude a solution; empty if there are no variables."""


class Values:
    """Decoder for solvers whose models are the values of all variables."""

    def decode(self, model: list[int], domains: Domains) -> Solution:
        return tuple(model)

    def forbid(self, solution: Solution) -> list[int]:
        return list(solution)


class Enumerated(NamedTuple):
    """Distinct solutions, the result of the last solve, and nanoseconds by phase."""

    solutions: tuple[Solution, ...]
    found: bool | None
    phases: Phases

    @property
    def complete(self) -> bool:
        """True if no other solutions exist."""
        return self.found is False

    def answer(self, counters: dict[str, int], proof: bytes | None = None) -> Answer:
        """Return the enumeration as an Answer."""
        without = Status.UNSATISFIABLE if self.complete else Status.UNKNOWN
        status = Status.SATISFIABLE if self.solutions else without
        reason = Reason.TIMEOUT if self.found is None else Reason.NONE
        return Answer(status, self.solutions, self.complete, reason, counters, self.phases, proof)


def enumerate_solutions(source: ModelSource, decoder: Decoder, ask: Ask, load: int) -> Enumerated:
    """Return up to `ask.count` solutions. `load` is the loading time so far in ns; forbidding adds to it."""
    solve = decode = 0
    solutions: list[Solution] = []
    pauses = ask.pauses
    while True:
        begin, paused = now(), pauses.total
        found = source.solve()
        solved = now()
        solve += solved - begin - (pauses.total - paused)
        if not found:
            break
        with pauses.pause("interpret"):
            solutions.append(decoder.decode(source.model(), ask.domains))
        decoded = solved if pauses.counted else now()
        decode += decoded - solved
        if len(solutions) == ask.count:
            break
        with pauses.pause("prepare"):
            forbidden = decoder.forbid(solutions[-1])
            if not forbidden:
                found = False  # a board without squares has one solution
                break
            source.forbid(forbidden)
        load += 0 if pauses.counted else now() - decoded
    return Enumerated(tuple(solutions), found, Phases(0, load, solve, decode))


class ImprovableSource(ModelSource, Protocol):
    """A source for which the value of a model can be bounded."""

    def improve(self, value: int) -> None:
        """Add clauses that exactly the models with a value below this one satisfy."""


def improve_solutions(source: ImprovableSource, show: Callable[[list[int]], int]) -> bool | None:
    """Search for ever better models, which `show` takes and values. True if the last is the best, None on a timeout."""
    while found := source.solve():
        source.improve(show(source.model()))
    return None if found is None else True
