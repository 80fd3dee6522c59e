"""`merge`: combine two journals of the same corpora and limits, or all shards of a run."""

import argparse
from contextlib import ExitStack
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("journals", nargs="+", metavar="JOURNAL", help="two journals, or one of each `run --shard K/N`")
    parser.add_argument("-o", "--output", required=True, metavar="PATH", help="journal to write")


def run(args: argparse.Namespace) -> int:
    from harness.judging.merging import merge
    from harness.reporting.frame.reading import JudgedJournal
    from harness.reporting.views import summary_table
    from harness.storing.journal import open_journal

    with ExitStack() as stack:
        journals = [stack.enter_context(open_journal(path)) for path in args.journals]
        journal = stack.enter_context(merge(journals, Path(args.output)))
        summary = JudgedJournal(journal).rejudge().summary()
    print(summary_table.report(summary))
    code: int = summary["exit"]
    return code
