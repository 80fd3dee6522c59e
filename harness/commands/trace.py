"""`trace`: print the search of a native solver, round by round and branch by branch."""

import argparse

from harness.commands import arguments as shared
from harness.commands.given import reader_options, require_board

TRACED = ("native:splitting", "native:norvig", "native:subsets")  # backends that yield events


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_puzzle(
        parser,
        "; a lower-case letter in place of an open square's dot tags that square, and then only tagged squares are"
        " shown (on boards with letters for values, write those as capitals)",
    )
    parser.add_argument(
        "-b",
        "--backend",
        default=TRACED[0],
        metavar="BACKEND",
        help=f"backend to trace: {', '.join(TRACED)} (default {TRACED[0]})",
    )
    parser.add_argument("--brief", action="store_true", help="print the headings of steps alone, without boards")
    shared.add_limits(parser)


def run(args: argparse.Namespace) -> int:
    import shutil
    import sys

    from backends.contract.answer import Ask
    from backends.native import norvig, splitting, subsets
    from backends.native.board import board
    from backends.native.budget import Budget
    from encoders.direct import alldifferent
    from harness.model.errors import BadUsage
    from harness.showing.narrator import Narrator
    from harness.showing.pencil import supports_colour
    from harness.showing.tagged_input import read_tagged

    if args.backend not in TRACED:
        raise BadUsage(f"{args.backend} cannot be traced: use -b {' or '.join(TRACED)}")
    instance, tags = read_tagged(args.puzzle, reader_options(args), args.number)
    puzzle = require_board(instance, "trace")
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 80
    narrator = Narrator(puzzle, tags, width, supports_colour(sys.stdout), args.brief)
    budget = Budget(Ask(puzzle.domains, args.count, args.timeout))
    found = 0
    play = dict(zip(TRACED, (splitting.trace, norvig.trace, subsets.trace), strict=True))[args.backend]
    for event in play(board(alldifferent(puzzle.problem)), puzzle.domains, budget):
        narrator.show(event)
        found += isinstance(event, splitting.Solved | subsets.Fixpoint) and not budget.stuck
        if found == args.count:
            break
    narrator.close(budget, found)
    return 0
