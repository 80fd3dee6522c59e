"""`place`: former verb of places of a cluster, which is Dask's own command now."""

import argparse

FORMER = ("--scheduler-file", "--make-certificates", "--cores", "--drain", "--cache", "--cache-size", "--certificates")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    for option in FORMER:
        parser.add_argument(option, help=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> int:
    from harness.model.errors import BadUsage

    raise BadUsage(
        "place is Dask's now: `dask worker --scheduler-file s.json --nworkers 1 --nthreads 2`"
        " (docs/reference/cluster.md)"
    )
