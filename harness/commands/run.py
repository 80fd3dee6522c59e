"""`run`: corpora x contenders, timed, judged, stored and reported. `run` below reads as the data flows."""

import argparse
import sys
from typing import TYPE_CHECKING, Any

from harness import arguments as shared

if TYPE_CHECKING:
    from pathlib import Path

    from harness.journal import Journal

HELP = "run puzzles through solvers, time them, and check that the answers agree"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("corpus", nargs="+", help="a file, or the name of a corpus that ships (see `list --corpora`)")
    shared.contenders(parser)
    parser.add_argument("-n", "--puzzles", type=shared.positive, metavar="N", help="only the first N of each corpus")
    parser.add_argument("-r", "--runs", type=shared.positive, default=1, metavar="N", help="repeats of everything (1)")
    shared.limits(parser)
    parser.add_argument("-j", "--jobs", type=shared.positive, default=1, metavar="N", help="batches at a time (1)")
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="of the order in which contenders take turns (1)"
    )
    shared.reading(parser)
    parser.add_argument("-o", "--output", metavar="PATH", help="the journal to write (results/DATE-CORPUS-N.sqlite)")
    parser.add_argument("--json", metavar="PATH", help="write the summary there; - writes it to standard output alone")
    parser.add_argument("--format", choices=("table", "markdown", "csv"), default="table", help="of the table")


def run(args: argparse.Namespace) -> int:
    from harness import tables
    from harness.contender import resolve
    from harness.journal import Journal
    from harness.pipeline import Court, Settings, solve
    from harness.summary import summarise
    from harness.supervisor import Limits

    contenders, notes = resolve(args.backend, args.count)
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
    corpora = [(name, puzzles) for name, puzzles in read_corpora(args)]
    path = journal_path(args.output, corpora[0][0])
    with Journal.create(path) as journal:
        record(journal, args, contenders, corpora)
        quiet = args.json == "-"
        if not quiet and args.format == "table":
            print(header(journal, args, len(contenders)), end="\n\n", flush=True)
        court = Court(journal, args.count)
        limits = Limits(args.timeout, args.count, opening=args.open_limit)
        settings = Settings(args.runs, args.seed, args.jobs)
        outcomes = solve(journal, contenders, court, limits, settings)
        total = journal.size() * len(contenders) * args.runs
        state = follow(outcomes, total)
        court.settle(journal)
        journal.put(state=state)
        summary = summarise(journal, court.known, court.evidence)
    if args.json:
        write_json(summary, args.json)
    if not quiet:
        print(tables.report(summary, args.format))
    code: int = summary["exit"]
    return code


def read_corpora(args: argparse.Namespace) -> Any:
    """Each corpus's name and its puzzles, streaming."""
    from itertools import islice

    from puzzles.corpora import find

    from puzzles.formats import Options, read

    for corpus in args.corpus:
        path = find(corpus)
        yield path.name, islice(read(path, Options(args.as_, args.alphabet)), args.puzzles)


def journal_path(output: str | None, corpus: str) -> "Path":
    """Where the journal goes: the named path, or the next free one in results/ of the working directory."""
    from datetime import date
    from itertools import count
    from pathlib import Path

    if output:
        return Path(output)
    stem = f"{date.today().isoformat()}-{corpus.rpartition('.')[0] or corpus}"
    paths = (Path("results") / f"{stem}-{i}.sqlite" for i in count(1))
    return next(path for path in paths if not path.exists())


def record(journal: "Journal", args: argparse.Namespace, contenders: Any, corpora: Any) -> None:
    """Put everything into the journal that the run depends on; bad input ends here, before anything is solved."""
    from harness.host import host, versions

    journal.put(
        command=sys.argv[1:] if sys.argv[0].endswith("__main__.py") else [],
        seed=args.seed,
        count=args.count,
        limit=args.timeout,
        runs=args.runs,
        host=host(),
        versions=versions(),
        state="running",
    )
    journal.add_contenders(contenders)
    for name, puzzles in corpora:
        journal.add_puzzles(name, puzzles)


def header(journal: "Journal", args: argparse.Namespace, contenders: int) -> str:
    """What is about to be run, in one line."""
    from harness.tables import plural

    meta = journal.meta()
    corpora = ", ".join(f"{name}: {plural(n, 'puzzle')}" for name, n in journal.corpora())
    kinds = ", ".join(dict.fromkeys(layout.name for layout, _ in journal.layout_counts()))
    warm = {c.warm for c in journal.contenders()}
    heat = "cold and warm" if len(warm) == 2 else "warm" if warm == {True} else "cold"
    repeats = f", {args.runs} runs" if args.runs > 1 else ""
    cores, python = meta["host"]["cores"], ".".join(meta["versions"]["python"].split(".")[:2])
    return (
        f"{corpora}, {kinds} | {plural(contenders, 'contender')}, {heat}, limit {args.timeout:g} s{repeats}"
        f" | seed {args.seed} | {plural(cores, 'core')}, Python {python}"
    )


def follow(outcomes: Any, total: int) -> str:
    """Take outcomes as they come, with a bar where somebody watches; how it ended: complete or interrupted."""
    from tqdm import tqdm

    bar = tqdm(total=total, unit=" outcomes", file=sys.stderr, disable=not sys.stderr.isatty(), leave=False)
    try:
        with bar:
            for some in outcomes:
                bar.update(len(some.rows))
    except KeyboardInterrupt:
        outcomes.close()
        return "interrupted"
    return "complete"


def write_json(summary: dict[str, Any], path: str) -> None:
    """The summary to a file, or to standard output."""
    import json
    from pathlib import Path

    text = json.dumps(summary, indent=2) + "\n"
    if path == "-":
        sys.stdout.write(text)
    else:
        Path(path).write_text(text)
