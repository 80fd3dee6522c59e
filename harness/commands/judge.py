"""`judge`: check every stored solution anew and revise the verdicts, without running anything."""

import argparse

HELP = "check every stored solution again, and revise the verdicts of a journal"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("journal", help="a journal that `run` wrote; its verdicts are written anew")


def run(args: argparse.Namespace) -> int:
    from harness.reporting import ranking, tables
    from harness.reporting.summary import exit_code
    from harness.run import Run
    from harness.storing.journal import opened

    with opened(args.journal, write=True) as journal:
        contenders = range(len(journal.contenders()))
        before = [journal.columns(c, "verdict")["verdict"] for c in contenders]
        made = Run(journal).rejudge(write=True)
        made.referee.finalise_verdicts(journal)
        after = [journal.columns(c, "verdict")["verdict"] for c in contenders]
        summary = made.summary()
    changed = sum(int((x != y).sum()) for x, y in zip(before, after, strict=True))
    print(ranking.report(summary))
    total = sum(len(x) for x in after)
    print(f"judged:    {tables.plural(total, 'outcome')}, {tables.plural(changed, 'verdict')} revised")
    return exit_code(summary | {"interrupted": False})
