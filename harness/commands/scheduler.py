"""`scheduler`: run the scheduler of a cluster, which places join."""

import argparse
import shlex
import signal
from pathlib import Path

EPILOG = """\
Ctrl-C or SIGTERM ends it, and with it the runs that use it, which can be resumed.

examples:
  scheduler --scheduler-file s.json                 for places of this machine
  scheduler --scheduler-file s.json --host 10.0.0.5 --certificates ~/.crosscheck-cluster
                                                    for places of other machines: encrypted

docs/cluster.md leads from a laptop to two machines, and to Slurm.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--scheduler-file",
        required=True,
        type=Path,
        metavar="F",
        help="file that tells places and runs where the scheduler is; removed when it ends",
    )
    parser.add_argument(
        "--certificates", type=Path, metavar="FOLDER", help="encrypt; `place --make-certificates FOLDER` makes them"
    )
    parser.add_argument(
        "--host", default="127.0.0.1", metavar="ADDRESS", help="address to listen on (default 127.0.0.1)"
    )
    parser.add_argument("--port", type=int, default=8786, metavar="N", help="port, 0 for a free one (default 8786)")


def run(args: argparse.Namespace) -> int:
    from harness.commands.given import print_note
    from harness.model.invocation import PROGRAM
    from harness.running.engines.scheduler import run_scheduler

    def started(address: str) -> None:
        words = ["--scheduler-file", str(args.scheduler_file)]
        words += ["--certificates", str(args.certificates)] if args.certificates else []
        print(f"scheduler at {address}; places join with `{PROGRAM} place {shlex.join(words)}`", flush=True)

    ended = run_scheduler(args.scheduler_file, args.certificates, args.host, args.port, started, print_note)
    if ended == signal.SIGINT:
        raise KeyboardInterrupt
    return 0
