"""`show`: one puzzle, drawn."""

import argparse
from typing import TYPE_CHECKING

from harness.commands import arguments as shared

if TYPE_CHECKING:
    from puzzles.layout import Puzzle

HELP = "draw a puzzle, or with --candidates what every square may still be"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("puzzle", help="a puzzle in one line, a file, the name of a corpus, or FILE:LINE")
    parser.add_argument(
        "-n", "--number", type=shared.positive, default=1, metavar="K", help="which of a file's puzzles (1)"
    )
    parser.add_argument(
        "--candidates", action="store_true", help="propagate singles first, and draw every square's candidates"
    )
    shared.reading(parser)


def run(args: argparse.Namespace) -> int:
    from harness.model.reading import one
    from harness.showing.pencil import text
    from puzzles.families import draw
    from puzzles.formats import ReaderOptions

    puzzle = one(args.puzzle, ReaderOptions(args.as_, args.alphabet), args.number)
    board, sound = list(puzzle.domains), True
    if args.candidates:
        board, sound = propagated(puzzle)
    full, twice = puzzle.problem.full, equal_givens(puzzle)
    print(draw(puzzle.problem, ["." if d == full and not args.candidates else text(puzzle.problem, d) for d in board]))
    if twice:
        print(f"\nIt has no solution: {twice}.")
    elif not sound:
        print("\nIt has no solution: propagation ends in a contradiction, and this is how far it came.")
    return 0


def equal_givens(puzzle: "Puzzle") -> str | None:
    """The first unit that holds a given twice, in words."""
    from harness.showing.pencil import unit_name

    board = puzzle.problem
    for u, unit in enumerate(board.units):
        at: dict[int, int] = {}
        for s in unit:
            given = puzzle.domains[s]
            if given.bit_count() == 1 and (first := at.setdefault(given, s)) != s:
                value = board.values[given.bit_length() - 1]
                return f"{unit_name(board, u)} has {value} twice, in {board.squares[first]} and {board.squares[s]}"
    return None


def propagated(puzzle: "Puzzle") -> tuple[list[int], bool]:
    """The domains after naked and hidden singles, as native:python propagates; False where that breaks."""
    from backends.answer import Ask
    from backends.native import python
    from backends.native.board import board
    from backends.native.budget import Budget
    from encoders.direct import alldifferent

    domains = list(puzzle.domains)
    known = [s for s, d in enumerate(domains) if d.bit_count() == 1]
    table = board(alldifferent(puzzle.problem))
    touched = set(range(len(table.units)))
    sound = all(domains) and python.propagate(table, domains, known, touched, Budget(Ask(puzzle.domains)))
    return domains, sound
