"""`count`: count the solutions of one puzzle up to a limit, and check each solution."""

import argparse
import sys
from typing import TYPE_CHECKING

from harness.commands import arguments as shared
from harness.commands.given import given_contender, given_puzzle, print_note
from harness.model.errors import BadUsage

if TYPE_CHECKING:
    from harness.model.outcome import Outcomes

ELSEWHERE = {"--count": "--limit N stops at N solutions"}  # options of other verbs, by what stands for them here
STEP = 10  # growth of the count from ask to ask, so that all asks before the last cost about a tenth of it


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_puzzle(parser)
    shared.add_contender(parser, "counts")
    parser.add_argument(
        "--limit", type=shared.positive_int, default=100_000, metavar="N", help="stop at N solutions (default 100000)"
    )
    shared.add_timeout(parser, 60.0, "ask")


def run(args: argparse.Namespace) -> int:
    from backends.contract.answer import Status
    from harness.judging import judge
    from harness.model.outcome import counted_status
    from harness.model.reading import parse_assignments
    from harness.model.selection.fitting import most_solutions
    from harness.model.settings import RunSettings
    from harness.reporting.writing.printable import printable
    from harness.runs.single import ask
    from puzzles.errors import plural
    from puzzles.problem.check import fault_of

    puzzle = given_puzzle(args)
    if puzzle.problem.objective is not None:
        raise BadUsage(f"{puzzle.name} has an objective: count takes no objective; use solve, or --ignore-objective")
    contender, programs = given_contender(args, 2, puzzle), parse_assignments(args.program)
    wanted, known, limit = 1, 0, min(args.limit, most_solutions(len(puzzle.problem.variables)))
    while True:
        outcomes = ask(puzzle, contender, RunSettings(args.timeout, wanted, programs=programs), print_note)
        row = outcomes.rows[0]
        (valid,) = judge.check(puzzle.problem, outcomes.batch.domains, outcomes.rows["found"], outcomes.solutions)
        place = printable(f"{puzzle.name}: {contender.name}:")
        if valid < 0:
            solutions = outcomes.solutions.tolist()
            why = fault_of(puzzle.problem, puzzle.domains, solutions)
            print(f"{place} a solution is wrong: {why}", file=sys.stderr)
            return 1
        if row["complete"] and valid < known:
            text = f"says that {plural(int(valid), 'solution')} are all, and gave {known} before"
            print(f"{place} wrong: {text}", file=sys.stderr)
            return 1
        known = max(known, int(valid))
        complete = bool(row["complete"]) and counted_status(row) != Status.UNKNOWN
        if complete or wanted == limit or known < wanted:
            break
        if sys.stderr.isatty():
            print(f"\r{place} {known:,} or more ...", end="", file=sys.stderr, flush=True)
        wanted = min(limit, STEP * wanted)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    if complete:
        print(f"{place} {plural(known, 'solution')}, and no others")
    elif known >= limit:
        print(f"{place} {plural(known, 'solution')} or more (--limit {limit})")
    else:
        found = f"{plural(known, 'solution')} or more" if known else "not counted"
        print(f"{place} {found}: {why_unfinished(outcomes, args.timeout)}")
        return 4
    return 0


def why_unfinished(outcomes: "Outcomes", seconds: float) -> str:
    """Return the reason why the last ask leaves the number of solutions open."""
    from backends.contract.answer import Reason
    from harness.reporting.writing.printable import printable

    reason = Reason(outcomes.rows[0]["reason"])
    if reason == Reason.NONE:
        return "the contender does not claim that there are no others"
    if reason == Reason.TIMEOUT:
        return f"not finished after {seconds:g} s"
    detail = outcomes.details.get(0, "").partition("\n")[0]
    return printable(": ".join(filter(None, (reason.name.lower(), detail))))
