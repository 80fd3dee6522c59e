"""Command line: parse, run one verb, and return the exit code."""

import argparse
import errno
import importlib
import io
import os
import sys
from collections.abc import Sequence

from harness.model.errors import BadUsage
from harness.reporting.printable import printable
from puzzles.families import BadLayout
from puzzles.formats import BadInput

VERBS = (
    *("run", "check", "report", "compare", "judge", "merge", "export"),
    *("list", "solve", "count", "show", "trace", "encode", "generate"),
    *("fuzz", "shrink", "replay"),
)


DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def parser() -> argparse.ArgumentParser:
    """Return the parser of all verbs."""
    top = argparse.ArgumentParser(prog="python -m harness", description=__import__("harness").__doc__)
    verbs = top.add_subparsers(dest="verb", required=True, metavar="VERB")
    for verb in VERBS:
        module = importlib.import_module(f"harness.commands.{verb}")
        sub = verbs.add_parser(verb, help=module.HELP, description=module.HELP)
        module.add_arguments(sub)
        sub.set_defaults(run=module.run)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb. Returns the exit code: see docs/exit-codes.md."""
    try:
        args = parser().parse_args(argv)
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")  # the locale may lack a character
        args.command = list(sys.argv[1:] if argv is None else argv)
        code: int = args.run(args)
        sys.stdout.flush()
    except (BadUsage, BadInput, BadLayout, LookupError) as e:
        if isinstance(e, (KeyError, IndexError)):
            raise  # a bug; other LookupErrors name an unknown backend
        print(f"harness: {printable(str(e))}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        close_output()
        return 2
    except OSError as e:
        if e.filename is None and e.errno not in DISK_FULL:
            raise
        close_output()
        print(f"harness: {printable(str(e.filename or 'the output'))}: {e.strerror}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("harness: interrupted", file=sys.stderr)
        return 130
    return code


def close_output() -> None:
    """Send unwritten output to the null device, so that Python does not try to write it again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
