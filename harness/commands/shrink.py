"""`shrink`: makes a failing case minimal, and keeps it beside the first as NAME.min.finding."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from harness.commands import arguments as shared

if TYPE_CHECKING:
    from harness.fuzzing.finding import Case

HELP = "make a finding's case minimal, as long as it fails in the same way"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("case", metavar="FILE", help="a finding")
    parser.add_argument("--seconds", type=shared.seconds, default=50.0, metavar="N", help="about how long (50)")
    parser.add_argument("-o", "--output", metavar="FILE", help="where the small one goes (NAME.min.finding)")
    shared.programs(parser)


def run(args: argparse.Namespace) -> int:
    from backends.programs import name_programs
    from harness.fuzzing.finding import read, text, write
    from harness.fuzzing.shrinking import shrink
    from harness.model.errors import BadUsage
    from harness.model.reading import named

    name_programs(named(args.program))
    path = Path(args.case)
    finding = shrink(read(path), args.seconds, progress)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    if finding is None:
        print(f"{path}: does not fail here")
        return 0
    target = Path(args.output) if args.output else path.with_suffix(".min.finding")
    try:
        write(finding, target)
    except BadUsage:
        print(text(finding))  # what took so long to find is not lost
        raise
    print("".join(line[2:] + "\n" for line in text(finding).splitlines() if line.startswith("# ")), end="")
    print(f"kept as {target}")
    return 1


def progress(trials: int, case: "Case") -> None:
    """One line, where somebody watches."""
    if sys.stderr.isatty():
        asks, squares = len(case.asks), len(case.problem.variables)
        text = f"{trials} tried: {asks} asks, {squares} squares, {case.givens} givens"
        print(f"\r{text}\033[K", end="", file=sys.stderr, flush=True)
