"""`run`: corpora x contenders, timed, judged, stored and reported. `run` below reads as the data flows."""

import argparse
import sys
from typing import TYPE_CHECKING, Any

from harness.commands import arguments as shared

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.model.settings import RunSettings
    from harness.storing.journal import Journal


HELP = "run puzzles through solvers, time them, and check that the answers agree"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("corpus", nargs="*", help="a file, or the name of a corpus that ships (see `list --corpora`)")
    shared.contenders(parser)
    shared.programs(parser)
    parser.add_argument("-n", "--puzzles", type=shared.positive, metavar="N", help="only the first N of each corpus")
    parser.add_argument(
        *("-r", "--repeats", "--runs"),
        dest="repeats",
        type=shared.positive,
        default=1,
        metavar="N",
        help="repeats of everything, by fresh workers (1)",
    )
    parser.add_argument(
        "-w", "--warmup", type=shared.natural, default=0, metavar="N", help="asks ahead of the first that counts (0)"
    )
    parser.add_argument("--scramble", action="store_true", help="give each repeat of a puzzle a random symmetry of it")
    shared.limits(parser)
    parser.add_argument("--proof", action="store_true", help="ask for proofs of completeness, and check them")
    parser.add_argument("--cpu", type=shared.seconds, metavar="SECONDS", help="CPU time that a puzzle has")
    parser.add_argument(
        "-m", "--memory", type=shared.positive, default=0, metavar="MIB", help="memory that a worker has"
    )
    parser.add_argument("--peak", action="store_true", help="measure the peak memory of each ask (0.1 ms, not charged)")
    parser.add_argument("-j", "--jobs", type=shared.positive, default=1, metavar="N", help="batches at a time (1)")
    parser.add_argument("--no-pin", action="store_true", help="leave it to the system on which core a worker runs")
    parser.add_argument("--env", action="append", default=[], metavar="NAME=PYTHON", help="what runs contenders @NAME")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of turns and symmetries (1)")
    shared.reading(parser)
    parser.add_argument("-o", "--output", metavar="PATH", help="the journal to write (results/DATE-CORPUS-N.sqlite)")
    parser.add_argument("--save-baseline", metavar="NAME", help="keep the journal for `compare --baseline NAME`")
    parser.add_argument("--resume", metavar="JOURNAL", help="go on with a run that was stopped, and nothing else")
    parser.add_argument("--force", action="store_true", help="resume although corpora or versions have changed")
    parser.add_argument("--json", metavar="PATH", help="write the summary there; - writes it to standard output alone")
    shared.matrix(parser)
    parser.add_argument("--format", choices=("table", "markdown", "csv"), default="table", help="of the table")


def run(args: argparse.Namespace) -> int:
    from harness.reporting import matrix, ranking, tables
    from harness.run import Run
    from harness.storing.baselines import baseline, save_baseline, writable

    cut = matrix.asked(args.matrix, args.pivot)
    if args.json and args.json != "-":
        open(args.json, "a").close()  # what can't be written is found before the run
    if args.save_baseline:
        writable(baseline(args.save_baseline))  # what can't be is found before the run
    with start(args) as journal:
        made = Run(journal)
        if args.json != "-" and args.format == "table":
            print(tables.header(journal), end="\n\n", flush=True)
        state = follow(made.solve(say), journal.size() * len(made.contenders) * made.settings.repeats)
        made.finish(state)
        if args.save_baseline and state == "complete":
            save_baseline(journal, args.save_baseline)
        summary = made.summary()
        offers = to_shrink(journal, summary)
    if args.json:
        write_json(summary, args.json)
    if args.json != "-":
        print(ranking.report(summary, args.format), *offers, sep="\n")
        if cut:
            print("", matrix.matrix(summary, *cut, args.format, tables.page()), sep="\n")
    code: int = summary["exit"]
    return code


def start(args: argparse.Namespace) -> "Journal":
    """The journal of a new run, or of the one to resume. Raises BadInput, BadUsage."""
    from pathlib import Path

    from harness.model.errors import BadUsage
    from harness.start import Request, create_run, resume_run
    from puzzles.formats import ReaderOptions

    if args.resume:
        if args.corpus or args.backend:
            raise BadUsage("--resume takes corpora and contenders from the journal: name neither")
        return resume_run(Path(args.resume), args.jobs, not args.no_pin, args.force)
    request = Request(
        args.corpus,
        args.backend,
        settings(args),
        ReaderOptions(args.as_, args.alphabet),
        args.puzzles,
        Path(args.output) if args.output else None,
        args.command,
    )
    return create_run(request, say)


def settings(args: argparse.Namespace) -> "RunSettings":
    """The settings that the command line states."""
    from harness.model.reading import named
    from harness.model.settings import RunSettings

    return RunSettings(
        limit=args.timeout,
        count=args.count,
        cpu=args.cpu,
        memory=args.memory << 20,
        opening=args.open_limit,
        warmup=args.warmup,
        peak=args.peak,
        proof=args.proof,
        repeats=args.repeats,
        seed=args.seed,
        scramble=args.scramble,
        jobs=args.jobs,
        pin=not args.no_pin,
        programs=named(args.program),
        pythons=named(args.env),
    )


def to_shrink(journal: "Journal", summary: dict[str, Any]) -> list[str]:
    """For each contender that was wrong, how to make its first wrong answer small; writes the finding."""
    from harness.fuzzing.suggestions import save_and_suggest

    first: dict[str, int] = {}
    for disagreement in summary["agreement"]["disagreements"]:
        for contender in disagreement["contenders"]:
            first.setdefault(contender, disagreement["id"])
    folder = journal.path.parent / "findings"
    return [save_and_suggest(journal, puzzle, contender, folder) for contender, puzzle in first.items()]


def say(text: str) -> None:
    """A line for whoever waits."""
    print(f"note: {text}", file=sys.stderr, flush=True)


def follow(outcomes: "Iterator[int]", total: int) -> str:
    """Take outcomes as they come, with a bar where somebody watches; how it ended: complete or interrupted."""
    import signal

    from tqdm import tqdm

    bar = tqdm(total=total, unit=" outcomes", file=sys.stderr, disable=not sys.stderr.isatty(), leave=False)
    try:
        with bar:
            for some in outcomes:
                bar.update(some)
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # what is left takes a moment, and leaves the journal whole
        return "interrupted"
    return "complete"


def write_json(summary: dict[str, Any], path: str) -> None:
    """The summary to a file, or to standard output."""
    import json
    from pathlib import Path

    from harness.model.errors import BadUsage

    text = json.dumps(summary, indent=2) + "\n"
    if path == "-":
        sys.stdout.write(text)
        return
    try:
        Path(path).write_text(text)
    except OSError as e:
        raise BadUsage(f"{path}: {e.strerror}") from e
