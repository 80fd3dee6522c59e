"""`places`: former name of `report JOURNAL --places`, the machines and places of a run."""

import argparse

from harness.commands import arguments as shared
from harness.commands.given import print_note


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("journal", metavar="JOURNAL", help="journal of a run")
    shared.add_json(parser, "places")


def run(args: argparse.Namespace) -> int:
    print_note(f"places JOURNAL is now `report {args.journal} --places`")
    return of_journal(args.journal, args.json)


def of_journal(path: str, json: str | None) -> int:
    """Print the places of a journal, or write them as JSON."""
    from harness.commands.output import write_json
    from harness.reporting.frame.reading import open_judged
    from harness.reporting.views.places import places
    from harness.reporting.views.places_text import BARS, DIGITS, text
    from harness.reporting.writing.printable import writable

    with open_judged(path) as this_run:
        found = places(this_run.journal)
    if json:
        write_json(found, json)
    if json != "-":
        print(text(found, BARS if writable(BARS) else DIGITS))
    return 0
