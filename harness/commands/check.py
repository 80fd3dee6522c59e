"""`check`: correctness alone, as fast as it goes, against a golden file that is made to be read in a diff."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.commands import arguments as shared

if TYPE_CHECKING:
    from harness.reporting.golden import Difference, Entry

HELP = "check the answers alone, against each other and a golden file"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("corpus", nargs="+", help="a file, or the name of a corpus that ships")
    shared.contenders(parser)
    parser.add_argument("-n", "--puzzles", type=shared.positive, metavar="N", help="only the first N of each corpus")
    parser.add_argument(
        "-t", "--timeout", type=shared.seconds, default=10.0, metavar="SECONDS", help="wall time that a puzzle has (10)"
    )
    parser.add_argument("-j", "--jobs", type=shared.positive, metavar="N", help="batches at a time (one a core)")
    shared.reading(parser)
    parser.add_argument("--golden", type=Path, metavar="FILE", help="what the answers must be")
    parser.add_argument("--update", action="store_true", help="write the golden file from the answers")


def run(args: argparse.Namespace) -> int:
    from harness.model.errors import BadUsage
    from harness.reporting import golden, tables
    from harness.storing.baselines import writable

    before = []
    if args.update and not args.golden:
        raise BadUsage("--update needs the file to write: --golden FILE")
    if args.golden and (args.golden.exists() or not args.update):
        if not args.golden.exists():
            raise BadUsage(f"{args.golden}: no such golden file: make it by adding --update")
        before = golden.read(args.golden)
    if args.update:
        writable(args.golden)
    summary, today = answered(args)
    print(tables.agreement_line(summary), *tables.disagreement_lines(summary), sep="\n")
    code: int = summary["exit"]
    if args.golden and code != 130:
        found = golden.difference(before, today)
        if args.update:
            return updated(args.golden, found, code)
        for word in ("changed", "weaker", "stronger"):
            for line in getattr(found, word):
                print(f"{word}: {line}")
        print(f"golden:    {found.same} of {tables.plural(len(today), 'puzzle')} as in {args.golden}")
        code = 1 if found.changed else code or (4 if found.weaker else 0)
    return code


def updated(path: Path, found: "Difference", code: int) -> int:
    """Write the golden file, unless the answers are wrong."""
    from harness.reporting import golden, tables

    if code in (1, 2):
        print(f"harness: {path}: not written, since answers are wrong", file=sys.stderr)
        return code
    golden.write(path, found.kept)
    print(f"golden:    {tables.plural(len(found.kept), 'puzzle')} written to {path}")
    return code


def fastest(patterns: Sequence[str]) -> list[str]:
    """The contenders named, or the default ones, kept warm where they can be."""
    from backends import registry
    from harness.model.contender import DEFAULT

    if patterns:
        return list(patterns)
    found = []
    for name in DEFAULT:
        backend = registry.find(name.partition("/")[0])
        found.append(name + ("+warm" if "warm" in backend.can else ""))
    return found


def answered(args: argparse.Namespace) -> "tuple[dict[str, Any], list[Entry]]":
    """Run with a count of 2 into a journal that is not kept: its summary, and what is known of each instance."""
    import tempfile

    from harness.commands.run import follow, say
    from harness.model.host import cores
    from harness.model.settings import RunSettings
    from harness.reporting import golden
    from harness.run import Run
    from harness.start import Request, create_run
    from puzzles.formats import ReaderOptions

    settings = RunSettings(limit=args.timeout, count=2, jobs=args.jobs or len(cores()) or 1)
    options = ReaderOptions(args.as_, args.alphabet)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "check.sqlite"
        request = Request(args.corpus, fastest(args.backend), settings, options, args.puzzles, path, args.command)
        with create_run(request, say) as journal:
            made = Run(journal)
            made.finish(follow(made.solve(), journal.size() * len(made.contenders)))
            return made.summary(), golden.entries(journal, made.referee.evidence)
