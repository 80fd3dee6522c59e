"""Several solutions from a solver that gives one model at a time: each is forbidden by a clause before the next."""

from time import perf_counter_ns as now
from typing import NamedTuple, Protocol

from backends.answer import Answer, Ask, Phases, Reason, Status
from backends.literal_map import LiteralMap
from puzzles.layout import Solution


class ModelSource(Protocol):
    """The clauses of one ask, in a solver."""

    def solve(self) -> bool | None:
        """Look for a model: True where there is one, False where there is none, None where time is up."""

    def model(self) -> list[int]:
        """The literals that are true in the model just found."""

    def forbid(self, clause: list[int]) -> None:
        """Add a clause."""


class Enumerated(NamedTuple):
    """Distinct solutions, the solver's last word, and nanoseconds by phase."""

    solutions: tuple[Solution, ...]
    found: bool | None
    phases: Phases

    @property
    def complete(self) -> bool:
        """Whether there are no others."""
        return self.found is False

    def answer(self, counters: dict[str, int], proof: bytes | None = None) -> Answer:
        """The answer that follows."""
        without = Status.UNSATISFIABLE if self.complete else Status.UNKNOWN
        status = Status.SATISFIABLE if self.solutions else without
        reason = Reason.TIMEOUT if self.found is None else Reason.NONE
        return Answer(status, self.solutions, self.complete, reason, counters, self.phases, proof)


def enumerate_solutions(source: ModelSource, literals: LiteralMap, ask: Ask, load: int) -> Enumerated:
    """Up to `ask.count` solutions. `load` is what loading took so far, in ns; forbidding counts as loading too."""
    solve = decode = 0
    solutions: list[Solution] = []
    while True:
        begin = now()
        found = source.solve()
        solved = now()
        solve += solved - begin
        if not found:
            break
        solutions.append(literals.decode(source.model(), ask.domains))
        decoded = now()
        decode += decoded - solved
        if len(solutions) == ask.count:
            break
        forbidden = literals.forbid(solutions[-1])
        if not forbidden:
            found = False  # the one solution of a board without squares
            break
        source.forbid(forbidden)
        load += now() - decoded
    return Enumerated(tuple(solutions), found, Phases(0, load, solve, decode))
