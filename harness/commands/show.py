"""`show`: one puzzle, drawn."""

import argparse
from typing import TYPE_CHECKING

from harness import arguments as shared

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
    from harness.pencil import text
    from harness.reading import one
    from puzzles.families import draw
    from puzzles.formats import Options

    puzzle = one(args.puzzle, Options(args.as_, args.alphabet), args.number)
    board, sound = list(puzzle.domains), True
    if args.candidates:
        board, sound = propagated(puzzle)
    full = puzzle.layout.full
    print(draw(puzzle.layout, ["." if d == full and not args.candidates else text(puzzle.layout, d) for d in board]))
    if not sound:
        print("\nIt has no solution: propagation ends in a contradiction, and this is how far it came.")
    return 0


def propagated(puzzle: "Puzzle") -> tuple[list[int], bool]:
    """The domains after naked and hidden singles, as native:python propagates; False where that breaks."""
    from backends.answer import Ask
    from backends.native import python
    from backends.native.board import board
    from backends.native.tally import Tally
    from encoders.direct import alldifferent

    domains = list(puzzle.domains)
    known = [s for s, d in enumerate(domains) if d.bit_count() == 1]
    table = board(alldifferent(puzzle.layout))
    touched = set(range(len(table.units)))
    sound = all(domains) and python.propagate(table, domains, known, touched, Tally(Ask(puzzle.domains)))
    return domains, sound
