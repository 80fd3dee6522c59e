"""`place`: run places of a cluster on cores of this machine."""

import argparse
import signal
from pathlib import Path

EPILOG = """\
A place joins the scheduler of a scheduler file, and again when it was lost. Ctrl-C ends it and gives its lease back;
SIGTERM lets it finish the lease first.

examples:
  place --scheduler-file s.json --cores 2,3         two places
  place --make-certificates ~/.crosscheck-cluster   once, for a cluster of several machines

docs/cluster.md leads from a laptop to two machines, and to Slurm.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    task = parser.add_mutually_exclusive_group(required=True)
    task.add_argument("--scheduler-file", type=Path, metavar="F", help="file that `scheduler` has written")
    task.add_argument(
        "--make-certificates", type=Path, metavar="FOLDER", help="write new certificates of a cluster, and end"
    )
    parser.add_argument(
        "--cores",
        metavar="N,M",
        help="cores, with a place on each (default: the highest alone); 'all' cores; 'any': one place, not pinned",
    )
    parser.add_argument(
        "--drain",
        type=drain,
        default=20.0,
        metavar="SECONDS",
        help="after SIGTERM, finish running leases within SECONDS (default 20); a second one aborts them",
    )
    parser.add_argument(
        "--cache",
        type=Path,
        metavar="FOLDER",
        help="existing folder for large instances, kept, which machines may share (default: a temporary one)",
    )
    parser.add_argument(
        "--cache-size", type=megabytes, default=4096, metavar="MB", help="limit of that folder (default 4096)"
    )
    parser.add_argument("--certificates", type=Path, metavar="FOLDER", help="a copy of the scheduler's certificates")


def run(args: argparse.Namespace) -> int:
    from harness.commands.given import print_note
    from harness.model.errors import BadUsage
    from harness.running.engines.places import run_places
    from harness.running.engines.security import make_certificates

    if args.make_certificates:
        make_certificates(args.make_certificates)
        print(f"certificates in {args.make_certificates}: copy the folder to each machine, readable by you alone")
        return 0
    chosen = cores(args.cores)

    def started(address: str) -> None:
        names = ", ".join("any core" if core is None else f"core {core}" for core in chosen)
        print(f"{len(chosen)} place{'s' * (len(chosen) > 1)} ({names}) for the scheduler at {address}", flush=True)

    if args.cache and not args.cache.is_dir():
        raise BadUsage(f"--cache {args.cache}: not a folder")
    cache = args.cache, args.cache_size << 20
    ended = run_places(args.scheduler_file, args.certificates, chosen, started, print_note, args.drain, *cache)
    if ended == signal.SIGINT:
        raise KeyboardInterrupt
    return 0


def drain(text: str) -> float:
    """Return the seconds that --drain states."""
    seconds = float(text)
    if not 0 <= seconds < 1e6:
        raise ValueError(text)
    return seconds


def megabytes(text: str) -> int:
    """Return the size that --cache-size states."""
    size = int(text)
    if not 0 < size < 1 << 30:
        raise ValueError(text)
    return size


def cores(text: str | None) -> list[int | None]:
    """Return the cores that --cores states, None for any. Raises BadUsage."""
    from harness.model import host
    from harness.model.errors import BadUsage

    free = host.cores()
    if text is None:
        return [free[-1] if free else None]
    if text == "any":
        return [None]
    if text == "all":
        return [*free] or [None]
    words = text.split(",")
    if len(set(words)) < len(words) or not all(word.isdecimal() and int(word) in free for word in words):
        raise BadUsage(f"--cores {text}: choose different ones of {', '.join(map(str, free)) or 'any'}")
    return [int(word) for word in words]
