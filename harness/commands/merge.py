"""`merge`: combine two journals of the same corpora and limits."""

import argparse
from pathlib import Path

HELP = "combine two journals of the same corpora and limits"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("first", help="a journal")
    parser.add_argument("second", help="another journal")
    parser.add_argument("-o", "--output", required=True, metavar="PATH", help="journal to write")


def run(args: argparse.Namespace) -> int:
    from harness.judging.merging import merge
    from harness.reporting import ranking
    from harness.runner import Run
    from harness.storing.journal import open_journal

    with open_journal(args.first) as a, open_journal(args.second) as b, merge(a, b, Path(args.output)) as journal:
        summary = Run(journal).rejudge().summary()
    print(ranking.report(summary))
    code: int = summary["exit"]
    return code
