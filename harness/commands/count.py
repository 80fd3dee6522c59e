"""`count`: count the solutions of one puzzle up to a limit, and check each."""

import argparse
import sys

from harness.commands import arguments as shared

HELP = "count the solutions of one puzzle, up to a limit, and check each of them"
STEP = 10  # growth of the count from ask to ask, so that all asks before the last cost about a tenth of it


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
        "-b", "--backend", default="native", metavar="CONTENDER", help="contender that counts (default native)"
    )
    parser.add_argument(
        "--limit", type=shared.positive_int, default=100_000, metavar="N", help="stop at N solutions (default 100000)"
    )
    parser.add_argument(
        "-t",
        "--timeout",
        type=shared.positive_seconds,
        default=60.0,
        metavar="SECONDS",
        help="wall time per ask (default 60)",
    )
    shared.add_programs(parser)
    shared.add_reading(parser)


def run(args: argparse.Namespace) -> int:
    from backends.answer import Status
    from backends.programs import name_programs
    from harness.commands.solve import ask
    from harness.judging import judge
    from harness.model.contender import resolve
    from harness.model.errors import BadUsage
    from harness.model.fitting import select_supported
    from harness.model.reading import parse_assignments, read_puzzle
    from harness.model.settings import RunSettings
    from harness.reporting import tables
    from harness.reporting.printable import printable
    from puzzles.formats import ReaderOptions

    name_programs(parse_assignments(args.program))
    (contender, *more), _ = resolve([args.backend], 2)
    if more:
        raise BadUsage(f"count takes one contender; {args.backend!r} names {1 + len(more)}")
    puzzle = read_puzzle(args.puzzle, ReaderOptions(args.as_, args.alphabet), args.number)
    select_supported([contender], [args.backend], [(puzzle.problem, 1)])
    wanted, known = 1, 0
    while True:
        outcomes = ask(puzzle, contender, RunSettings(args.timeout, wanted))
        row = outcomes.rows[0]
        (valid,) = judge.check(puzzle.problem, outcomes.batch.domains, outcomes.rows["found"], outcomes.solutions)
        place = printable(f"{puzzle.name}: {contender.name}:")
        if valid < 0 or (row["complete"] and valid < known):
            print(f"{place} wrong: a solution breaks the puzzle, is given twice, or is missing", file=sys.stderr)
            return 1
        known = max(known, int(valid))
        complete = bool(row["complete"]) and row["status"] != Status.UNKNOWN
        if complete or wanted == args.limit or known < wanted:
            break
        if sys.stderr.isatty():
            print(f"\r{place} {known:,} or more ...", end="", file=sys.stderr, flush=True)
        wanted = min(args.limit, STEP * wanted)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    if complete:
        print(f"{place} {tables.plural(known, 'solution')}, and no others")
    elif known >= args.limit:
        print(f"{place} {tables.plural(known, 'solution')} or more (--limit {args.limit})")
    else:
        print(f"{place} {tables.plural(known, 'solution')} or more: not finished after {args.timeout:g} s")
        return 4
    return 0
