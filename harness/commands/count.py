"""`count`: how many solutions a puzzle has, up to a limit, every one of them checked."""

import argparse
import sys

from harness.commands import arguments as shared

HELP = "count the solutions of one puzzle, up to a limit, and check each of them"
STEP = 10  # each ask is for so many times more than the last, so the asks before the last cost a tenth of it


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("puzzle", help="a puzzle in one line, a file, the name of a corpus, or FILE:LINE")
    parser.add_argument("-n", "--number", type=shared.positive, default=1, metavar="N", help="which of a file's (1)")
    parser.add_argument("-b", "--backend", default="native", metavar="CONTENDER", help="who counts (native)")
    parser.add_argument("--limit", type=shared.positive, default=100_000, metavar="N", help="stop there (100000)")
    parser.add_argument("-t", "--timeout", type=shared.seconds, default=60.0, metavar="SECONDS", help="of an ask (60)")
    shared.programs(parser)
    shared.reading(parser)


def run(args: argparse.Namespace) -> int:
    from backends.answer import Status
    from backends.programs import name_programs
    from harness.commands.solve import ask
    from harness.judging import judge
    from harness.model.contender import resolve
    from harness.model.errors import BadUsage
    from harness.model.fitting import fitting
    from harness.model.reading import named, one
    from harness.model.settings import RunSettings
    from harness.reporting import tables
    from puzzles.formats import ReaderOptions

    name_programs(named(args.program))
    (contender, *more), _ = resolve([args.backend], 2)
    if more:
        raise BadUsage(f"count takes one contender; {args.backend!r} names {1 + len(more)}")
    puzzle = one(args.puzzle, ReaderOptions(args.as_, args.alphabet), args.number)
    fitting([contender], [args.backend], [(puzzle.problem, 1)])
    wanted, known = 1, 0
    while True:
        outcomes = ask(puzzle, contender, RunSettings(args.timeout, wanted))
        row = outcomes.rows[0]
        (valid,) = judge.check(puzzle.problem, outcomes.batch.domains, outcomes.rows["found"], outcomes.solutions)
        place = f"{puzzle.name}: {contender.name}:"
        if valid < 0 or (row["complete"] and valid < known):
            print(f"{place} wrong: a solution breaks the puzzle, is shown twice, or is left out", file=sys.stderr)
            return 1
        known = max(known, int(valid))
        complete = bool(row["complete"]) and row["status"] != Status.UNKNOWN
        if complete or wanted == args.limit or known < wanted:
            break
        if sys.stderr.isatty():
            print(f"\r{place} {known:,} and more ...", end="", file=sys.stderr, flush=True)
        wanted = min(args.limit, STEP * wanted)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    if complete:
        print(f"{place} {tables.plural(known, 'solution')}, and no others")
    elif known >= args.limit:
        print(f"{place} {tables.plural(known, 'solution')} or more (--limit {args.limit})")
    else:
        print(f"{place} {tables.plural(known, 'solution')} or more: not done after {args.timeout:g} s")
        return 4
    return 0
