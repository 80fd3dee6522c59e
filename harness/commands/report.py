"""`report`: print the report of a run again, from its journal."""

import argparse
from contextlib import suppress
from typing import TYPE_CHECKING

from harness.commands import arguments as shared
from harness.commands import plotting

if TYPE_CHECKING:
    from contextlib import ExitStack

    from harness.model.rules import Rules
    from harness.reporting.frame.entries import Summary
    from harness.reporting.frame.filtering import InstanceFilter
    from harness.reporting.frame.results import Results
    from harness.reporting.writing.table import ResultTable

USAGE = "JOURNAL [options]"
BRIEF = {  # the short help
    "journal": "journal of a run; with --html also two",
    "html": "write a page with plots and every instance",
    "json": "write all figures; - in place of the table",
    "format": "markdown, csv, latex, junit, github",
    "rank": "rank by par2, solved, borda, maxsat, minizinc, ...",
    "rules": "rank as a competition does: pb-2026, sat-2025, ...",
    "matrix": "a matrix of encodings and solvers",
    "by": "figures by folder, kind or status",
    "vbs": "what each adds to the virtual best solver",
    "list": "instances unsolved, or solved by one alone",
    "only": "only instances that match",
    "where": "those where it holds, such as native=timeout",
    "require_proofs": "an unsatisfiable answer needs a checked proof",
    "places": "the machines and cores of the run",
    "plot": "cactus, scatter:A,B, ecdf, ... in the terminal",
    "output": "file of a plot: svg, pdf, png, pgf",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "journal", nargs="+", metavar="JOURNAL", help="journal to report on; with --html also two, the older one first"
    )
    shared.add_json(parser)
    shared.add_html(parser)
    shared.add_logs(parser)
    parser.add_argument("--errors", action="store_true", help="add every error, with the traceback where there is one")
    shared.add_format(parser, "latex")
    parser.add_argument(
        "--columns",
        metavar="A,B",
        help="with --format latex: a table for a paper with these columns of the report, such as solved,PAR-2,median",
    )
    shared.add_matrix(parser)
    shared.add_rank(parser)
    parser.add_argument(
        "--rules",
        metavar="NAME|FILE",
        help="add the rankings of a competition and year, by its rules: a file (docs/reference/rules.md), or one of"
        " ours, such as pb-2026, sat-2025, maxsat-2024-exact, minizinc-2025",
    )
    parser.add_argument(
        "--families",
        metavar="FIELD|FILE",
        help="rank for other families of instances like these: corpus, folder, kind, or a file of INSTANCE,FAMILY; --by"
        " one of these states it too; none leaves out those of the journal",
    )
    parser.add_argument(
        "--best-known",
        metavar="FILE",
        help="best known costs of instances, lines of INSTANCE,VALUE, for scores that compare with the best",
    )
    parser.add_argument(
        "--host",
        metavar="MACHINE",
        help="only what ran on one machine type: its number, or a part of its processor's or of a machine's name, as"
        " --places shows them",
    )
    parser.add_argument(
        "--places",
        action="store_true",
        help="print the machines and places of the run instead: leases, outcomes, reference work over time",
    )
    parser.add_argument(
        "--vbs", action="store_true", help="add the virtual best solver, and the gain that each contender adds to it"
    )
    parser.add_argument(
        "--audit-determinism",
        action="store_true",
        help="add what differs between repeats with the same seed, by contender: status, value, solution, counters",
    )
    parser.add_argument(
        "--methods",
        action="store_true",
        help="print instead the paragraph on methods for a paper: machine, versions, limits, order, checks, statistics;"
        " and BibTeX of the solvers' papers that are known",
    )
    parser.add_argument(
        "--experiment", action="store_true", help="print the experiment instead: the file with which `run` repeats it"
    )
    add_filters(parser)
    parser.add_argument(
        "--by",
        metavar="FIELDS",
        help="add numbers decided and scores (PAR-2, or that of --rank) by corpus, folder, kind, family or status, such"
        " as folder,status: the families of a corpus, sat and unsat apart; with --format latex this table alone",
    )
    parser.add_argument(
        "--list",
        choices=("unsolved", "alone", "family"),
        action="append",
        default=[],
        help="add the instances that nobody decided, one contender alone, or contenders of one solver alone",
    )
    parser.add_argument(
        "--statistics",
        nargs="?",
        const="",
        metavar="A,B",
        help="add medians of the numbers that contenders count or print, such as conflicts, ranked by the first",
    )
    plotting.add_arguments(parser)


def add_filters(parser: argparse.ArgumentParser) -> None:
    """Add --only, --exclude and --where, the instances that are shown."""
    group = parser.add_argument_group("instances that are shown (default all)")
    for option, what in (("--only", "those that match"), ("--exclude", "without those that match")):
        text = f"{what}: a name, file, folder or path, with wildcards; may be repeated"
        group.add_argument(option, action="append", default=[], metavar="PATTERN", help=text)
    group.add_argument(
        "--where",
        action="append",
        default=[],
        metavar="CONTENDER=CONDITION",
        help="those of which it holds, such as native=timeout, '*=nobody', '*=alone' or 'cpsat=time>0.5'; may be"
        " repeated",
    )


