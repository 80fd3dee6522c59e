"""`judge`: check every stored solution anew and revise the verdicts, without running anything."""

import argparse

HELP = "check every stored solution again, and revise the verdicts of a journal"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("journal", help="a journal that `run` wrote; its verdicts are written anew")


def run(args: argparse.Namespace) -> int:
    from harness.judging.referee import Referee, rejudge
    from harness.reporting import ranking, tables
    from harness.reporting.summary import exit_code, summarise
    from harness.storing.baselines import opened, stored_verdicts

    with opened(args.journal, write=True) as journal:
        before = stored_verdicts(journal)
        referee = Referee(journal, journal.meta()["count"])
        rejudge(journal, referee)
        referee.finalise_verdicts(journal)
        after = stored_verdicts(journal)
        summary = summarise(journal, referee.known, referee.evidence)
    changed = sum(int((x != y).sum()) for x, y in zip(before, after, strict=True))
    print(ranking.report(summary))
    total = sum(len(x) for x in after)
    print(f"judged:    {tables.plural(total, 'outcome')}, {tables.plural(changed, 'verdict')} revised")
    return exit_code(summary | {"interrupted": False})
