"""`judge`: check every stored solution anew and revise the verdicts, without running anything."""

import argparse

HELP = "check every stored solution again, and revise the verdicts of a journal"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("journal", help="a journal that `run` wrote; its verdicts are written anew")


def run(args: argparse.Namespace) -> int:
    from harness import ranking, tables
    from harness.pipeline import Court, rehear
    from harness.stored import opened, recorded_verdicts
    from harness.summary import exit_code, summarise

    with opened(args.journal, write=True) as journal:
        before = recorded_verdicts(journal)
        court = Court(journal, journal.meta()["count"])
        rehear(journal, court)
        court.settle(journal)
        after = recorded_verdicts(journal)
        summary = summarise(journal, court.known, court.evidence)
    changed = sum(int((x != y).sum()) for x, y in zip(before, after, strict=True))
    print(ranking.report(summary))
    total = sum(len(x) for x in after)
    print(f"judged:    {tables.plural(total, 'outcome')}, {tables.plural(changed, 'verdict')} revised")
    return exit_code(summary | {"interrupted": False})
