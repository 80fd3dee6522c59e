"""Single squares of a board as text: units and peers of one, and the tagged ones."""

from collections.abc import Mapping, Sequence
from textwrap import fill

from harness.model.errors import BadUsage
from harness.reporting.writing.printable import printable
from harness.showing.axes import drawn
from harness.showing.pencil import candidates_text, given_texts, unit_name
from puzzles.boards.layout import Layout, Puzzle
from puzzles.errors import plural

WIDTH = 80
GAP = "     "  # between drawings
MOST_DIGITS = 15


def square_text(puzzle: Puzzle, name: str) -> str:
    """Return the units and the peers of a square, each on lines of its own. Raises BadUsage without such a square."""
    layout = puzzle.problem
    names = layout.squares
    s = square_named(layout, name)
    if s is None:
        raise BadUsage(f"{puzzle.name}: no square {printable(name)!r}: they are {names[0]} to {names[-1]}")
    units = units_of(layout, s)
    peers = sorted({p for _, unit in units for p in unit} - {s})
    named = [*units, ("peers", peers)]
    drawings = unit_drawings(puzzle, s)
    wide = max(len(title) for title, _ in named)
    head = f"{names[s]} of {printable(puzzle.name)}: {plural(len(units), 'unit')}, {plural(len(peers), 'peer')}"
    return "\n".join(
        [head, *drawings, *(listed(f"  {title:<{wide}}  ", [names[p] for p in unit]) for title, unit in named)]
    )


def unit_drawings(puzzle: Puzzle, s: int) -> list[str]:
    """Return the lines of a drawing for each long unit of a square, beside each other, its open squares as its letter.

    The square is `a`, a row's squares are `r`, a column's `c`, a box's `b`, after C. Meyers.
    """
    layout = puzzle.problem
    blocks = []
    for title, unit in units_of(layout, s):
        if len(unit) == len(layout.values):
            marks = dict.fromkeys(unit, title[0]) | {s: "a"}
            texts = [marks.get(p, ".") if text == "." else text for p, text in enumerate(given_texts(puzzle))]
            lines = [title, *drawn(layout, texts).split("\n")]
            blocks.append([line.ljust(max(map(len, lines))) for line in lines])
    across = max(1, (WIDTH + len(GAP)) // (len(blocks[0][0]) + len(GAP))) if blocks else 1
    rows = [blocks[i : i + across] for i in range(0, len(blocks), across)]
    return [line for row in rows for line in ["", *(GAP.join(parts).rstrip() for parts in zip(*row, strict=True)), ""]]


def units_of(layout: Layout, s: int) -> list[tuple[str, tuple[int, ...]]]:
    """Return the units of a square with their names."""
    return [(unit_name(layout, u), unit) for u, unit in enumerate(layout.units) if s in unit]


def square_named(layout: Layout, name: str) -> int | None:
    """Return the square of a name, in capitals or not; None without one."""
    names = layout.squares
    exact = name if name in names else name.upper()
    return names.index(exact) if exact in names else None


def unit_named(puzzle: Puzzle, name: str) -> tuple[int, ...]:
    """Return the unit of a name such as 'row C'. Raises BadUsage without one."""
    names = {unit_name(puzzle.problem, u): unit for u, unit in enumerate(puzzle.problem.units)}
    found = {known.lower(): unit for known, unit in names.items()}.get(" ".join(name.lower().split()))
    if found is None:
        known = ", ".join(list(names)[:: max(1, len(names) // 3)])
        raise BadUsage(f"{puzzle.name}: no unit {printable(name)!r}: they are such as {known}")
    return found


def space_text(size: int) -> str:
    """Return a number of ways to fill a board: exact up to 15 digits, else as a product with a power of ten."""
    digits = str(size)
    short = digits.rstrip("0")
    if len(digits) <= MOST_DIGITS:
        return f"{size:,}"
    exact = len(short) <= MOST_DIGITS
    mantissa = f"{short[0]}.{short[1:MOST_DIGITS] or '0'}"
    return f"{'' if exact else 'about '}{mantissa} x 10^{len(digits) - 1}"


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
