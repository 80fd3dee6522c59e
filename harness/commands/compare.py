"""`compare`: two contenders of one journal, two journals, or a journal and a saved baseline."""

import argparse
from typing import Any

from harness.commands import arguments as shared

HELP = "compare two contenders or journals: regressed, improved, lost, gained and contradicted"


def percent(text: str) -> float:
    """Parse a percentage above 0, written as 5 or 5%, to a fraction."""
    try:
        value = float(text.rstrip("% ")) / 100
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a percentage above 0")
    return value


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "journal", nargs="+", metavar="JOURNAL", help="one journal, or the older and then the newer one"
    )
    parser.add_argument("--baseline", metavar="NAME", help="older journal, saved by `run --save-baseline NAME`")
    parser.add_argument("--contenders", nargs=2, metavar=("OLD", "NEW"), help="contenders to compare")
    parser.add_argument(
        "--threshold", type=percent, default=0.05, metavar="PERCENT", help="smallest change that counts (default 5)"
    )
    shared.add_json(parser, "comparison")
    shared.add_format(parser)


def run(args: argparse.Namespace) -> int:
    from contextlib import ExitStack

    from harness.commands.run import write_json
    from harness.model.errors import BadUsage
    from harness.reporting.advice import comparison_warnings
    from harness.reporting.compare import compare, pair_up, sides, summary
    from harness.reporting.results import aggregate
    from harness.storing.baselines import baseline_path
    from harness.storing.journal import open_journal

    paths = [*([baseline_path(args.baseline)] if args.baseline else []), *args.journal]
    if len(paths) > 2:
        raise BadUsage("compare takes one or two journals, or one and a --baseline")
    if args.baseline and not paths[0].exists():
        raise BadUsage(f"no baseline {args.baseline!r}: create it with `run CORPUS --save-baseline {args.baseline}`")
    with ExitStack() as stack:
        results = [aggregate(stack.enter_context(open_journal(path))) for path in paths]
        a, b = results[0], results[-1]
        if a.settings.count != b.settings.count:
            raise BadUsage(
                f"{a.journal.path} and {b.journal.path} have different --count: run one of them again"
                " with the --count of the other"
            )
        pairs = sides(a, b, pair_up(a, b, args.contenders or ()))
        found = [compare(x, y, args.threshold) for x, y in pairs]
        result: dict[str, Any] = {
            "schema": 1,
            "threshold": args.threshold,
            "comparisons": [summary(c, args.threshold) for c in found],
            "warnings": comparison_warnings(a, b, len(pairs[0][0].ids)),
        }
    codes = {c["exit"] for c in result["comparisons"]}
    result["exit"] = next((code for code in (1, 3, 4) if code in codes), 0)
    if args.json:
        write_json(result, args.json)
    if args.json != "-":
        print(comparison_text(result, args.format))
    code: int = result["exit"]
    return code


def comparison_text(result: dict[str, Any], fmt: str) -> str:
    """Return the table, a line for each puzzle that changed, and the warnings."""
    from harness.reporting import tables

    clocks, kinds = ("cpu", "wall"), ("conflict", "wrong", "lost", "gained")
    rows, lines = [], []
    for c in result["comparisons"]:
        times = [interval_cells(c["times"].get(clock), fmt) for clock in clocks]
        counts = [str(len(c[kind])) for kind in kinds]
        who = [c["before"]["contender"], c["after"]["contender"], c["call"]]
        rows.append([*who, *times[0], *times[1], str(c["puzzles"]), *counts])
        if c["before"]["version"] != c["after"]["version"]:
            lines.append(f"versions: {c['before']['version']} before, {c['after']['version']} after")
        for kind in kinds:
            lines += [f"{kind}: {c['after']['contender']}: {name}" for name in c[kind]]
    heads = [["CPU time"], ["wall time"]]
    if fmt == "csv":
        heads = [[clock, f"{clock} low", f"{clock} high"] for clock in clocks]
    table = tables.format_table(
        ["before", "after", "verdict", *heads[0], *heads[1], "puzzles", *kinds], rows, fmt, left=3
    )
    if fmt == "csv":
        return table
    about = "times are after / before, geometric mean over puzzles [99 % interval, ? if there is too little data]"
    notes = [about, *dict.fromkeys(lines), *(f"warning: {text}" for text in result["warnings"])]
    return "\n".join([table, "", *map(tables.wrapped, notes)])


def interval_cells(times: dict[str, Any] | None, fmt: str) -> list[str]:
    """Return a ratio and its interval as one cell, 1.10x [1.07, 1.13], or as three cells for CSV."""
    ends = ("ratio", "low", "high")
    if fmt == "csv":
        return ["" if times is None or times[end] is None else str(times[end]) for end in ends]
    if times is None:
        return ["-"]
    if times["high"] is None:
        return [f"{times['ratio']:.3f}x [?]"]
    return [f"{times['ratio']:.3f}x [{times['low'] or 0:.3f}, {times['high']:.3f}]"]
