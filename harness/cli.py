"""Command line: parse, run one verb, and return the exit code."""

import argparse
import atexit
import errno
import gc
import importlib
import io
import keyword
import os
import signal
import sys
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import partial
from time import sleep
from typing import Any, NoReturn

from harness.commands.completion import SHELLS, script
from harness.model.errors import BadUsage
from harness.model.invocation import FORMER, GROUPS, PREFIX, PROGRAM, VERBS, as_called
from harness.reporting.writing.printable import to_stderr
from puzzles.errors import BadInput, BadLayout

CODES = "exit codes: 0 clean, 1 wrong, 2 bad usage or input, 3 regression, 4 undecided"
GC_THRESHOLDS = 200_000, 20, 20  # instances are read by the million, and none is part of a cycle; imports make 80,000
DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
REQUIRED = ("numpy", "tabulate", "tqdm")  # packages without which only some verbs work


class MisusedVerb(BadUsage):
    """A command line that does not fit its verb; `program` is that with the verb."""

    def __init__(self, message: str, program: str) -> None:
        super().__init__(message)
        self.program = program


class CommandParser(argparse.ArgumentParser):
    """Parser with errors of two lines: the mistake with similar words, and the command that prints the usage.

    brief  text of each argument that the short help shows, in its order, by dest; empty: the help has all
    """

    brief: Mapping[str, str] = {}

    def brief_help(self) -> str:
        """Return the help on the arguments that most people use, on one screen."""
        by_dest = {action.dest: action for action in self._actions}
        rows = [(named(by_dest[dest]), text) for dest, text in self.brief.items()]
        head = [self.format_usage().strip(), str(self.description), ""]
        ends = [f"`{self.prog} --help all` has the other {len(by_dest) - len(rows) - 1} options, by group", CODES]
        return "\n".join([*head, *(f"  {name:<28}{text}" for name, text in rows), "", *ends, ""])

    def error(self, message: str) -> NoReturn:
        raise MisusedVerb(message, self.prog)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            choices = list(map(str, action.choices))
            former = f"it is now `{FORMER[value]}`" if action.dest == "verb" and value in FORMER else ""
            hint = former or meant(str(value), choices) or f"choose from {', '.join(choices)}"
            raise argparse.ArgumentError(action, f"no choice {value!r}: {hint}")

    def refuse(self, unknown: Sequence[str]) -> NoReturn:
        """Raise MisusedVerb for words that the verb does not take, with the options that may be meant."""
        elsewhere: Mapping[str, str] = self.get_default("elsewhere") or {}
        options = [word.partition("=")[0] for word in unknown if word.startswith("-")]
        hints = (elsewhere.get(name) or meant(name, self._option_string_actions) for name in options)
        more = "".join(f": {hint}" for hint in filter(None, hints))
        self.error(f"unrecognized arguments: {' '.join(unknown)}{more}")


def meant(word: str, known: Iterable[str]) -> str:
    """Return a question with the one or two known words most like a word, '' if none is similar."""
    near = get_close_matches(word, list(known), n=2, cutoff=0.65)
    return f"did you mean {' or '.join(near)}?" if near else ""


def named(action: argparse.Action) -> str:
    """Return the names of an argument with its value, as the help shows them."""
    if not action.option_strings:
        return str(action.metavar)
    value = action.metavar or action.dest.upper()
    shown = "" if action.nargs == 0 else f" [{value}]" if action.nargs == "?" else f" {value}"
    return ", ".join(action.option_strings[:2]) + shown


class Help(argparse.Action):
    """Print the help of a verb: the short help if there is one, with `all` the whole help."""

    def __call__(self, parser: argparse.ArgumentParser, _: object, value: Any, option: str | None = None) -> None:
        short = isinstance(parser, CommandParser) and parser.brief and value != "all"
        print(parser.brief_help() if short else parser.format_help(), end="")  # type: ignore[attr-defined]
        parser.exit()


class Verbs(argparse.Action):
    """Print the verbs in groups."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        print(verbs_help(parser.prog), end="")
        parser.exit()


def verbs_help(prog: str) -> str:
    """Return the verbs in groups, on one screen."""
    lines = [
        f"usage: {prog} VERB ...; VERB --help; --version; --completion bash|zsh",
        "Run instances through SAT, PB, CP, MIP and native solvers, time and check them.",
    ]
    for group, verbs in GROUPS.items():
        names = [group, *[""] * (len(verbs) - 1)]
        lines += [f"{name:<9}{verb:<10}{text}" for name, (verb, text) in zip(names, verbs.items(), strict=True)]
    return "\n".join([*lines, ""])


class Version(argparse.Action):
    """Print the version, which takes a look-up, so it is made only here."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from harness.model.release import installed

        print("crosscheck", installed() or "(not installed)")
        parser.exit()


class Completion(argparse.Action):
    """Print a completion script, which lists the corpora, so it is made only here."""

    def __call__(self, parser: argparse.ArgumentParser, _: object, shell: Any, option: str | None = None) -> None:

        print(script(make_parser(), shell), end="")
        parser.exit()


