"""`export`: the raw rows of a journal for other tools."""

import argparse
import sys

HELP = "write a journal's raw rows as csv, json or markdown"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("journal", help="a journal that `run` wrote")
    parser.add_argument("--to", choices=("csv", "json", "markdown"), required=True, help="the format")
    parser.add_argument("-o", "--output", metavar="PATH", help="where to (standard output)")


def run(args: argparse.Namespace) -> int:
    from harness.errors import BadUsage
    from harness.exporting import write
    from harness.stored import opened

    with opened(args.journal) as journal:
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
