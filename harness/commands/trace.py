"""`trace`: print the search of a native solver, step by step: rounds and branches, or cores and bounds."""

import argparse
from typing import TYPE_CHECKING, Any

from harness.commands import arguments as shared
from harness.commands.given import reader_options, require_board

if TYPE_CHECKING:
    from puzzles.problem import Instance

OPTIMISER = "native:cdcl"  # its search for the best solution is traced where there is an objective
WIDTH = 80  # of a page that is no terminal
TRACED = ("native:splitting", "native:norvig", "native:subsets", "native:backtracking")  # backends that yield events


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_puzzle(
        parser,
        "; a lower-case letter in place of an open square's dot tags that square, and then only tagged squares are"
        " shown (on boards with letters for values, write those as capitals)",
    )
    parser.add_argument(
        "-b",
        "--backend",
        metavar="BACKEND",
        help=f"backend to trace: {', '.join(TRACED)} (default {TRACED[0]}); with an objective, {OPTIMISER}",
    )
    parser.add_argument("--brief", action="store_true", help="print the headings of steps alone, without boards")
    parser.add_argument(
        "--unit", metavar="NAME", help="list what changes in a unit alone, such as 'row C' or 'box A1-C3'"
    )
    parser.add_argument("--steps", type=shared.positive_int, metavar="N", help="stop after N steps")
    parser.add_argument("--until", choices=("search",), help="stop where deduction ends and guessing begins")
    shared.add_limits(parser)


def run(args: argparse.Namespace) -> int:
    import sys

    from backends.contract.answer import Ask
    from backends.native.budget import Budget
    from harness.model.errors import BadUsage
    from harness.reporting.writing.printable import terminal_width
    from harness.showing import tracing
    from harness.showing.narrator import Narrator
    from harness.showing.pencil import supports_colour
    from harness.showing.squares import unit_named
    from harness.showing.tagged_input import read_tagged

    instance, tags = read_tagged(args.puzzle, reader_options(args), args.number)
    if instance.problem.objective is not None:
        trace_search(instance, args)
        return 0
    backend = args.backend or TRACED[0]
    if backend not in TRACED:
        raise BadUsage(f"{backend} cannot be traced: use -b {' or '.join(TRACED)}")
    puzzle = require_board(instance, "trace")
    if args.unit:
        tags = {s: tags.get(s, "") for s in unit_named(puzzle, args.unit)}
    narrator = Narrator(puzzle, tags, terminal_width() or WIDTH, supports_colour(sys.stdout), args.brief)
    budget = Budget(Ask(puzzle.domains, args.count, args.timeout))
    found = 0
    stopped = ""
    for event in tracing.events(puzzle, backend, budget):
        if args.until and tracing.is_guess(event):
            stopped = "where the search begins (--until search)"
            break
        narrator.show(event)
        found += tracing.is_solution(event) and not budget.stuck
        if found == args.count:
            break
        if args.steps and narrator.steps + (narrator.pending is not None) >= args.steps:
            stopped = "here (--steps)"
            break
    narrator.close(budget, found, stopped)
    return 0


def trace_search(instance: "Instance[Any]", args: argparse.Namespace) -> None:
    """Print the search for the best solution of an instance with an objective. Raises BadUsage."""
    import sys

    from backends.contract.answer import Ask
    from encoders.formula import Unsupported, Wcnf
    from encoders.registry import spec
    from harness.model.errors import BadUsage
    from harness.reporting.writing.printable import terminal_width
    from harness.showing.pencil import supports_colour
    from harness.showing.searching import SearchNarrator, narrate

    if args.backend not in (None, OPTIMISER):
        raise BadUsage(f"{args.backend} cannot be traced with an objective: use -b {OPTIMISER}")
    if args.until or args.count > 1:
        raise BadUsage(f"{instance.name} has an objective: --until and --count do not go with it")
    try:
        formula = spec("extended").formula(instance.problem, instance.domains)
    except Unsupported as e:
        raise BadUsage(f"{instance.name}: {OPTIMISER} cannot be traced on it: {e}") from None
    assert isinstance(formula, Wcnf)
    width, colour = terminal_width() or WIDTH, supports_colour(sys.stdout)
    narrator = SearchNarrator(instance, formula, width, colour, args.brief, args.steps)
    narrate(Ask(instance.domains, 1, args.timeout), narrator, formula)
