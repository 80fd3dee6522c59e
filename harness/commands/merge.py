"""`merge`: combine two journals of the same corpora and limits, or all shards of a run."""

import argparse
from contextlib import ExitStack
from pathlib import Path

from harness.commands import arguments as shared


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("journals", nargs="+", metavar="JOURNAL", help="two journals, or one of each `run --shard K/N`")
    parser.add_argument("-o", "--output", required=True, metavar="PATH", help="journal to write")
    shared.add_json(parser)


def run(args: argparse.Namespace) -> int:
    from harness.commands.output import show_summary
    from harness.judging.merging import merge
    from harness.reporting.frame.reading import JudgedJournal
    from harness.storing.journal import open_journal

    with ExitStack() as stack:
        journals = [stack.enter_context(open_journal(path)) for path in args.journals]
        journal = stack.enter_context(merge(journals, Path(args.output)))
        summary = JudgedJournal(journal).rejudge().summary()
    show_summary(summary, args.json)
    code: int = summary["exit"]
    return code
