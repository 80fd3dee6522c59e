"""Events of the searches that can be traced, by the name of the backend."""

from collections.abc import Iterator

from backends.native import backtracking, norvig, splitting, subsets
from backends.native.board import board
from backends.native.budget import Budget
from encoders.direct import alldifferent
from puzzles.boards.layout import Puzzle

TRACES = {
    "native:splitting": splitting.trace,
    "native:norvig": norvig.trace,
    "native:subsets": subsets.trace,
    "native:backtracking": backtracking.trace,
}
TracedEvent = splitting.Event | norvig.Event | subsets.Event | backtracking.Event


def events(puzzle: Puzzle, backend: str, budget: Budget) -> Iterator[TracedEvent]:
    """Yield the events of a backend's search; `backend` is a key of TRACES."""
    yield from TRACES[backend](board(alldifferent(puzzle.problem)), puzzle.domains, budget)


def is_guess(event: TracedEvent) -> bool:
    """Return True where deduction ends and guessing begins."""
    return isinstance(event, splitting.Split | backtracking.Guess)


def is_solution(event: TracedEvent) -> bool:
    """Return True for a solution, or for the end of a search that never guesses, which may be stuck."""
    return isinstance(event, splitting.Solved | subsets.Fixpoint | backtracking.Filled)
