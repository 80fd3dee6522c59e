"""`places`: the machines and places of a run, their work, and their speed over time."""

import argparse

from harness.commands import arguments as shared


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("journal", metavar="JOURNAL", help="journal of a run")
    shared.add_json(parser, "places")


def run(args: argparse.Namespace) -> int:
    from harness.commands.output import write_json
    from harness.reporting.machines.places import places
    from harness.reporting.machines.places_text import BARS, DIGITS, text
    from harness.reporting.printable import writable
    from harness.runs.runner import open_run

    with open_run(args.journal) as this_run:
        found = places(this_run.journal)
    if args.json:
        write_json(found, args.json)
    if args.json != "-":
        print(text(found, BARS if writable(BARS) else DIGITS))
    return 0
