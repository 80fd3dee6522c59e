"""`import`: turn results of others into a journal."""

import argparse

from harness.commands import arguments as shared

FORMATS = ("benchexec", "satcomp", "maxsat", "minizinc", "csv", "known")
USAGE = f"--format {'|'.join(FORMATS)} FILE... -o JOURNAL [-t SECONDS] [--cpu SECONDS]"
COMPETITIONS = {  # formats without a time limit
    "satcomp": "a table of a SAT competition does",
    "maxsat": "a table of a MaxSAT Evaluation does",
    "minizinc": "the results of a MiniZinc Challenge do",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="+", metavar="FILE", help="results; several files give one journal")
    parser.add_argument(
        "--format", choices=FORMATS, required=True, help="format of the files (docs/reference/formats.md)"
    )
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="JOURNAL",
        help="journal to write; of --format known the file of known answers",
    )
    parser.add_argument(
        *("-t", "--timeout"),
        type=shared.positive_seconds,
        metavar="SECONDS",
        help="limit of wall time of the runs, if the files do not state it",
    )
    parser.add_argument(
        "--cpu",
        type=shared.positive_seconds,
        metavar="SECONDS",
        help="limit of CPU time of the runs, if the files do not state it",
    )
    shared.add_json(parser)


def run(args: argparse.Namespace) -> int:
    import sys
    from pathlib import Path

    from harness.commands.output import show_summary
    from harness.importing.benchexec import read_benchexec
    from harness.importing.journal import import_results
    from harness.importing.maxsat import read_maxsat
    from harness.importing.minizinc_challenge import read_challenge
    from harness.importing.satcomp import read_satcomp
    from harness.importing.tidy import read_csv
    from harness.model.errors import BadUsage
    from harness.model.settings import Limits
    from harness.reporting.frame.reading import open_judged

    if args.format == "known":
        return import_known(args)
    if args.format in COMPETITIONS and args.timeout is None:
        raise BadUsage(f"{COMPETITIONS[args.format]} not state its time limit: state it with -t SECONDS")
    if args.format == "satcomp":
        sources = read_satcomp(args.file, args.timeout)
    elif args.format in COMPETITIONS:
        read_file = read_maxsat if args.format == "maxsat" else read_challenge
        sources = [read_file(path, args.timeout) for path in args.file]
    else:
        read = read_benchexec if args.format == "benchexec" else read_csv
        sources = [read(path) for path in args.file]
    import_results(sources, args.format, Limits(args.timeout, args.cpu), Path(args.output), args.command)
    for source in sources:
        for note in source.notes:
            print(f"{source.path}: {note}", file=sys.stderr)
    with open_judged(args.output) as this_run:
        show_summary(this_run.summary(), args.json)
    return 0


def import_known(args: argparse.Namespace) -> int:
    """Store what databases of GBD and tables state of instances. Raises BadUsage."""
    from pathlib import Path

    from harness.importing.known_tables import read_known
    from harness.storing.known import store

    for path in args.file:
        records, unknown = read_known(Path(path))
        print(f"{path}: {store(Path(args.output), records):,} known answers, {unknown:,} rows without one")
    return 0
