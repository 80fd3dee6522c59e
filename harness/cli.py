"""The command line: parses, runs one verb, and is the only place that exits."""

import argparse
import errno
import importlib
import io
import os
import sys
from collections.abc import Sequence

from harness.model.errors import BadUsage
from puzzles.families import BadLayout
from puzzles.formats import BadInput

VERBS = (
    *("run", "check", "report", "compare", "judge", "merge", "export"),
    *("list", "solve", "count", "show", "trace", "encode", "generate"),
    *("fuzz", "shrink", "replay"),
)


FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def parser() -> argparse.ArgumentParser:
    """The parser with every verb."""
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
            sys.stdout.reconfigure(errors="backslashreplace")  # a locale without a letter is no reason to fail
        args.command = list(sys.argv[1:] if argv is None else argv)
        code: int = args.run(args)
        sys.stdout.flush()
    except (BadUsage, BadInput, BadLayout, LookupError) as e:
        if isinstance(e, (KeyError, IndexError)):
            raise  # a bug, where a backend that is not there is bad usage
        print(f"harness: {e}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        close_output()
        return 2
    except OSError as e:
        if e.filename is None and e.errno not in FULL:
            raise
        close_output()
        print(f"harness: {e.filename or 'the output'}: {e.strerror}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("harness: interrupted", file=sys.stderr)
        return 130
    return code


def close_output() -> None:
    """What could not be written goes nowhere, so that it is not tried again on the way out."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
