"""`report --plot`: its arguments, and the plots that they request."""

import argparse
from typing import TYPE_CHECKING

from harness.commands.given import print_note
from harness.reporting.plots.request import DEFAULT_WIDTH_CM, FORMATS, KINDS, LEGENDS, NAMES

if TYPE_CHECKING:
    from harness.reporting.frame.entries import Summary
    from harness.reporting.frame.results import Results
    from harness.reporting.views.comparing.matrix import Pivot


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add --plot, -o, --width, --log and --linear."""
    group = parser.add_argument_group("plots, instead of the report (docs/reference/plots.md)")
    group.add_argument(
        "--plot",
        action="append",
        default=[],
        metavar="KIND",
        help=f"draw {', '.join(KINDS)}; scatter:A,B and compare:A,B name two contenders, course:INSTANCE an instance,"
        " target:P percent; may be repeated",
    )
    group.add_argument(
        *("-o", "--output"),
        action="append",
        default=[],
        metavar="PATH",
        help=f"file of a plot: {', '.join(FORMATS)} by its name, needs matplotlib; one for each --plot (without: in the"
        " terminal, except matrix, scaling and compare)",
    )
    group.add_argument(
        "--width",
        default=f"{DEFAULT_WIDTH_CM:g}cm",
        metavar="WIDTH",
        help=f"width of files: 1 or 2 columns of text, or a length (default {DEFAULT_WIDTH_CM:g}cm)",
    )
    group.add_argument(
        "--of", default="", metavar="NAME", help="plot a number that contenders count or print, such as conflicts"
    )
    group.add_argument(
        "--contenders",
        metavar="A,B",
        help="draw these contenders alone, named as tables print them, as -b takes them, or by globs",
    )
    group.add_argument(
        "--legend", choices=LEGENDS, default="below", help="names of curves: below, direct (beside their ends), none"
    )
    group.add_argument(
        "--font", default="sans", metavar="FONT", help="font of files: sans, serif or a file; pgf takes the paper's"
    )
    scale = group.add_mutually_exclusive_group()
    scale.add_argument("--log", action="store_true", default=None, help="logarithmic times (default, except for par2)")
    scale.add_argument("--linear", dest="log", action="store_false", help="linear times")


def check_arguments(args: argparse.Namespace) -> None:
    """Raise BadUsage if --plot and its options do not fit."""
    from harness.model.errors import BadUsage
    from harness.reporting.plots.request import COUNTED, pair_outputs, parse_width

    if args.output and not args.plot:
        raise BadUsage(f"-o needs --plot: {', '.join(KINDS)}")
    parsed = pair_outputs(args.plot, args.output)
    if args.of and (other := [plot.kind for plot, _ in parsed if plot.kind not in COUNTED] or not parsed):
        what = f"--plot {other[0]}" if isinstance(other, list) else "no plot"
        raise BadUsage(f"--of {args.of} goes with --plot {', '.join(COUNTED)}, not {what}")
    parse_width(args.width)


def draw(args: argparse.Namespace, results: "Results", summary: "Summary", pivot: "Pivot | None") -> None:
    """Draw the requested plots to files or to standard output. Raises BadUsage."""
    from harness.reporting.plots import files, terminal
    from harness.reporting.plots.request import Look, pair_outputs, parse_width
    from harness.reporting.plots.subject import subject
    from harness.reporting.views.comparing.matrix import default_pivot
    from harness.reporting.views.ranking.score_matrix import matrix_of

    look = Look(args.time, args.log, args.vbs, parse_width(args.width), args.legend, args.font)
    shown = subject(results, args.time, NAMES.split(args.contenders) if args.contenders else (), args.of)
    for note in shown.notes:
        print_note(note)
    pivot = pivot or default_pivot(args.fold, args.time)
    for plot, path in pair_outputs(args.plot, args.output):
        square = matrix_of(results, summary, pivot) if plot.kind == "matrix" else None
        if path is None:
            print(terminal.draw(plot, look, shown))
        else:
            files.write(plot, look, shown, square, path)