def run(args: argparse.Namespace) -> int:
    from contextlib import ExitStack

    from harness.commands.html import write_page
    from harness.commands.output import add_headline, rank_parts, require_one_table, show, texts, view_parts
    from harness.reporting.frame.summary import exit_code, summarise
    from harness.reporting.views.comparing import matrix
    from harness.reporting.views.ranking.portfolio import portfolio, portfolio_table
    from harness.reporting.views.ranking.score_matrix import matrix_of
    from harness.reporting.views.run_lines import header
    from harness.reporting.writing.printable import wrapped

    plotting.check_arguments(args)
    require_fitting(args)
    pivot = matrix.requested(args.matrix, args.pivot, args.fold, args.matrix_only, args.time)
    tables = {
        "--matrix": args.matrix or pivot,
        "--vbs": args.vbs,
        "--rank": args.rank and not args.by,
        "--rules": args.rules,
        "--audit-determinism": args.audit_determinism,
        "--statistics": args.statistics is not None,
    }
    tables |= {"--by": args.by, "--list": args.list}
    require_one_table(args, tables)
    if args.experiment:
        return print_experiment(args)
    if args.places:
        return print_places(args)
    if len(args.journal) > 1:
        return page_of_two(args)
    with ExitStack() as stack:
        by = filter_of(args)
        results = with_stated_families(args, opened(stack, args.journal[0], args.host, by, args.time))
        summary = summarise(results)
        if args.html:
            write_page(args.html, [results], [summary], host_words(args) + (by.options if by else []), args.logs)
        if args.require_proofs:
            from harness.reporting.frame.proofs import with_proofs_required

            results = with_proofs_required(results)
            summary = summarise(results)
        results, event = under_rules(args, results)
        summary = summarise(results) if event else summary
        if args.methods:
            from harness.reporting.views.methods import methods

            print(methods(results, summary, event.title if event else ""))
            return exit_code(summary)
        if args.plot:
            plotting.draw(args, results, summary, pivot)
            return 0
        add_headline(args, results, summary)
        numbers = [*group_parts(args, results, summary), *statistics_parts(args, results)]
        ranked = [] if args.by else rank_parts(args, results, summary)  # else it names the score of the groups
        ranked += view_parts(args, results, summary)
        if event:
            from harness.reporting.views.ranking import by_rules

            notes, rankings = by_rules.departures(results, event), by_rules.rankings(results, event)
            summary["competition"] = by_rules.as_data(event, rankings, notes)
            ranked += by_rules.tables(event, rankings, notes)
        if args.vbs:
            summary["portfolio"] = portfolio(results, args.time)
        if args.format == "table" and args.json != "-" and not args.matrix_only:
            print(wrapped(header(results.journal, results.cut) + results.shown), end="\n\n")
    found = [portfolio_table(summary["portfolio"])] if args.vbs else []
    parts = texts(args, [*found, *ranked, *numbers])
    if args.errors:
        parts.append("\n".join(error_lines(results, args.format)))
    show(args, summary, matrix_of(results, summary, pivot) if pivot else None, parts=parts)
    return exit_code(summary)


def with_stated_families(args: argparse.Namespace, results: "Results") -> "Results":
    """Return results with the families that --families or a field of --by states. Raises BadUsage."""
    from harness.model.errors import BadUsage
    from harness.reporting.frame.sampling import STATED
    from harness.reporting.views.families import with_families

    if args.families or results.sampled:
        return with_families(results, args.families) if args.families else results
    for field in [part.strip() for part in (args.by or "").split(",")]:
        if field in STATED:
            with suppress(BadUsage):  # all instances are of one
                return with_families(results, field)
    return results


def under_rules(args: argparse.Namespace, results: "Results") -> "tuple[Results, Rules | None]":
    """Return results with further best costs, and as the rules of --rules judge answers; and these. Raises BadUsage."""
    if not (args.rules or args.best_known):
        return results, None
    from harness.model.rules import rules_at
    from harness.reporting.views.ranking.by_rules import under, with_best_known

    if args.best_known:
        results = with_best_known(results, args.best_known)
    event = rules_at(args.rules) if args.rules else None
    return (under(results, event), event) if event else (results, None)


def print_places(args: argparse.Namespace) -> int:
    """Print the places of a journal, or write them as JSON. Raises BadUsage."""
    from harness.commands.output import write_json
    from harness.model.errors import BadUsage
    from harness.reporting.frame.reading import open_judged
    from harness.reporting.views.places import places
    from harness.reporting.views.places_text import BARS, DIGITS, text
    from harness.reporting.writing.printable import writable

    if len(args.journal) > 1:
        raise BadUsage("--places prints those of one journal")
    with open_judged(args.journal[0]) as this_run:
        found = places(this_run.journal)
    if args.json:
        write_json(found, args.json)
    if args.json != "-":
        print(text(found, BARS if writable(BARS) else DIGITS))
    return 0


def host_words(args: argparse.Namespace) -> list[str]:
    """Return the option that selects a machine type, none without it."""
    return [] if args.host is None else ["--host", args.host]


