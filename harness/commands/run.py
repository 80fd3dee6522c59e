"""`run`: corpora x contenders, timed, judged, stored and reported. It reads as the data flows."""

import argparse

HELP = "run puzzles through solvers, time them, and check that the answers agree"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("corpus", nargs="+", help="a file, or the name of a corpus that ships (see `list --corpora`)")
    parser.add_argument("-b", "--backend", action="append", metavar="CONTENDER", help="BACKEND[:VARIANT][/ENCODING][+AT_MOST_ONE][+warm][@ENV], globs allowed; repeat for more")
    parser.add_argument("-n", "--puzzles", type=positive, metavar="N", help="only the first N puzzles of each corpus")
    parser.add_argument("-r", "--runs", type=positive, default=1, metavar="N", help="repeats of everything (1)")
    parser.add_argument("--count", type=positive, default=1, metavar="N", help="up to N solutions of each puzzle (1); 2 tells whether it is unique")
    parser.add_argument("-t", "--timeout", type=seconds, default=10.0, metavar="SECONDS", help="wall time that a puzzle has (10)")
    parser.add_argument("--open-limit", type=seconds, default=60.0, metavar="SECONDS", help="time for imports and compilation (60)")
    parser.add_argument("-j", "--jobs", type=positive, default=1, metavar="N", help="batches solved at the same time (1)")
    parser.add_argument("--seed", type=int, default=1, help="of the order of contenders (1)")
    parser.add_argument("--as", dest="as_", metavar="LAYOUT", help="what a board is: 'sudoku 2x3', 'latin 5', 'colouring 4'")
    parser.add_argument("--alphabet", metavar="SYMBOLS", help="the symbols of the values, in order")
    parser.add_argument("-o", "--output", metavar="PATH", help="the journal to write (results/DATE-CORPUS-N.sqlite)")
    parser.add_argument("--json", metavar="PATH", help="write the summary there; - for standard output, instead of the table")
    parser.add_argument("--format", choices=("table", "markdown", "csv"), default="table")


def positive(text: str) -> int:
    """An argument that counts."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def seconds(text: str) -> float:
    """An argument that limits a time."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return value


def run(args: argparse.Namespace) -> int:
    from harness import runs

    return runs.run(args)
