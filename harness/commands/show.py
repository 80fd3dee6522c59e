"""`show`: draw one puzzle; of another instance print its size and its objective."""

import argparse
from typing import TYPE_CHECKING

from harness.commands import arguments as shared
from harness.commands.given import reader_options, require_board

if TYPE_CHECKING:
    from puzzles.boards.layout import Puzzle


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_puzzle(
        parser, "; a lower-case letter in place of an open square's dot tags that square, as it does in trace"
    )
    parser.add_argument(
        "--candidates",
        action="store_true",
        help="propagate naked and hidden singles, and draw every square's candidates",
    )
    parser.add_argument("--square", metavar="NAME", help="draw the units of a square, such as C2, and list its peers")


def run(args: argparse.Namespace) -> int:
    from math import prod

    from harness.reporting.writing.printable import printable
    from harness.showing.axes import drawn
    from harness.showing.formulas import description, goal_text, stated_layout
    from harness.showing.pencil import candidates_text, contradiction, equal_givens, no_solution
    from harness.showing.pictures import picture
    from harness.showing.squares import space_text, square_text, tagged_text
    from harness.showing.tagged_input import read_tagged
    from puzzles.boards.board import Board
    from puzzles.boards.layout import Layout

    instance, tags = read_tagged(args.puzzle, reader_options(args), args.number)
    of_units = args.candidates or args.square
    if isinstance(instance.problem, Board) and not of_units:
        print(stated_layout(instance.problem), end="")
        print(picture(instance))
        return 0
    if not isinstance(instance.problem, Layout) and not of_units:
        print(printable(f"{instance.name}: {description(instance.problem)}"))
        if goal := goal_text(instance.problem):
            print(printable(goal))
        return 0
    puzzle = require_board(instance, "show --candidates" if args.candidates else "show --square")
    if args.square:
        print(square_text(puzzle, args.square))
        return 0
    board, sound = propagate(puzzle) if args.candidates else (list(puzzle.domains), True)
    print(stated_layout(puzzle.problem), end="")
    if tags:
        print(tagged_text(puzzle, tags, board if args.candidates else None))
        print("\nOnly show and trace take tags: solve, count and run take the board with a dot for each letter.")
    elif args.candidates:
        print(drawn(puzzle.problem, [candidates_text(puzzle.problem, d) for d in board]))
    else:
        print(picture(puzzle))
    twice = equal_givens(puzzle)
    if not sound:
        print(f"\n{no_solution(twice or contradiction(puzzle.problem, board) or 'its domains contradict each other')}")
    elif twice:
        print(f"\nIt has no solution: {twice}.")
    elif args.candidates:
        ways = prod(d.bit_count() for d in board)
        print(f"\n{space_text(ways)} way{'s' * (ways > 1)} to fill the squares with these candidates.")
    return 0


def propagate(puzzle: "Puzzle") -> tuple[list[int], bool]:
    """Return the domains after native:python's propagation of singles, and False on contradiction."""
    from backends.contract.answer import Ask
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
