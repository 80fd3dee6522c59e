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
from difflib import get_close_matches
from functools import partial
from typing import Any, NoReturn

import harness
from harness.commands.completion import SHELLS, script
from harness.model.errors import BadUsage
from harness.model.invocation import PREFIX, PROGRAM
from harness.reporting.printable import printable, to_stderr
from puzzles.errors import BadInput, BadLayout

VERBS = {  # file in commands/, and what it does
    "run": "solve puzzles with several solvers, time them, and check that the answers agree",
    "check": "check answers, without timing them, against each other and a golden file",
    "report": "print the report of a journal again, without running a solver",
    "compare": "compare two contenders or journals: regressed, improved, lost, gained and contradicted",
    "site": "make a folder of static pages from many journals: latest rankings, and changes over time",
    "places": "show the machines and places of a run: leases, outcomes, reference work over time, differences",
    "judge": "check every stored solution of a journal again, and update its verdicts",
    "merge": "combine two journals of the same corpora and limits, or all shards of a run",
    "export": "write a journal in another format, or a finding as dimacs, python or line",
    "pack": "put a journal with experiment, logs, environment, page, and a script that runs it again into a zip file",
    "import": "turn results of others into a journal, which report, compare, merge and export take",
    "list": "list backends with versions or why they are missing, encodings, families and corpora",
    "compile": "compile the native backends into the cache: for images and CI",
    "solve": "solve one puzzle with one contender and draw it (exit 10: solution, 20: none, 0: unknown)",
    "count": "count the solutions of one puzzle, up to a limit, and check each of them",
    "show": "draw a puzzle, state the size of any other instance, or with --candidates the candidates of every square",
    "trace": "print the search of a solver: rounds, splits, branches and contradictions",
    "encode": "write instances in the formats of solvers: DIMACS, OPB, XCSP3, MiniZinc, LP, ...",
    "generate": "generate a shipped corpus again, or new puzzles of a kind, from a seed",
    "fuzz": "search for wrong answers, crashes and hangs on random boards, and save each kind as a finding",
    "shrink": "minimise the case of a finding, so that it still fails in the same way",
    "replay": "run the cases of findings again: exit 1 if any still fails, else 0",
    "place": "run places of a cluster on cores of this machine, which take leases of runs",
    "scheduler": "run the scheduler of a cluster, which places join",
}
GC_THRESHOLDS = 200_000, 20, 20  # instances are read by the million, and none is part of a cycle; imports make 80,000
DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
REQUIRED = ("numpy", "tabulate", "tqdm")  # packages without which only some verbs work


class CommandParser(argparse.ArgumentParser):
    """Parser whose errors are two lines: the mistake, with what may be meant, and where the usage is."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{PREFIX}: {message}\nsee `{self.prog} --help`\n")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            choices = list(map(str, action.choices))
            hint = meant(str(value), choices) or f"choose from {', '.join(choices)}"
            raise argparse.ArgumentError(action, f"no choice {value!r}: {hint}")

    def refuse(self, unknown: Sequence[str]) -> NoReturn:
        """End with the words that the verb does not take, and the options that may be meant."""
        elsewhere: Mapping[str, str] = self.get_default("elsewhere") or {}
        options = [word.partition("=")[0] for word in unknown if word.startswith("-")]
        hints = (elsewhere.get(name) or meant(name, self._option_string_actions) for name in options)
        more = "".join(f": {hint}" for hint in filter(None, hints))
        self.error(f"unrecognized arguments: {' '.join(unknown)}{more}")


def meant(word: str, known: Iterable[str]) -> str:
    """Return a question with the one or two known words that are like a word, '' without one."""
    near = get_close_matches(word, list(known), n=2, cutoff=0.65)
    return f"did you mean {' or '.join(near)}?" if near else ""


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
    top = CommandParser(prog=PROGRAM, description=harness.__doc__)
    top.add_argument("--version", action=Version, nargs=0, help="show the version and exit")
    top.add_argument(
        "--completion", action=Completion, choices=SHELLS, help='complete words: eval "$(crosscheck --completion bash)"'
    )
    verbs = top.add_subparsers(dest="verb", required=True, metavar="VERB")
    for verb, purpose in VERBS.items():
        sub = verbs.add_parser(
            verb, help=purpose, description=purpose, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        if verb in wanted:
            complete(sub, verb)
    return top


def complete(sub: argparse.ArgumentParser, verb: str) -> None:
    """Give the parser of a verb its arguments."""
    module = importlib.import_module(f"harness.commands.{verb}{'_' * keyword.iskeyword(verb)}")
    usage = getattr(module, "USAGE", None)
    sub.usage = usage and f"{PROGRAM} {verb} {usage}"
    sub.epilog = getattr(module, "EPILOG", None)
    module.add_arguments(sub)
    elsewhere = getattr(module, "ELSEWHERE", {})
    sub.set_defaults(run=module.run, usage_error=sub.error, refuse=getattr(sub, "refuse", None), elsewhere=elsewhere)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb. Returns the exit code: see docs/exit-codes.md."""
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
        # not inside this hook, whose own exceptions are ignored too
        later = threading.Timer(0.01, os.kill, (os.getpid(), signal.SIGINT))
        later.daemon = True
        later.start()
    else:
        others(event)


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
        to_stderr(f"{PREFIX}: {e}")
        return 2
    except ModuleNotFoundError as e:
        if e.name not in REQUIRED:
            raise
        advice = (
            "activate the environment that has it, such as `. .venv/bin/activate`, or install the project: README.md"
        )
        print(f"{PREFIX}: {sys.executable} has no package {e.name}: {advice}", file=sys.stderr)
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
