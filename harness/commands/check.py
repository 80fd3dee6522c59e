"""`check`: check answers without timing them, against each other and a golden file."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.commands import arguments as shared

if TYPE_CHECKING:
    from harness.reporting.golden import Difference, Entry

HELP = "check answers, without timing them, against each other and a golden file"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("corpus", nargs="+", help="a file, or the name of a shipped corpus")
    shared.add_contenders(parser)
    parser.add_argument(
        "-n", "--puzzles", type=shared.positive_int, metavar="N", help="only the first N of each corpus"
    )
    parser.add_argument(
        "-t",
        "--timeout",
        type=shared.positive_seconds,
        default=10.0,
        metavar="SECONDS",
        help="wall time per puzzle (default 10)",
    )
    parser.add_argument(
        "-j",
        "--jobs",
        type=shared.positive_int,
        metavar="N",
        help="number of workers at a time (default: one per core)",
    )
    shared.add_reading(parser)
    parser.add_argument("--golden", type=Path, metavar="FILE", help="golden file to compare the answers with")
    parser.add_argument("--update", action="store_true", help="write the golden file from the answers")


def run(args: argparse.Namespace) -> int:
    from harness.model.errors import BadUsage
    from harness.reporting import golden, tables
    from harness.storing.baselines import check_writable

    before = []
    if args.update and not args.golden:
        raise BadUsage("--update needs the file to write: --golden FILE")
    if args.golden and (args.golden.exists() or not args.update):
        if not args.golden.exists():
            raise BadUsage(f"{args.golden}: no such golden file: create it with --update")
        before = golden.read(args.golden)
    if args.update:
        check_writable(args.golden)
    summary, today = solve_all(args)
    print(tables.agreement_line(summary), *tables.disagreement_lines(summary), sep="\n")
    code: int = summary["exit"]
    if args.golden and code != 130:
        found = golden.difference(before, today)
        if args.update:
            return update_golden(args.golden, found, code)
        for word in ("changed", "weaker", "stronger"):
            for line in getattr(found, word):
                print(f"{word}: {line}")
        print(f"golden:    {found.same} of {tables.plural(len(today), 'puzzle')} as in {args.golden}")
        code = 1 if found.changed else code or (4 if found.weaker else 0)
    return code


def update_golden(path: Path, found: "Difference", code: int) -> int:
    """Write the golden file, unless an answer or claim is wrong. Returns the exit code."""
    from harness.reporting import golden, tables

    if code in (1, 2):
        print(f"harness: {path}: not written, because answers or claims are wrong", file=sys.stderr)
        return code
    golden.write(path, found.kept)
    print(f"golden:    {tables.plural(len(found.kept), 'puzzle')} written to {path}")
    return code


def contender_patterns(patterns: Sequence[str]) -> list[str]:
    """Return the contenders named, or the default ones, warm where supported."""
    from backends import catalogue
    from harness.model.settings import DEFAULT_CONTENDERS

    if patterns:
        return list(patterns)
    found = []
    for name in DEFAULT_CONTENDERS:
        backend = catalogue.describe(name.partition("/")[0])
        found.append(name + ("+warm" if "warm" in backend.can else ""))
    return found


def solve_all(args: argparse.Namespace) -> "tuple[dict[str, Any], list[Entry]]":
    """Run with a count of 2 into a temporary journal; return its summary and golden entries."""
    import tempfile

    from harness.commands.run import print_note, solve
    from harness.model.host import cores
    from harness.model.settings import RunSettings
    from harness.reporting import golden
    from harness.run import Run
    from harness.start import Request, create_run
    from puzzles.formats import ReaderOptions

    settings = RunSettings(limit=args.timeout, count=2, jobs=args.jobs or len(cores()) or 1)
    options = ReaderOptions(args.as_, args.alphabet)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "check.sqlite"
        request = Request(
            args.corpus, contender_patterns(args.backend), settings, options, args.puzzles, path, args.command
        )
        with create_run(request, print_note) as journal:
            this_run = Run(journal)
            this_run.finish(solve(this_run, print_note))
            return this_run.summary(), golden.entries(journal, this_run.referee.evidence)
