"""`report`: draw a run again from its journal alone."""

import argparse
from typing import TYPE_CHECKING, Any

from harness.commands import arguments as shared

if TYPE_CHECKING:
    from harness.reporting.results import Results

HELP = "draw the table of a journal again, without running anything"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("journal", help="a journal that `run` wrote")
    parser.add_argument("--json", metavar="PATH", help="write the summary there; - writes it to standard output alone")
    parser.add_argument("--format", choices=("table", "markdown", "csv"), default="table", help="of the table")
    shared.add_matrix(parser)
    parser.add_argument("--vbs", action="store_true", help="add the virtual best solver, and what each is worth to it")


def run(args: argparse.Namespace) -> int:
    from harness.commands.run import write_json
    from harness.reporting import matrix, ranking, tables
    from harness.reporting.summary import exit_code, summarise
    from harness.run import Run
    from harness.storing.journal import opened

    cut = matrix.requested(args.matrix, args.pivot)
    with opened(args.journal) as journal:
        results = Run(journal).rejudge().results()
        summary = summarise(results)
        if args.vbs:
            summary["portfolio"] = portfolio(results)
        if args.format == "table" and args.json != "-":
            print(tables.header(journal), end="\n\n")
    if args.json:
        write_json(summary, args.json)
    if args.json != "-":
        print(ranking.report(summary, args.format))
        if args.vbs:
            print("", portfolio_table(summary["portfolio"], args.format), sep="\n")
        if cut:
            print("", matrix.matrix(summary, *cut, args.format, tables.terminal_width()), sep="\n")
    return exit_code(summary)


def portfolio(results: "Results") -> dict[str, Any]:
    """The virtual best solver by PAR-2, and each contender's part in it."""
    import numpy as np

    from harness.reporting import statistics

    times = np.array([np.where(c.decided, c.wall, np.nan)[1:] for c in results.contenders])
    found = statistics.portfolio(times, results.settings.limit)
    parts = zip(results.by_name, found.wins.tolist(), found.alone.tolist(), found.worth.tolist(), strict=True)
    contenders = [{"name": n, "wins": w, "alone": a, "worth": s} for n, w, a, s in parts]
    return {"par2": found.best, "contenders": contenders}


def portfolio_table(found: dict[str, Any], fmt: str) -> str:
    """The virtual best solver as a table."""
    from harness.reporting import tables

    show = tables.csv_value if fmt == "csv" else tables.format_seconds
    rows = [[c["name"], f"{c['wins']}", f"{c['alone']}", show(c["worth"])] for c in found["contenders"]]
    rows.append(["virtual best (PAR-2)", "", "", show(found["par2"])])
    return tables.format_table(("contender", "fastest at", "alone at", "worth a puzzle"), rows, fmt)
