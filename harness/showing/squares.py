"""Single squares of a board as text: units and peers of one, and the tagged ones."""

from collections.abc import Mapping, Sequence
from textwrap import fill

from harness.model.errors import BadUsage
from harness.reporting.printable import printable
from harness.reporting.tables import plural
from harness.showing.axes import drawn
from harness.showing.pencil import candidates_text, given_texts, unit_name
from puzzles.boards.layout import Puzzle

WIDTH = 80


def square_text(puzzle: Puzzle, name: str) -> str:
    """Return the units and the peers of a square, each on lines of its own. Raises BadUsage without such a square."""
    layout = puzzle.problem
    names = layout.squares
    if name.upper() not in names and name not in names:
        raise BadUsage(f"{puzzle.name}: no square {printable(name)!r}: they are {names[0]} to {names[-1]}")
    s = names.index(name if name in names else name.upper())
    units = [(unit_name(layout, u), unit) for u, unit in enumerate(layout.units) if s in unit]
    peers = sorted({p for _, unit in units for p in unit} - {s})
    named = [*units, ("peers", peers)]
    wide = max(len(title) for title, _ in named)
    head = f"{names[s]} of {printable(puzzle.name)}: {plural(len(units), 'unit')}, {plural(len(peers), 'peer')}"
    return "\n".join([head, *(listed(f"  {title:<{wide}}  ", [names[p] for p in unit]) for title, unit in named)])


def listed(title: str, names: Sequence[str]) -> str:
    """Return a title and names after it, on lines of WIDTH."""
    return fill(" ".join(names), WIDTH, initial_indent=title, subsequent_indent=" " * len(title))


def tagged_text(puzzle: Puzzle, tags: Mapping[int, str], board: Sequence[int] | None) -> str:
    """Return a board with its tags, and a line for each tagged square, with its candidates if `board` is given."""
    layout = puzzle.problem
    lines = [f"{letter}  {layout.squares[s]}" for s, letter in tags.items()]
    if board is not None:
        lines = [f"{line}  {candidates_text(layout, board[s])}" for line, s in zip(lines, tags, strict=True)]
    return "\n".join([drawn(layout, [tags.get(s, text) for s, text in enumerate(given_texts(puzzle))]), "", *lines])
