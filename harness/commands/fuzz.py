"""`fuzz`: random boards for every contender, what is wrong confirmed and kept, a file for each kind of failure."""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from harness.commands import arguments as shared

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.fuzzing.campaign import Campaign
    from harness.fuzzing.finding import Finding

NINE = "sudoku 3x3"
HELP = "look for wrong answers, crashes and hangs on random boards, and keep what fails"


def arguments(parser: argparse.ArgumentParser) -> None:
    shared.contenders(parser)
    shared.programs(parser)
    parser.add_argument(
        "--as", dest="as_", metavar="LAYOUT", help="boards of this layout alone, as 'sudoku 3x3' (random layouts)"
    )
    parser.add_argument("--seconds", type=shared.seconds, metavar="N", help="stop after so long (Ctrl-C)")
    parser.add_argument("--cases", type=shared.positive, metavar="N", help="stop after so many boards")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the boards (1)")
    parser.add_argument(
        "-t", "--timeout", type=shared.seconds, default=1.0, metavar="SECONDS", help="wall time that a board has (1)"
    )
    parser.add_argument(
        "-m",
        "--memory",
        type=shared.natural,
        default=2048,
        metavar="MIB",
        help="memory that a worker has, 0 for any (2048)",
    )
    parser.add_argument("-j", "--jobs", type=shared.positive, metavar="N", help="workers at a time (all cores)")
    parser.add_argument("-o", "--output", default="findings", metavar="FOLDER", help="where findings go (findings)")


def run(args: argparse.Namespace) -> int:
    from backends.programs import name_programs
    from encoders.formula import Text
    from encoders.registry import ENCODINGS
    from harness.fuzzing.campaign import Campaign
    from harness.model.contender import resolve
    from harness.model.host import cores
    from harness.model.reading import named
    from harness.model.settings import RunSettings
    from harness.reporting.tables import plural
    from puzzles.families import layout

    name_programs(named(args.program))
    contenders, notes = resolve(args.backend)
    writable(Path(args.output))
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
    settings = RunSettings(args.timeout, memory=args.memory << 20)
    only = layout(args.as_) if args.as_ else None
    untold = [c.name for c in contenders if ENCODINGS[c.encoding].formula is Text]
    if untold and only is None:
        only = layout(NINE)
        print(f"note: {untold[0]} is not told what a board is, so all are {NINE}, or what --as says", file=sys.stderr)
    campaign = Campaign(contenders, settings, args.seed, args.jobs or len(cores()) or 1, only, named(args.program))
    boards = only.name if only else "random layouts"
    print(f"{plural(len(contenders), 'contender')}, {boards}, limit {args.timeout:g} s, seed {args.seed}", flush=True)
    findings = campaign.run(args.seconds, args.cases, lambda: progress(campaign))
    found, stopped = keep(findings, Path(args.output))
    if sys.stderr.isatty():
        print(file=sys.stderr)
    print(closing(campaign, found))
    return 130 if stopped else int(bool(found))


def writable(folder: Path) -> None:
    """Find out before hours have passed that findings can't be kept there. Raises BadUsage."""
    from harness.model.errors import BadUsage

    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError as e:
        raise BadUsage(f"{folder}: findings can't be kept there: {e.strerror}") from None


def keep(findings: "Iterator[Finding]", folder: Path) -> tuple[int, bool]:
    """Write findings as they come: how many, and whether somebody stopped it."""
    from harness.fuzzing.finding import text, write
    from harness.fuzzing.naming import command, path_of
    from harness.model.errors import BadUsage

    found = 0
    try:
        for finding in findings:
            path = path_of(finding, folder)
            known = path.exists()
            found += 1
            print(f"\n{finding.case.contender}: {finding.signature}{' (kept before)' if known else ''}")
            print(f"  expected {finding.expected}; seen {finding.seen}")
            try:
                if not known:
                    write(finding, path)
                print(f"  {command('shrink', path, finding)}", flush=True)
            except BadUsage as e:
                print(f"  {e}: here is what would be in the file", text(finding), sep="\n", flush=True)
    except KeyboardInterrupt:
        return found, True
    return found, False


def progress(campaign: "Campaign") -> None:
    """One line, where somebody watches."""
    if sys.stderr.isatty():
        t = campaign.tally
        text = f"round {t.rounds}: {t.cases} boards, {t.answers} answers, {len(campaign.found)} findings"
        print(f"\r{text}\033[K", end="", file=sys.stderr, flush=True)


def closing(campaign: "Campaign", found: int) -> str:
    """What was done and found, in a few lines."""
    from harness.reporting.tables import plural

    t = campaign.tally
    lines = [
        f"{plural(t.cases, 'board')} of {plural(t.rounds, 'layout')}, {plural(t.answers, 'answer')}; the count of"
        f" {plural(t.counted, 'board')} is known by exhaustive search",
        *(
            f"{name}: {plural(n, 'slow answer')}, within {campaign.settings.limit * 4:g} s"
            for name, n in t.slow.items()
        ),
        *(f"{name}: {plural(n, 'layout')} refused" for name, n in t.refused.items()),
        *(f"{what}: seen {plural(n, 'time')}, not when asked again alone" for what, n in t.unconfirmed.items()),
        plural(found, "finding"),
    ]
    return "\n".join(lines)