def print_experiment(args: argparse.Namespace) -> int:
    """Print the experiment of a journal. Raises BadUsage."""
    from harness.commands.experiments import experiment_at
    from harness.commands.run import add_arguments as of_run
    from harness.model.consent import masked
    from harness.model.errors import BadUsage

    if len(args.journal) > 1:
        raise BadUsage("--experiment prints that of one journal")
    print("\n".join(map(masked, experiment_at(args.journal[0], of_run).splitlines())))
    return 0


def filter_of(args: argparse.Namespace) -> "InstanceFilter | None":
    """Return the filter that --only, --exclude and --where state, None without any."""
    if not (args.only or args.exclude or args.where):
        return None
    from harness.reporting.frame.filtering import InstanceFilter
    from puzzles.readers.selecting import Selection

    return InstanceFilter(Selection(tuple(args.only), tuple(args.exclude)), args.where)


def group_parts(args: argparse.Namespace, results: "Results", summary: "Summary") -> "list[ResultTable]":
    """Return the tables that --by and --list ask for, and add them to the summary. Raises BadUsage."""
    from harness.reporting.views import deciding, grouping

    parts = []
    if args.by:
        fields, score = grouping.fields_of(args.by), args.rank or "par2"
        summary["groups"] = grouping.as_data(results, fields, score, args.time)
        shape = grouping.pairs_table if args.format == "csv" else grouping.table
        parts.append(shape(results, fields, score, args.time))
    if args.list:
        summary["lists"] = deciding.as_data(results, args.list)
        parts += [deciding.list_table(results, kind) for kind in args.list]
    return parts


def statistics_parts(args: argparse.Namespace, results: "Results") -> "list[ResultTable]":
    """Return the table that --statistics asks for. Raises BadUsage."""
    if args.statistics is None:
        return []
    from harness.reporting.frame.log_statistics import statistics_table

    asked = [name.strip() for name in args.statistics.split(",") if name.strip()]
    return [statistics_table(results, asked)]


def opened(
    stack: "ExitStack", path: str, host: str | None, by: "InstanceFilter | None" = None, clock: str = "wall"
) -> "Results":
    """Open a journal and return its results, limited to the machine type `host` and by the filter, if stated.

    Raises BadUsage.
    """
    from harness.reporting.frame.selecting import frame

    return stack.enter_context(frame(path, host, by, clock))


def require_fitting(args: argparse.Namespace) -> None:
    """Raise BadUsage if flags are given that the request can't use."""
    from harness.model.errors import BadUsage

    if args.columns and args.format != "latex":
        raise BadUsage("--columns needs --format latex: other formats have all columns")
    table = {"--json": args.json, "--rank": args.rank, "--rules": args.rules, "--errors": args.errors}
    more = {
        "--vbs": args.vbs,
        "--by": args.by,
        "--list": args.list,
        "--statistics": args.statistics is not None,
        "--matrix": args.matrix or args.pivot,
    }
    formats = {f"--format {args.format}": args.format != "table"}
    if len(args.journal) > 1:
        other = {"--plot": args.plot, "--require-proofs": args.require_proofs}
        other |= {"--only": args.only, "--exclude": args.exclude, "--where": args.where}
        why, flags = "two journals make a page alone", table | more | formats | other
    elif args.plot:
        why, flags = "--plot draws instead of the report", table | formats
    elif args.format == "junit":
        why, flags = (
            "--format junit is the report alone",
            {"--rank": args.rank, "--rules": args.rules, "--errors": args.errors} | more,
        )
    else:
        return
    if given := [flag for flag, value in flags.items() if value]:
        raise BadUsage(f"{why}: leave out {given[0]}")


def page_of_two(args: argparse.Namespace) -> int:
    """Write the page that compares two journals; return the exit code of the newer one. Raises BadUsage."""
    from contextlib import ExitStack

    from harness.commands.html import write_page
    from harness.model.errors import BadUsage
    from harness.reporting.frame.summary import exit_code, summarise

    if not args.html or len(args.journal) > 2:
        raise BadUsage("report takes one journal, or with --html two; `compare` compares two as a table")
    with ExitStack() as stack:
        results = [opened(stack, path, args.host) for path in args.journal]
        summaries = list(map(summarise, results))
        write_page(args.html, results, summaries, host_words(args), args.logs)
        return exit_code(summaries[-1])


def error_lines(results: "Results", fmt: str) -> list[str]:
    """Return all failure messages of all contenders, with tracebacks; in Markdown as code in a list."""
    from harness.reporting.writing.printable import MARKDOWN, line_below, printable
    from puzzles.errors import plural

    around, indent = ([""], " " * 6) if fmt in MARKDOWN else ([], " " * 4)
    lines = []
    for name, c in results.by_name.items():
        for t in c.trouble:
            lines.append(line_below(f"{name}: {t.puzzle}: {t.why} ({plural(t.times, 'time')})", fmt))
            if t.traceback:
                lines += [*around, *(indent + printable(line) for line in t.traceback.splitlines()), *around]
    return lines or ["no errors"]
