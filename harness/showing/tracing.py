"""Events of the searches that can be traced, by the name of the backend."""

from collections.abc import Callable, Iterator

from backends.native import backtracking, norvig, splitting, subsets
from backends.native.board import LayoutTables, board
from backends.native.budget import Budget
from encoders.direct import alldifferent
from puzzles.boards.layout import Puzzle
from puzzles.problem.values import Domains

TracedEvent = splitting.Event | norvig.Event | subsets.Event | backtracking.Event
TRACES: dict[str, Callable[[LayoutTables, Domains, Budget], Iterator[TracedEvent]]] = {
    "native:splitting": splitting.trace,
    "native:norvig": norvig.trace,
    "native:subsets": subsets.trace,
    "native:backtracking": backtracking.trace,
}


def events(puzzle: Puzzle, backend: str, budget: Budget) -> Iterator[TracedEvent]:
    """Yield the events of a backend's search; `backend` is a key of TRACES."""
    yield from TRACES[backend](board(alldifferent(puzzle.problem)), puzzle.domains, budget)


def is_guess(event: TracedEvent) -> bool:
    """Return True where deduction ends and guessing begins."""
    return isinstance(event, splitting.Split | backtracking.Guess)


def is_solution(event: TracedEvent) -> bool:
    """Return True for a solution, or for the end of a search that never guesses, which may be stuck."""
    return isinstance(event, splitting.Solved | subsets.Fixpoint | backtracking.Filled)
