"""`trace`: how a solver comes to its answer, round by round and branch by branch."""

import argparse

from harness.commands import arguments as shared

HELP = "show how a solver works: rounds before and after, splits, branches, and where they break"
TRACED = ("native:splitting", "native:subsets")  # those that tell of their work


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "puzzle",
        help="a puzzle in one line, a file, the name of a corpus, or FILE:LINE; a lower-case letter in place of an open"
        " square's dot tags that square, and then only tagged squares are shown (on boards with letters for values,"
        " write those as capitals)",
    )
    parser.add_argument(
        "-n", "--number", type=shared.positive, default=1, metavar="K", help="which of a file's puzzles (1)"
    )
    parser.add_argument(
        "-b",
        "--backend",
        default=TRACED[0],
        metavar="BACKEND",
        help=f"whose work it is: {' or '.join(TRACED)} (the first)",
    )
    shared.limits(parser)
    shared.reading(parser)


def run(args: argparse.Namespace) -> int:
    import shutil
    import sys

    from backends.answer import Ask
    from backends.native import splitting, subsets
    from backends.native.board import board
    from backends.native.budget import Budget
    from encoders.direct import alldifferent
    from harness.model.errors import BadUsage
    from harness.showing.narrator import Narrator
    from harness.showing.pencil import takes_colour
    from harness.showing.tagged_input import read_tagged
    from puzzles.formats import ReaderOptions

    if args.backend not in TRACED:
        raise BadUsage(f"{args.backend} tells nothing of its work: trace takes -b {' or '.join(TRACED)}")
    puzzle, tags = read_tagged(args.puzzle, ReaderOptions(args.as_, args.alphabet), args.number)
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 80
    narrator = Narrator(puzzle, tags, width, takes_colour(sys.stdout))
    budget = Budget(Ask(puzzle.domains, args.count, args.timeout))
    found = 0
    play = splitting.play if args.backend == TRACED[0] else subsets.play
    for event in play(board(alldifferent(puzzle.problem)), puzzle.domains, budget):
        narrator.tell(event)
        found += isinstance(event, splitting.Solved | subsets.Ended) and not budget.stuck
        if found == args.count:
            break
    narrator.close(budget, found)
    return 0
