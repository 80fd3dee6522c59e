"""`show`: draw one puzzle; of another instance print its size and its objective."""

import argparse
from typing import TYPE_CHECKING

from harness.commands import arguments as shared
from harness.commands.given import given_puzzle, require_board

if TYPE_CHECKING:
    from puzzles.boards.layout import Puzzle


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_puzzle(parser)
    parser.add_argument(
        "--candidates",
        action="store_true",
        help="propagate naked and hidden singles, and draw every square's candidates",
    )


def run(args: argparse.Namespace) -> int:
    from harness.reporting.printable import printable
    from harness.showing.formulas import description, goal_text
    from harness.showing.pencil import candidates_text, equal_givens
    from harness.showing.pictures import picture
    from puzzles.boards.board import Board
    from puzzles.boards.families import draw
    from puzzles.boards.layout import Layout

    instance = given_puzzle(args)
    if isinstance(instance.problem, Board) and not args.candidates:
        print(picture(instance))
        return 0
    if not isinstance(instance.problem, Layout) and not args.candidates:
        print(printable(f"{instance.name}: {description(instance.problem)}"))
        if goal := goal_text(instance.problem):
            print(printable(goal))
        return 0
    puzzle = require_board(instance, "show --candidates")
    if not args.candidates:
        print(picture(puzzle))
        sound = True
    else:
        board, sound = propagate(puzzle)
        print(draw(puzzle.problem, [candidates_text(puzzle.problem, d) for d in board]))
    if twice := equal_givens(puzzle):
        print(f"\nIt has no solution: {twice}.")
    elif not sound:
        print("\nIt has no solution: propagation stops at a contradiction, in the state drawn above.")
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
