"""`compare`: two contenders of one journal, two journals, or a journal and a saved baseline."""

import argparse
from typing import TYPE_CHECKING

from harness.commands import arguments as shared

if TYPE_CHECKING:
    from harness.reporting.frame.entries import ComparisonResult

EPILOG = f"""\
examples:
  compare before.sqlite after.sqlite       two runs of the same corpora
  compare run.sqlite --contenders A B      two contenders of one run
  compare after.sqlite --baseline main     from `run --save-baseline main`
a gate in CI pairs contenders of one name; without --strict an inconclusive call
passes, so take repeats, and a threshold above the noise of the machine (both
versions in one run have less noise: two --program, and --contenders OLD NEW):
  `run corpus -b dimacs:mine --program mine=./new -r 5 -o new.sqlite`
  compare old.sqlite new.sqlite --strict --threshold 10

{shared.EXIT_CODES}"""
SMALLEST = (
    ("memory", 10, "peak memory"),
    ("solved", 1, "the share of instances decided"),
    ("objective", 0.5, "the value of an objective"),
    ("gap", 0.5, "the gap to the best known value"),
)


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
    parser.add_argument(
        "--contenders",
        nargs=2,
        metavar=("OLD", "NEW"),
        help="contenders to compare, named as tables print them or as -b takes them",
    )
    parser.add_argument(
        "--threshold", type=percent, default=0.05, metavar="PERCENT", help="smallest change that counts (default 5)"
    )
    parser.add_argument(
        "--shift",
        type=shared.non_negative_seconds,
        default=0.0,
        metavar="SECONDS",
        help="add this to times before their ratio is formed: shifted geometric means, which short times hardly move",
    )
    for name, default, what in SMALLEST:
        text = f"smallest change of {what} that counts (default {default:g})"
        parser.add_argument(f"--{name}", type=percent, default=default / 100, metavar="PERCENT", help=text)
    parser.add_argument(
        "--strict", action="store_true", help="exit 4 if a call is inconclusive or the machines are of different types"
    )
    parser.add_argument(
        "--instances", action="store_true", help="add the times of each instance, sorted by ratio; with csv only these"
    )
    shared.add_time(parser, "clock of --instances")
    shared.add_require_proofs(parser)
    shared.add_json(parser, "comparison")
    shared.add_format(parser)


def run(args: argparse.Namespace) -> int:
    from contextlib import ExitStack

    from harness.commands.output import write_json
    from harness.model.errors import BadUsage
    from harness.reporting.frame.reading import open_judged
    from harness.reporting.frame.results import aggregate
    from harness.reporting.statistics.calls import Thresholds
    from harness.reporting.views.comparing import comparison
    from harness.reporting.views.comparing.comparison_text import instance_pairs, instance_table, text, value_table
    from harness.reporting.writing.writers import written
    from harness.storing.baselines import baseline_path

    paths = [*([baseline_path(args.baseline)] if args.baseline else []), *args.journal]
    if len(paths) > 2:
        raise BadUsage("compare takes one or two journals, or one and a --baseline")
    if args.baseline and not paths[0].exists():
        raise BadUsage(f"no baseline {args.baseline!r}: create it with `run CORPUS --save-baseline {args.baseline}`")
    with ExitStack() as stack:
        results = [aggregate(stack.enter_context(open_judged(path)).journal) for path in paths]
        if args.require_proofs:
            from harness.reporting.frame.proofs import with_proofs_required

            results = list(map(with_proofs_required, results))
        limits = Thresholds(args.threshold, args.memory, args.solved, args.objective, args.gap)
        found, result = comparison.compared(
            results[0], results[-1], args.contenders or (), limits, args.strict, args.shift
        )
        if args.instances:
            for c, entry in zip(found, result["comparisons"], strict=True):
                entry["instances"] = comparison.instances(c, args.time)
                if "values" in entry:
                    entry["values"]["instances"] = comparison.instance_values(c)
    if args.json:
        write_json(result, args.json)
    if args.json == "-":
        pass
    elif args.instances and args.format == "csv":
        print(written(instance_pairs(result), "csv"))
    elif args.format in ("junit", "github"):
        print(reported(result, args.format))
        if args.format == "github":
            from harness.commands.output import annotate
            from harness.reporting.formats.github import changes_for_the_worse

            annotate(changes_for_the_worse(result))
    else:
        shown = result["comparisons"] if args.instances else []
        tables = [instance_table(c, args.time) for c in shown]
        tables += [value_table(c) for c in shown if "values" in c]
        print(text(result, args.format), *(written(table, args.format) for table in tables), sep="\n\n")
    code: int = result["exit"]
    return code


def reported(result: "ComparisonResult", fmt: str) -> str:
    """Return comparisons in the form for a continuous-integration system."""
    from harness.reporting.formats import github, junit
    from harness.reporting.views.comparing.comparison_text import inconclusive, text, verdict

    calls = [verdict(c) for c in result["comparisons"]]
    if fmt == "junit":
        return junit.comparison_report(result, calls)
    return github.comparison_report(result, calls, text(result, fmt), inconclusive(result["comparisons"]))
