"""Command line: parse, run one verb, and return the exit code."""

import argparse
import errno
import importlib
import io
import keyword
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NoReturn

import harness
from harness.commands.completion import SHELLS
from harness.model.errors import BadUsage
from harness.model.invocation import PREFIX, PROGRAM
from harness.reporting.printable import printable
from puzzles.families import BadLayout
from puzzles.formats import BadInput

VERBS = (
    *("run", "check", "report", "compare", "judge", "merge", "export", "import"),
    *("list", "compile", "solve", "count", "show", "trace", "encode", "generate"),
    *("fuzz", "shrink", "replay", "place", "scheduler"),
)


DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class Parser(argparse.ArgumentParser):
    """Parser whose errors are two lines: the mistake, and where the usage is."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{PREFIX}: {message}\nsee `{self.prog} --help`\n")


class Version(argparse.Action):
    """Print the version, which takes a look-up, so it is made only here."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from importlib.metadata import version

        print("crosscheck", version("crosscheck"))
        parser.exit()


class Completion(argparse.Action):
    """Print a completion script, which lists the corpora, so it is made only here."""

    def __call__(self, parser: argparse.ArgumentParser, _: object, shell: Any, option: str | None = None) -> None:
        from harness.commands.completion import script

        print(script(parser, shell), end="")
        parser.exit()


def parser() -> Parser:
    """Return the parser of all verbs."""
    top = Parser(prog=PROGRAM, description=harness.__doc__)
    top.add_argument("--version", action=Version, nargs=0, help="show the version and exit")
    top.add_argument(
        "--completion", action=Completion, choices=SHELLS, help='complete words: eval "$(crosscheck --completion bash)"'
    )
    verbs = top.add_subparsers(dest="verb", required=True, metavar="VERB")
    for verb in VERBS:
        module = importlib.import_module(f"harness.commands.{verb}{'_' * keyword.iskeyword(verb)}")
        usage = getattr(module, "USAGE", None)
        sub = verbs.add_parser(
            verb,
            help=module.HELP,
            description=module.HELP,
            usage=usage and f"{PROGRAM} {verb} {usage}",
            epilog=getattr(module, "EPILOG", None),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(sub)
        sub.set_defaults(run=module.run, usage_error=sub.error)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb. Returns the exit code: see docs/exit-codes.md."""
    others = sys.unraisablehook
    sys.unraisablehook = partial(interrupt_again, others)
    try:
        return run_verb(argv)
    finally:
        sys.unraisablehook = others


def interrupt_again(others: Callable[["sys.UnraisableHookArgs"], object], event: "sys.UnraisableHookArgs") -> None:
    """Deliver Ctrl-C once more if it fell into a finaliser, where Python prints exceptions and goes on."""
    if event.exc_type is KeyboardInterrupt:
        # not inside this hook, whose own exceptions are ignored too
        later = threading.Timer(0.01, os.kill, (os.getpid(), signal.SIGINT))
        later.daemon = True
        later.start()
    else:
        others(event)


def run_verb(argv: Sequence[str] | None) -> int:
    """Run the verb that the command line names. Returns the exit code."""
    try:
        args, unknown = parser().parse_known_args(argv)
        if unknown:
            args.usage_error(f"unrecognized arguments: {' '.join(unknown)}")
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")  # the locale may lack a character
        args.command = list(sys.argv[1:] if argv is None else argv)
        code: int = args.run(args)
        sys.stdout.flush()
    except (BadUsage, BadInput, BadLayout, LookupError) as e:
        if isinstance(e, (KeyError, IndexError)):
            raise  # a bug; other LookupErrors name an unknown backend
        print(f"{PREFIX}: {printable(str(e))}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        close_output()
        return 2
    except OSError as e:
        if e.filename is None and e.errno not in DISK_FULL:
            raise
        close_output()
        print(f"{PREFIX}: {printable(str(e.filename or 'the output'))}: {e.strerror}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"{PREFIX}: interrupted", file=sys.stderr)
        return 130
    return code


def close_output() -> None:
    """Send unwritten output to the null device, so that Python does not try to write it again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
