"""Output of verbs: the report and the tables beside it, and files of results."""

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.reporting.frame.entries import Summary
    from harness.reporting.frame.results import Results
    from harness.reporting.views.comparing.matrix import Matrix
    from harness.reporting.writing.table import ResultTable


def require_one_table(args: argparse.Namespace, chosen: dict[str, object]) -> None:
    """Raise BadUsage if several tables are requested in a format that holds one."""
    from harness.model.errors import BadUsage

    flags = [flag for flag, value in chosen.items() if value]
    if args.format in ("csv", "latex") and len(flags) > 1:
        raise BadUsage(f"--format {args.format} prints one table: choose {' or '.join(flags)}")


def rank_parts(args: argparse.Namespace, results: "Results", summary: "Summary") -> "list[ResultTable]":
    """Return the ranking requested by --rank, nothing if not requested; add it to the summary."""
    if not args.rank:
        return []
    from harness.reporting.views.ranking.rank_text import rank_table
    from harness.reporting.views.ranking.ranks import rank

    ranking = rank(results, args.rank, args.time)
    summary["ranking"] = ranking.as_dict()
    return [rank_table(ranking)]


def ask_parts(args: argparse.Namespace, results: "Results", summary: "Summary") -> "list[ResultTable]":
    """Return the tables of asks of query scripts, for people alone: a format for programs holds one table; add them."""
    from harness.reporting.views.asks import ask_tables

    found = ask_tables(results)
    if found:
        summary["asks"] = {name: {"solvers": one.records(), "slow": list(one.notes)} for name, one in found.items()}
    return list(found.values()) if args.format in ("table", "markdown") else []


def scaling_parts(args: argparse.Namespace, results: "Results", summary: "Summary") -> "list[ResultTable]":
    """Return the scaling report of --matrix cores, nothing if not requested; add it to the summary. Raises BadUsage."""
    from harness.reporting.views.comparing.measures import SCALING

    if args.matrix != SCALING:
        return []
    from harness.reporting.views.scaling import as_data, scaling, scaling_table

    found = scaling(results)
    summary["scaling"] = as_data(results, found)
    return [scaling_table(results, found)]


def audit_parts(args: argparse.Namespace, results: "Results", summary: "Summary") -> "list[ResultTable]":
    """Return the tables of --audit-determinism, nothing if not requested; add them to the summary. Raises BadUsage."""
    if not args.audit_determinism:
        return []
    from harness.reporting.views.determinism import as_data, audit, audit_tables

    found = audit(results)
    summary["determinism"] = as_data(found)
    return audit_tables(found, every=args.format == "csv")


def view_parts(args: argparse.Namespace, results: "Results", summary: "Summary") -> "list[ResultTable]":
    """Return the scaling report, the audit and the tables of asks, as requested; add them to the summary.

    Raises BadUsage.
    """
    return [table for part in (scaling_parts, audit_parts, ask_parts) for table in part(args, results, summary)]


def texts(args: argparse.Namespace, tables: "Iterable[ResultTable]") -> list[str]:
    """Return tables in the requested format."""
    from harness.reporting.writing.printable import terminal_width
    from harness.reporting.writing.writers import written

    return [written(table, args.format, terminal_width()) for table in tables]


def add_headline(args: argparse.Namespace, results: "Results", summary: "Summary") -> None:
    """Add the sentence on who is first to the summary."""
    from harness.reporting.views.ranking.result import of_results

    summary["headline"] = of_results(results, args.time)


def show(
    args: argparse.Namespace,
    summary: "Summary",
    square: "Matrix | None",
    lines: Sequence[str] = (),
    parts: Sequence[str] = (),
) -> None:
    """Print the report and further parts, for CSV only the last part; write the summary as JSON if requested.

    If one of them can't be written, the other one is.
    """
    try:
        if args.json != "-":
            print(report_text(args, summary, square, lines, parts), flush=True)
            if args.format == "github":
                annotate_failures(summary)
    finally:
        if args.json:
            write_json(summary | ({"matrix": square.as_dict()} if square else {}), args.json)


def show_summary(summary: "Summary", json: str | None, *more: str) -> None:
    """Print the report of a journal and further lines, or write its summary as JSON."""
    from harness.reporting.views import summary_table

    if json != "-":
        print(summary_table.report(summary), *more, sep="\n")
    if json:
        write_json(summary, json)


def annotate_failures(summary: "Summary") -> None:
    """Print GitHub annotations for the files of wrongly answered and of malformed instances."""
    from harness.reporting.formats.check_report import failures

    annotate(failures(summary))


def annotate(failures: Mapping[str, Sequence[str]]) -> None:
    """Print workflow commands of GitHub for failures by instance, to standard error."""
    from harness.reporting.formats.github import annotations

    for line in annotations(failures):
        print(line, file=sys.stderr)


def report_text(
    args: argparse.Namespace,
    summary: "Summary",
    square: "Matrix | None",
    lines: Sequence[str],
    parts: Sequence[str],
) -> str:
    """Return the report and further parts in the requested format."""
    from harness.reporting.views import summary_table
    from harness.reporting.writing.printable import line_below
    from harness.reporting.writing.writers import written

    if args.format == "junit":
        from harness.reporting.formats import junit

        return junit.run_report(summary)
    tables, columns = list(parts), getattr(args, "columns", None)
    if square is not None:
        from harness.reporting.views.comparing.matrix_text import matrix_text
        from harness.reporting.writing.printable import terminal_width

        tables.append(matrix_text(square, args.format, terminal_width()))
        if args.matrix_only and args.format in ("table", "markdown"):
            tables += summary_table.partial_lines(summary, args.format)
    if args.format == "latex" and (columns or not tables):
        from harness.reporting.views.ranking.paper_table import paper_table

        return paper_table(summary, args.time, columns.split(",") if columns else ())
    if args.format in ("csv", "latex") and tables:
        tables = tables[-1:]
    elif args.format == "github" and not args.matrix_only:
        from harness.reporting.formats import github

        ranked = written(summary_table.contender_table(summary, args.time), args.format)
        tables.insert(0, github.run_report(summary, ranked, lines, args.time))
    elif not args.matrix_only:
        more = [line_below(line, args.format) for line in lines]
        tables.insert(0, summary_table.report(summary, args.format, args.time, more))
    return "\n\n".join(tables)


def write_json(summary: Mapping[str, Any], path: str) -> None:
    """Write a summary as JSON to a file, or with - to standard output. Raises BadUsage."""
    import json

    from harness.storing.schema import write_text

    text = json.dumps(summary, indent=2) + "\n"
    if path == "-":
        sys.stdout.write(text)
    else:
        write_text(path, text)


def try_to_write(path: str) -> None:
    """Raise OSError or BadUsage before a run if its output file can't be written. Leaves no file."""
    import os
    from pathlib import Path

    from harness.storing.schema import refuse_journal

    refuse_journal(Path(path))
    new = not os.path.lexists(path)
    open(path, "a").close()
    if new:
        os.unlink(path)
