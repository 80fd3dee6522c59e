"""One board in Python: `harness.candidates`, `harness.steps` (docs/reference/python.md)."""

from collections.abc import Iterator
from typing import Unpack

from backends.contract.answer import Ask
from backends.native.budget import Budget
from harness.commands.given import require_board
from harness.commands.show import propagate
from harness.interface.answers import Candidates
from harness.interface.display import TableText
from harness.interface.drawn_board import pre
from harness.interface.errors import as_bad_usage
from harness.interface.reading import Stated, arguments, instance_of
from harness.interface.settings import Reading
from harness.model.errors import BadUsage
from harness.showing import tracing
from harness.showing.narrator import Narrator
from harness.showing.pencil import equal_givens
from puzzles.boards.layout import Layout
from puzzles.problem import Instance

WIDTH = 80


def board(board: Stated, **settings: Unpack[Reading]) -> Candidates:
    """Return a board as it is given: the candidates, units and peers of its squares. Raises BadUsage."""
    with as_bad_usage():
        puzzle = require_board(instance_of(board, arguments(board, settings)).instance, "board")
        return Candidates(puzzle.problem, puzzle.domains, equal_givens(puzzle) is not None, puzzle)


def candidates(board: Stated, **settings: Unpack[Reading]) -> Candidates:
    """Return the candidates that naked and hidden singles leave, as `show --candidates` draws them. Raises BadUsage."""
    with as_bad_usage():
        puzzle = require_board(instance_of(board, arguments(board, settings)).instance, "candidates")
        domains, sound = propagate(puzzle)
        return Candidates(puzzle.problem, domains, not sound, puzzle)


def steps(
    board: Stated, backend: str = "native:norvig", brief: bool = False, **settings: Unpack[Reading]
) -> Iterator[TableText]:
    """Yield the steps of a native solver's search one by one, as `trace` prints them; each is drawn.

    `backend` is native:norvig, native:splitting, native:subsets or native:backtracking. The search goes no further
    than the step that was asked for. Raises BadUsage.
    """
    with as_bad_usage():
        if backend not in tracing.TRACES:
            raise BadUsage(f"{backend} has no steps: choose from {', '.join(tracing.TRACES)}")
        puzzle = require_board(instance_of(board, arguments(board, settings)).instance, "steps")
    return told(puzzle, backend, brief)


def told(puzzle: Instance[Layout], backend: str, brief: bool) -> Iterator[TableText]:
    """Yield the narrator's text on each event, up to the first solution."""
    lines: list[str] = []
    budget = Budget(Ask(puzzle.domains, 1, float("inf")))
    narrator = Narrator(puzzle, {}, WIDTH, colour=False, brief=brief, write=lines.append)
    found = 0
    for event in tracing.events(puzzle, backend, budget):
        yield from taken(lines)
        narrator.show(event)
        found = int(tracing.is_solution(event) and not budget.stuck)
        if found:
            break
    yield from taken(lines)
    narrator.close(budget, found)
    yield from taken(lines)


def taken(lines: list[str]) -> Iterator[TableText]:
    """Yield the lines as one text, if there are any, and remove them."""
    if lines:
        text = "\n".join(line.rstrip() for line in "\n".join(lines).split("\n")).strip("\n")
        lines.clear()
        yield TableText(text, pre(text))
