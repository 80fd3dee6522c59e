"""`check`: check answers without timing them, against each other and a golden file."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.commands import arguments as shared
from harness.commands.given import print_note, pythons_of, reader_options
from harness.model.errors import BadUsage
from harness.model.invocation import PREFIX

if TYPE_CHECKING:
    from harness.reporting.formats.golden import Difference, Entry, Today
    from harness.reporting.frame.entries import Summary

EPILOG = f"{shared.CONTENDERS}\n\n{shared.EXIT_CODES}"
KINDS = ("changed", "weaker", "stronger")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_corpora(parser, "+")
    shared.add_contenders(parser)
    shared.add_programs(parser)
    shared.add_environments(parser)
    shared.add_timeout(parser, 10.0)
    shared.add_jobs(parser)
    parser.add_argument("--golden", type=Path, metavar="FILE", help="golden file to compare the answers with")
    parser.add_argument("--update", action="store_true", help="write the golden file from the answers")
    shared.add_json(parser)
    parser.add_argument(
        "--format",
        choices=("text", "markdown", "junit", "github"),
        default="text",
        help="format of the report (default text)",
    )


def run(args: argparse.Namespace) -> int:
    from harness.commands.output import annotate_failures, write_json
    from harness.reporting.formats import check_report, golden
    from harness.reporting.frame.summary import exit_code
    from harness.storing.baselines import check_writable

    before = []
    if args.update and not args.golden:
        raise BadUsage("--update needs the file to write: --golden FILE")
    if args.golden and (args.golden.exists() or not args.update):
        if not args.golden.exists():
            raise BadUsage(f"{args.golden}: no such golden file: create it with --update")
        before = golden.read(args.golden)
    if args.update:
        check_writable(args.golden)
    summary, today = solve_all(args)
    summary["golden"] = None
    if args.golden and summary["exit"] != 130:
        here, elsewhere = golden.in_scope(before, [t.entry for t in today], whole_corpora(args))
        found = golden.difference(here, today)
        refuted = exit_code(summary | {"malformed": []}) in (1, 2)  # malformed files are entries
        written = args.update and update_golden(args.golden, [*found.kept, *elsewhere], refuted)
        summary["golden"] = golden_entry(args.golden, found, len(today), written)
        if not args.update:
            summary["exit"] = 1 if found.changed else summary["exit"] or (4 if found.weaker else 0)
    if args.json:
        write_json(summary, args.json)
    if args.json != "-":
        print(check_report.FORMATS[args.format](summary, [t.entry for t in today]))
        if args.format == "github":
            annotate_failures(summary)
    code: int = summary["exit"]
    return code


def whole_corpora(args: argparse.Namespace) -> set[str]:
    """Return the names of the corpora that are read whole."""
    from harness.model.reading import file_and_line

    places = [file_and_line(text) for text in args.corpus]
    return {
        path.name
        for path, line in places
        if not line and not (args.puzzles or args.only or args.exclude or args.where or args.sample)
    }


def golden_entry(path: Path, found: "Difference", puzzles: int, written: bool) -> dict[str, Any]:
    """Return the comparison with a golden file as data for --json."""
    lines = {kind: [] if written else getattr(found, kind) for kind in KINDS}
    return {"file": str(path), "puzzles": puzzles, "same": found.same, "written": written} | lines


def update_golden(path: Path, found: "Sequence[Entry]", refuted: bool) -> bool:
    """Write the golden file, unless an answer or claim is wrong. Returns True if it is written."""
    from harness.reporting.formats import golden
    from harness.reporting.writing.printable import printable

    if refuted:
        print(f"{PREFIX}: {printable(str(path))}: not written, because answers or claims are wrong", file=sys.stderr)
        return False
    golden.write(path, sorted(found, key=golden.natural_key))
    return True


def default_contenders() -> list[str]:
    """Return the default contenders, warm where supported."""
    from backends.contract import catalogue
    from harness.model.settings import DEFAULT_CONTENDERS

    found = []
    for name in DEFAULT_CONTENDERS:
        backend = catalogue.describe(name.partition("/")[0])
        found.append(name + ("+warm" if "warm" in backend.can else ""))
    return found


def most_asked(args: argparse.Namespace) -> int:
    """Return the number of solutions to ask for: 2, or 1 with a note if a named contender finds only one."""
    from harness.model.contender import resolve
    from harness.model.patterns import is_glob
    from harness.model.reading import parse_assignments

    programs, envs = parse_assignments(args.program), pythons_of(args)
    for name in (name for name in args.backend if not is_glob(name)):
        try:
            resolve([name], 2, envs, programs=programs)
        except BadUsage as e:
            resolve([name], 1, envs, programs=programs)
            print_note(f"one solution is asked for, so uniqueness is not checked: {e}")
            return 1
    return 2


def solve_all(args: argparse.Namespace) -> "tuple[Summary, list[Today]]":
    """Run into a temporary journal; return its summary and golden entries.

    Two solutions are asked for, one if a contender finds no more; of an instance with an objective the best one.
    """
    import tempfile

    from harness.commands.run import solve
    from harness.model.host import cores
    from harness.model.reading import parse_assignments
    from harness.model.settings import RunSettings
    from harness.reporting.formats import golden
    from harness.runs.runner import Run
    from harness.runs.start import Request, create_run

    settings = RunSettings(
        limit=args.timeout,
        count=most_asked(args),
        jobs=args.jobs or len(cores()) or 1,
        programs=parse_assignments(args.program),
        pythons=pythons_of(args),
        ignore_objective=args.ignore_objective,
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "check.sqlite"
        request = Request(
            args.corpus,
            args.backend,
            settings,
            reader_options(args),
            args.puzzles,
            path,
            args.command,
            defaults=default_contenders(),
            mixed=True,
        )
        with create_run(request, print_note) as journal:
            this_run = Run(journal)
            this_run.finish(solve(this_run, print_note), print_note)
            return this_run.summary(), golden.entries(journal, this_run.referee)
