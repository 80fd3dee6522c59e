"""`shrink`: minimise a failing case, and write it beside the original as NAME.min.finding."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from harness.commands import arguments as shared

if TYPE_CHECKING:
    from harness.fuzzing.findings.finding import Case


EPILOG = "exit codes: 0 no longer fails, 1 still fails, 2 not a finding of this version"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("case", metavar="FILE", help="finding to shrink")
    parser.add_argument(
        "--seconds",
        type=shared.positive_seconds,
        default=50.0,
        metavar="N",
        help="approximate time to spend (default 50)",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="file to write (default NAME.min.finding)")
    shared.add_programs(parser)
    shared.add_consent(parser)


def run(args: argparse.Namespace) -> int:
    from harness.fuzzing.findings.finding import read, text, write
    from harness.fuzzing.findings.naming import recorded
    from harness.fuzzing.reducing.shrinking import shrink
    from harness.model.consent import finding_programs
    from harness.model.errors import BadUsage
    from harness.model.reading import parse_assignments
    from harness.reporting.printable import printable

    path = Path(args.case)
    found = read(path)
    given = parse_assignments(args.program)
    programs = finding_programs(args.case, found.case.contender, recorded(found), given, args.yes)
    finding = shrink(found, args.seconds, show_progress, programs)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    if finding is None:
        print(printable(f"{path}: does not fail here"))
        return 0
    target = Path(args.output) if args.output else path.with_suffix(".min.finding")
    try:
        write(finding, target)
    except BadUsage:
        print(text(finding))  # do not lose the result of a long search
        raise
    print("".join(line[2:] + "\n" for line in text(finding).splitlines() if line.startswith("# ")), end="")
    print(printable(f"kept as {target}"))
    return 1


def show_progress(trials: int, case: "Case") -> None:
    """Update the progress line, on a terminal."""
    if sys.stderr.isatty():
        from harness.reporting.tables import plural

        asks, squares = len(case.asks), len(case.problem.variables)
        counts = {"ask": asks, "square": squares, "given": case.givens}
        text = f"{trials} tried: {', '.join(plural(n, word) for word, n in counts.items())}"
        print(f"\r{text}\033[K", end="", file=sys.stderr, flush=True)
