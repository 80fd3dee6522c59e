"""`export`: write a journal in a format for other tools, or a finding for the solver's maintainer."""

import argparse
import sys

from harness.commands import arguments as shared
from harness.reporting.formats import FORMATS, export

ZIP = "zip"
FINDINGS = ("dimacs", "python", "line", "cnf", "wcnf", "opb", "xcsp3", "mzn", "fzn", "smt2", "lp")
EPILOG = """\
formats of a journal (docs/reference/formats.md):
  csv, json, markdown, parquet   a row for each instance, contender and repeat
  satcomp, latex                 a table: of times by instance, of the contenders
  benchexec, mkplot, aslib       a folder of files
  zip                            all of a run: journal, page, experiment, logs, environment, a script that runs it again
formats of a finding:
  dimacs, python, line           as its contender gets it: clauses, a script that calls the solver, a shell command
  cnf, wcnf, opb, xcsp3,
  mzn, fzn, smt2, lp             its instance, as `encode` writes it"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("journal", metavar="FILE", help="journal, or finding")
    parser.add_argument(
        *("--to", "--format"),
        dest="to",
        metavar="FORMAT",
        choices=(*FORMATS, ZIP, *FINDINGS),
        required=True,
        help="output format, one of those below",
    )
    parser.add_argument(
        "-o", "--output", metavar="PATH", help="file or folder to write (default: standard output, where it is a text)"
    )
    parser.add_argument("--instances", action="store_true", help="with --to zip: pack the instances too")
    shared.add_logs(parser)
    shared.add_programs(parser)


def run(args: argparse.Namespace) -> int:
    from harness.reporting.frame.reading import open_judged

    if args.to in FINDINGS:
        return export_finding(args)
    if args.to == ZIP:
        from harness.commands.pack import pack
        from harness.model.errors import BadUsage

        if not args.output:
            raise BadUsage("--to zip needs the file to write: -o FILE.zip")
        return pack(args.journal, args.output, args.instances, args.logs)
    sys.stdout.reconfigure(newline="")  # type: ignore[union-attr]
    with open_judged(args.journal) as this_run:
        export(this_run.journal, args.to, sys.stdout, args.output)
    return 0


def export_finding(args: argparse.Namespace) -> int:
    """Write a finding as a formula or script. Returns the exit code."""
    from pathlib import Path

    from harness.fuzzing.exporting.exporting import EXPORTS
    from harness.fuzzing.findings.finding import read
    from harness.storing.schema import write_text

    text = EXPORTS[args.to](read(Path(args.journal)))
    if args.output:
        write_text(args.output, text)
    else:
        sys.stdout.write(text)
    return 0
