"""`merge`: two journals of the same corpora and limits as one."""

import argparse
from pathlib import Path

HELP = "put two journals of the same corpora and limits together"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("first", help="a journal")
    parser.add_argument("second", help="another")
    parser.add_argument("-o", "--output", required=True, metavar="PATH", help="the journal to write")


def run(args: argparse.Namespace) -> int:
    from harness import ranking
    from harness.merging import merge
    from harness.stored import opened
    from harness.summary import summarise

    with opened(args.first) as a, opened(args.second) as b, merge(a, b, Path(args.output)) as (journal, court):
        summary = summarise(journal, court.known, court.evidence)
    print(ranking.report(summary))
    code: int = summary["exit"]
    return code
