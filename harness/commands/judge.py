"""`judge`: check every stored solution again and update the verdicts, without running a solver."""

import argparse

from harness.commands import arguments as shared

EPILOG = "exit codes: 0 clean, 1 wrong, 2 bad usage or corpus, 4 undecided"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("journal", metavar="JOURNAL", help="journal to judge; its verdicts are overwritten")
    shared.add_json(parser)


def run(args: argparse.Namespace) -> int:
    from harness.commands.output import show_summary
    from harness.reporting.frame.reading import JudgedJournal
    from harness.reporting.frame.summary import exit_code
    from harness.storing.journal import open_journal
    from puzzles.errors import plural

    with open_journal(args.journal, write=True) as journal:
        contenders = range(len(journal.contenders.all()))
        before = [journal.outcomes.columns(c, "verdict")["verdict"] for c in contenders]
        this_run = JudgedJournal(journal).rejudge(write=True)
        after = [journal.outcomes.columns(c, "verdict")["verdict"] for c in contenders]
        summary = this_run.summary()
    changed = sum(int((x != y).sum()) for x, y in zip(before, after, strict=True))
    total = sum(len(x) for x in after)
    judged = f"judged:    {plural(total, 'outcome')}, {plural(changed, 'verdict')} revised"
    show_summary(summary, args.json, judged)
    return exit_code(summary | {"interrupted": False})
