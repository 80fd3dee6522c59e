"""`export`: write the raw rows of a journal, or a finding for the solver's maintainer."""

import argparse
import sys

from harness.commands import arguments as shared

HELP = "write the raw rows of a journal as csv, json or markdown, or a finding as dimacs, python or line"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "journal", metavar="FILE", help="journal (for csv, json, markdown) or finding (for dimacs, python, line)"
    )
    parser.add_argument(
        *("--to", "--format"),
        dest="to",
        choices=("csv", "json", "markdown", "dimacs", "python", "line"),
        required=True,
        help="output format",
    )
    parser.add_argument("-o", "--output", metavar="PATH", help="file to write (default: standard output)")
    shared.add_programs(parser)


def run(args: argparse.Namespace) -> int:
    from harness.fuzzing.findings.exporting import EXPORTS
    from harness.model.errors import BadUsage
    from harness.reporting.exporting import write
    from harness.storing.journal import open_journal

    if args.to in EXPORTS:
        return export_finding(args)
    with open_journal(args.journal) as journal:
        if not args.output:
            sys.stdout.reconfigure(newline="")  # type: ignore[union-attr]
            write(journal, args.to, sys.stdout)
            return 0
        try:
            with open(args.output, "w", encoding="utf-8", newline="") as file:
                write(journal, args.to, file)
        except OSError as e:
            raise BadUsage(f"{args.output}: {e.strerror}") from e
    return 0


def export_finding(args: argparse.Namespace) -> int:
    """Write a finding as a formula or script. Returns the exit code."""
    from pathlib import Path

    from backends.programs import name_programs
    from harness.fuzzing.findings.exporting import EXPORTS
    from harness.fuzzing.findings.finding import read
    from harness.model.errors import BadUsage
    from harness.model.reading import parse_assignments

    name_programs(parse_assignments(args.program))
    text = EXPORTS[args.to](read(Path(args.journal)))
    if not args.output:
        sys.stdout.write(text)
        return 0
    try:
        Path(args.output).write_text(text, encoding="utf-8")
    except OSError as e:
        raise BadUsage(f"{args.output}: {e.strerror}") from e
    return 0
