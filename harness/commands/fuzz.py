"""`fuzz`: run contenders on random boards and problems, confirm failures, and write a finding for each kind."""

import argparse
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.commands import arguments as shared
from harness.commands.given import print_note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.fuzzing.campaign import Campaign
    from harness.fuzzing.findings.finding import Finding
    from harness.model.settings import RunSettings

QUERIES = "queries"
MAX_TROUBLE = 5  # lines
D4_BYTES = 8 << 30  # address space: D4 reserves pages of 4 GiB
EPILOG = f"""\
{shared.CONTENDERS}

exit codes: 0 no finding, 1 findings, 2 bad usage, 4 no finding, but a contender answered nothing, 130 interrupted"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_contenders(parser)
    shared.add_programs(parser)
    parser.add_argument(
        "--as",
        dest="as_",
        metavar="LAYOUT",
        help="layout of all boards, such as 'sudoku 3x3'; or random problems of one kind: cnf, opb, csp, or with an "
        "objective wcnf, opb-opt, cop, ip; or queries, scripts for incremental solvers (default: random layouts and "
        "problems, each contender's kinds)",
    )
    parser.add_argument(
        "--count", choices=("all",), help="all: random formulas for counters of models, such as -b 'models:sdd[raw=1]'"
    )
    parser.add_argument(
        "--seconds", type=shared.positive_seconds, metavar="N", help="stop after N seconds (default: at Ctrl-C)"
    )
    parser.add_argument("--cases", type=shared.positive_int, metavar="N", help="stop after N boards are drawn")
    parser.add_argument("--seed", type=shared.seed, default=1, metavar="N", help="random seed (default 1)")
    shared.add_timeout(parser, 1.0, "board")
    parser.add_argument(
        "-m",
        "--memory",
        type=shared.non_negative_int,
        default=2048,
        metavar="MIB",
        help="memory limit per worker, 0 for none (default 2048)",
    )
    shared.add_jobs(parser)
    parser.add_argument(
        "-o", "--output", default="findings", metavar="FOLDER", help="folder for findings (default findings)"
    )


def run(args: argparse.Namespace) -> int:
    from harness.fuzzing.campaign import Campaign
    from harness.fuzzing.rounds.objectives import KINDS as OPTIMISED
    from harness.fuzzing.rounds.problems import KINDS
    from harness.model.contender import resolve
    from harness.model.host import cores
    from harness.model.reading import parse_assignments
    from harness.model.settings import DEFAULT_OPTIMISERS, RunSettings
    from harness.running.programs import with_version
    from puzzles.boards.families import layout
    from puzzles.errors import plural

    settings = RunSettings(args.timeout, memory=args.memory << 20, programs=parse_assignments(args.program))
    if args.count or args.as_ == QUERIES:
        return fuzz_files(args, settings)
    patterns = args.backend or (DEFAULT_OPTIMISERS if args.as_ in OPTIMISED else ())
    contenders, notes = resolve(patterns, programs=settings.programs)
    contenders = tuple(with_version(c, settings) for c in contenders)
    check_writable(Path(args.output))
    for note in notes:
        print_note(note)
    problems = args.as_ if args.as_ in KINDS or args.as_ in OPTIMISED else None
    only = layout(args.as_) if args.as_ and not problems else None
    campaign = Campaign(contenders, settings, args.seed, args.jobs or len(cores()) or 1, only, problems)
    note_refusals(campaign, chosen=bool(args.as_))
    only = campaign.layout
    boards = only.name if only else f"random {problems}" if problems else "random layouts and problems"
    print(f"{plural(len(contenders), 'contender')}, {boards}, limit {args.timeout:g} s, seed {args.seed}", flush=True)
    findings = campaign.run(args.seconds, args.cases, lambda: show_progress(campaign))
    found, stopped = save_findings(findings, Path(args.output))
    if sys.stderr.isatty():
        print(file=sys.stderr)
    print(closing_text(campaign, found))
    if stopped or found:
        return 130 if stopped else 1
    t = campaign.counts
    return 4 if any(t.asked[c.name] and not t.answered[c.name] for c in contenders) else 0


def fuzz_files(args: argparse.Namespace, settings: "RunSettings") -> int:
    """Run a campaign against counters of models or incremental solvers; print each failure and the file that shows it.

    Raises BadUsage.
    """
    from backends.contract.options import base_of
    from harness.fuzzing.counters import CounterFuzzer
    from harness.fuzzing.files import FileFuzzer
    from harness.fuzzing.queries import ScriptFuzzer
    from harness.model.contender import resolve
    from harness.model.errors import BadUsage
    from harness.model.settings import DEFAULT_COUNTERS
    from harness.reporting.writing.printable import printable
    from harness.runs.single import Asker

    counts = bool(args.count)
    if counts and args.as_:
        raise BadUsage("--count all draws formulas: leave out --as")
    contenders, _ = resolve(args.backend or (DEFAULT_COUNTERS if counts else ["queries:*"]), programs=settings.programs)
    if not counts and (other := next((c.name for c in contenders if base_of(c.backend) != QUERIES), "")):
        raise BadUsage(f"{other} takes no query scripts: queries:* do")
    check_writable(Path(args.output))
    if counts:
        settings = replace(settings, memory=max(settings.memory, D4_BYTES) if args.memory else 0, count_models=True)
    make: type[FileFuzzer[Any]] = CounterFuzzer if counts else ScriptFuzzer
    fuzzer, found = make(contenders, lambda contender: Asker(contender, settings), args.seed, settings.programs), 0
    try:
        for name, why, path in fuzzer.run(args.seconds, args.cases, Path(args.output)):
            found += 1
            print(printable(f"{name}: {why}"), f"  {path}", sep="\n", flush=True)
    except KeyboardInterrupt:
        return 130
    silent = [name for name, asker in fuzzer.askers.items() if not asker.answered]
    for name in silent:
        print(f"{name}: answered nothing")
    print(f"{fuzzer.cases:,} {'formulas' if counts else 'scripts'}, {found} findings")
    return 1 if found else 4 if silent else 0


def note_refusals(campaign: "Campaign", chosen: bool) -> None:
    """Print notes on contenders that are asked few boards or nothing; `chosen`: the layout or kind is that of --as.

    Raises BadUsage if all contenders are asked nothing.
    """
    from harness.model.errors import BadUsage

    asked_none = []
    for contender, can in zip(campaign.contenders, campaign.abilities, strict=True):
        if why := can.refusal(campaign.scope):
            asked_none.append(f"{contender.name} {why}")
        elif can.lines and not chosen:
            which = "all boards" if campaign.layout else "all its boards"
            print_note(
                f"{contender.name} is not told the layout, so {which} are {campaign.lines_layout}: --as changes it"
            )
    if len(asked_none) == len(campaign.contenders):
        raise BadUsage(asked_none[0])
    for text in asked_none:
        print_note(f"{text}: it is asked nothing")


def check_writable(folder: Path) -> None:
    """Check before a long campaign that findings can be written to a folder. Raises BadUsage."""
    from harness.model.errors import BadUsage

    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError as e:
        raise BadUsage(f"{folder}: can't write findings there: {e.strerror}") from None


def save_findings(findings: "Iterator[Finding]", folder: Path) -> tuple[int, bool]:
    """Save findings as they arrive; return their number, and True if Ctrl-C ended the campaign."""
    from harness.fuzzing.exporting.exporting import asked
    from harness.fuzzing.findings.finding import text, write
    from harness.fuzzing.findings.naming import command, path_of
    from harness.model.errors import BadUsage
    from harness.reporting.writing.printable import printable

    found = 0
    try:
        for finding in findings:
            path = path_of(finding, folder)
            known = path.exists()
            found += 1
            print(f"\n{finding.case.contender}: {finding.signature}{' (found before)' if known else ''}")
            print(printable(f"  expected {finding.expected}; seen {finding.seen}"))
            print("".join(f"  {line}\n" for line in asked(finding.case)), end="")
            try:
                if not known:
                    write(finding, path)
                print(f"  {command('shrink', path, finding)}", flush=True)
            except BadUsage as e:
                print(f"  {e}: the finding is printed instead", text(finding), sep="\n", flush=True)
    except KeyboardInterrupt:
        return found, True
    return found, False


def show_progress(campaign: "Campaign") -> None:
    """Update the progress line, on a terminal."""
    if sys.stderr.isatty():
        from puzzles.errors import plural

        t = campaign.counts
        counts = {"board": t.cases, "answer": t.asked.total(), "finding": len(campaign.found)}
        text = f"round {t.rounds}: {', '.join(plural(n, word) for word, n in counts.items())}"
        print(f"\r{text}\033[K", end="", file=sys.stderr, flush=True)


def asked_line(campaign: "Campaign", contender: int) -> str:
    """Return the number of boards that a contender was asked, and answered if it left some open."""
    from harness.fuzzing.campaign import COSTLY_INTERVAL
    from puzzles.errors import plural

    name, t = campaign.contenders[contender].name, campaign.counts
    less = f", answered {t.answered[name]:,}" if t.answered[name] < t.asked[name] else ""
    costly = f"; in 1 of {COSTLY_INTERVAL} rounds since it hung or crashed" if contender in campaign.costly else ""
    return f"{name}: asked {plural(t.asked[name], 'board')}{less}{costly}"


def closing_text(campaign: "Campaign", found: int) -> str:
    """Return the totals of a campaign."""
    from harness.reporting.writing.printable import printable
    from puzzles.errors import plural

    t = campaign.counts
    of = f" of {campaign.layout.name}" if campaign.layout else ""
    lines = [
        f"{plural(t.cases, 'board')}{of} drawn in {plural(t.rounds, 'round')}, {t.counted:,} counted by brute force",
        *(asked_line(campaign, c) for c in range(len(campaign.contenders))),
        *(printable(f"trouble: {name}: {text} ({n:,})") for (name, text), n in t.trouble.most_common(MAX_TROUBLE)),
        *(
            f"{name}: {plural(n, 'slow answer')}, but within {campaign.settings.limit * 4:g} s"
            for name, n in t.slow.items()
        ),
        *(f"{name}: {plural(n, 'layout')} unsupported" for name, n in t.refused.items()),
        *(f"{what}: seen {plural(n, 'time')}, not reproduced" for what, n in t.unconfirmed.items()),
        plural(found, "finding"),
    ]
    return "\n".join(lines)
