"""`places`: the machines and places of a run, their work, and their speed over time; or of a cluster, as it is now."""

import argparse
import sys
import time

from harness.commands import arguments as shared
from harness.commands.given import print_note
from harness.model.invocation import PROGRAM

USAGE = "--on dask:FILE [options]"
EPILOG = """\
examples:
  places --on dask:s.json --watch     what each place of a cluster does, again and again until Ctrl-C
"""
CLEAR = "\x1b[H\x1b[J"  # cursor to the top, and nothing below it


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("journal", nargs="?", metavar="JOURNAL", help="journal of a run")
    shared.add_json(parser, "places")
    parser.add_argument(
        "--on", metavar="dask:FILE", help="a cluster, by the file or address of its scheduler: its places and runs now"
    )
    parser.add_argument("--certificates", metavar="FOLDER", help="with --on: a copy of the scheduler's certificates")
    parser.add_argument(
        "--watch",
        nargs="?",
        const=2.0,
        type=shared.positive_seconds,
        metavar="SECONDS",
        help="with --on: print it again every SECONDS (default 2), until Ctrl-C",
    )


def run(args: argparse.Namespace) -> int:
    from harness.model.errors import BadUsage

    if (args.journal is None) == (args.on is None):
        raise BadUsage("places: state a journal, or --on dask:FILE")
    if args.on is None and (args.watch or args.certificates):
        raise BadUsage(f"places: {'--watch' if args.watch else '--certificates'} needs --on")
    if args.on:
        return of_cluster(args)
    print_note(f"places JOURNAL is now `{PROGRAM} report {args.journal} --places`")
    return of_journal(args.journal, args.json)


def of_journal(path: str, json: str | None) -> int:
    """Print the places of a journal, or write them as JSON."""
    from harness.commands.output import write_json
    from harness.reporting.machines.places import places
    from harness.reporting.machines.places_text import BARS, DIGITS, text
    from harness.reporting.printable import writable
    from harness.reporting.reading import open_judged

    with open_judged(path) as this_run:
        found = places(this_run.journal)
    if json:
        write_json(found, json)
    if json != "-":
        print(text(found, BARS if writable(BARS) else DIGITS))
    return 0


def of_cluster(args: argparse.Namespace) -> int:
    """Print the places of a cluster, once or again and again. Raises BadUsage."""
    from dataclasses import asdict

    from harness.commands.output import write_json
    from harness.model.errors import BadUsage, ClusterLost
    from harness.model.settings import Cluster
    from harness.reporting.machines.status_text import text
    from harness.running.engines.status import connected, look

    cluster, again = Cluster.parse(args.on, args.certificates, None), False
    with connected(cluster, print_note) as (address, client):
        while True:
            try:
                status = look(address, client)
            except ClusterLost as e:
                raise BadUsage(f"{address}: {e}") from e
            if args.json:
                write_json(asdict(status), args.json)
            if args.json != "-":
                clear = CLEAR if args.watch and sys.stdout.isatty() else "\n" * again
                print(f"{clear}{text(status)}", flush=True)
            if not args.watch:
                return 0
            again = True
            time.sleep(args.watch)