def make_parser(wanted: Collection[str] = VERBS.keys()) -> CommandParser:
    """Return the parser of all verbs; only wanted ones have their arguments, whose loading takes time."""
    top = CommandParser(prog=PROGRAM, add_help=False)
    top.add_argument("-h", "--help", action=Verbs, nargs=0, help="show the verbs and exit")
    top.add_argument("--version", action=Version, nargs=0, help="show the version and exit")
    top.add_argument(
        "--completion", action=Completion, choices=SHELLS, help='complete words: eval "$(crosscheck --completion bash)"'
    )
    verbs = top.add_subparsers(dest="verb", required=True, metavar="VERB")
    for verb, purpose in VERBS.items():
        sub = verbs.add_parser(
            verb,
            help=purpose,
            description=purpose,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            add_help=False,
        )
        sub.add_argument("-h", "--help", action=Help, nargs="?", metavar="all", help="show this help and exit")
        if verb in wanted:
            complete(sub, verb)
    return top


def complete(sub: CommandParser, verb: str) -> None:
    """Give the parser of a verb its arguments."""
    module = importlib.import_module(f"harness.commands.{verb}{'_' * keyword.iskeyword(verb)}")
    usage = getattr(module, "USAGE", None)
    sub.usage = usage and f"{PROGRAM} {verb} {usage}"
    sub.epilog = getattr(module, "EPILOG", None)
    sub.brief = getattr(module, "BRIEF", {})
    module.add_arguments(sub)
    sub.set_defaults(run=module.run, refuse=sub.refuse, elsewhere=getattr(module, "ELSEWHERE", {}))


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb. Returns the exit code: see docs/reference/exit-codes.md."""
    if argv is None:
        prepare_process()
    others = sys.unraisablehook
    sys.unraisablehook = partial(interrupt_again, others)
    try:
        return run_verb(argv)
    finally:
        sys.unraisablehook = others


def prepare_process() -> None:
    """Make a process that only runs one verb start, work and end faster."""
    gc.set_threshold(*GC_THRESHOLDS)
    atexit.register(gc.freeze)  # so that the interpreter has nothing to search for garbage when it ends
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy starts a thread for each core, which nothing here needs


def interrupt_again(others: Callable[["sys.UnraisableHookArgs"], object], event: "sys.UnraisableHookArgs") -> None:
    """Deliver Ctrl-C once more if it fell into a finaliser, where Python prints exceptions and goes on."""
    if event.exc_type is KeyboardInterrupt:
        threading.Thread(target=interrupt_after_hook, daemon=True).start()
    else:
        others(event)


def interrupt_after_hook() -> None:
    """Interrupt the main thread once it has left `interrupt_again`, whose own exceptions are ignored too."""
    from traceback import walk_stack

    main = threading.main_thread().ident or 0
    while any(frame.f_code is interrupt_again.__code__ for frame, _ in walk_stack(sys._current_frames()[main])):
        sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)


def run_verb(argv: Sequence[str] | None) -> int:
    """Run the verb that the command line names. Returns the exit code."""
    words = sys.argv[1:] if argv is None else list(argv)
    try:
        args, unknown = make_parser(words).parse_known_args(words)
        if unknown:
            args.refuse(unknown)
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")  # the locale may lack a character
        args.command = words
        code: int = args.run(args)
        sys.stdout.flush()
    except (BadUsage, BadInput, BadLayout, LookupError) as e:
        if isinstance(e, (KeyError, IndexError)):
            raise  # a bug; other LookupErrors name an unknown backend
        return failed(words, str(e), e.program if isinstance(e, MisusedVerb) else "")
    except ModuleNotFoundError as e:
        if e.name not in REQUIRED:
            raise
        advice = (
            "activate the environment that has it, such as `. .venv/bin/activate`, or install the project: README.md"
        )
        return failed(words, f"{sys.executable} has no package {e.name}: {advice}")
    except BrokenPipeError:
        close_output()
        return 2
    except OSError as e:
        if e.filename is None and e.errno not in DISK_FULL:
            raise
        close_output()
        return failed(words, f"{e.filename or 'the output'}: {e.strerror}")
    except KeyboardInterrupt:
        print(f"{PREFIX}: interrupted", file=sys.stderr)
        return 130
    return code


def failed(words: Sequence[str], message: str, program: str = "") -> int:
    """Print an error and where the usage is, with --json the error as an object too; return the exit code."""
    to_stderr(f"{PREFIX}: {message}")
    if program:
        print(f"see `{program} --help`", file=sys.stderr)
    if target := json_target(words):
        from harness.commands.output import write_json

        with suppress(BadUsage, OSError):  # which is the error that is told
            write_json({"error": as_called(message), "exit": 2}, target)
    return 2


def json_target(words: Sequence[str]) -> str:
    """Return the value of --json in the words of a command line, '' without one."""
    pairs = zip(words, [*words, ""][1:], strict=True)
    return next((after if word == "--json" else word[7:] for word, after in pairs if word.startswith("--json")), "")


def close_output() -> None:
    """Send unwritten output to the null device, so that Python does not try to write it again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
