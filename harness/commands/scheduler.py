"""`scheduler`: former verb of the scheduler of a cluster, which is Dask's own command now."""

import argparse

FORMER = ("--scheduler-file", "--certificates", "--host", "--port")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    for option in FORMER:
        parser.add_argument(option, help=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> int:
    from harness.model.errors import BadUsage

    raise BadUsage("scheduler is Dask's now: `dask scheduler --scheduler-file s.json` (docs/reference/cluster.md)")
