"""`solve`: solve and draw one puzzle. Exits like a SAT solver: 10, 20 or 0; 1 if wrong."""

import argparse
import sys
from typing import TYPE_CHECKING

from harness.commands import arguments as shared

if TYPE_CHECKING:
    from harness.model.contender import Contender
    from harness.model.outcome import Outcomes
    from harness.model.settings import RunSettings
    from puzzles.layout import Puzzle

HELP = "solve one puzzle with one contender and draw it (exit 10: solution, 20: none, 0: unknown)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("puzzle", help="a puzzle in one line, a file, the name of a corpus, or FILE:LINE")
    parser.add_argument(
        "-n",
        "--number",
        type=shared.positive_int,
        default=1,
        metavar="N",
        help="number of the puzzle in its file (default 1)",
    )
    parser.add_argument(
        "-b", "--backend", default="native", metavar="CONTENDER", help="contender that solves it (default native)"
    )
    shared.add_programs(parser)
    shared.add_limits(parser)
    shared.add_reading(parser)


def run(args: argparse.Namespace) -> int:
    from backends.answer import Reason, Status
    from backends.programs import name_programs
    from harness.judging import judge
    from harness.model.contender import resolve
    from harness.model.errors import BadUsage
    from harness.model.fitting import select_supported
    from harness.model.reading import parse_assignments, read_puzzle
    from harness.model.settings import RunSettings
    from harness.reporting import tables
    from harness.reporting.printable import printable
    from puzzles.families import draw
    from puzzles.formats import ReaderOptions

    name_programs(parse_assignments(args.program))
    (contender, *more), _ = resolve([args.backend], args.count)
    if more:
        raise BadUsage(f"solve takes one contender; {args.backend!r} names {1 + len(more)}")
    puzzle = read_puzzle(args.puzzle, ReaderOptions(args.as_, args.alphabet), args.number)
    select_supported([contender], [args.backend], [(puzzle.problem, 1)])
    settings = RunSettings(args.timeout, args.count, opening=args.open_limit)
    outcomes = ask(puzzle, contender, settings)
    row = outcomes.rows[0]
    valid = judge.check(puzzle.problem, outcomes.batch.domains, outcomes.rows["found"], outcomes.solutions)
    for solution in outcomes.solutions.tolist():
        cells = [puzzle.problem.values[v] if v < len(puzzle.problem.values) else "?" for v in solution]
        print(draw(puzzle.problem, cells), end="\n\n")
    status = Status(row["status"])
    said = status.name.lower()
    if status == Status.UNKNOWN:
        said += f" ({Reason(row['reason']).name.lower()})" + (
            f": {outcomes.details[0].partition(chr(10))[0]}" if outcomes.details else ""
        )
    elif status == Status.SATISFIABLE:
        every = "no others" if row["complete"] else "there may be more"
        said += f", {tables.plural(int(row['found']), 'solution')}, {every}"
    print(printable(f"{puzzle.name}: {contender.name}: {said}, {tables.format_seconds(float(row['wall']) / 1e9)}"))
    if valid[0] < 0 or (status == Status.SATISFIABLE and valid[0] == 0):
        print("harness: the answer is wrong: a solution breaks the puzzle or is given twice", file=sys.stderr)
        return 1
    return int(status)


def ask(puzzle: "Puzzle", contender: "Contender", settings: "RunSettings") -> "Outcomes":
    """Solve one puzzle in a worker."""
    import numpy as np

    from harness.model.lease import Block, Lease
    from harness.running.supervisor import Supervisor
    from puzzles.columns import pack

    block = Block(1, puzzle.problem, np.array([1]), pack(puzzle.problem, [puzzle.domains]))
    with Supervisor([contender], settings) as supervisor:
        (result,) = supervisor.run(iter([Lease(block, 0, (0,))]))
    (outcomes,) = result.outcomes
    return outcomes
