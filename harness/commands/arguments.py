"""Arguments shared by several verbs, and the parsers of their values."""

import argparse

from harness.model.settings import DEFAULT_CONTENDERS
from harness.reporting.measures import DEFAULT_MEASURE, DEFAULT_PIVOT, FIELDS, FOLDS, MEASURES


def positive_int(text: str) -> int:
    """Parse a whole number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def non_negative_int(text: str) -> int:
    """Parse a whole number from 0."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


def positive_seconds(text: str) -> float:
    """Parse a number of seconds above 0."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return value


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how puzzles are read."""
    parser.add_argument(
        "--as", dest="as_", metavar="LAYOUT", help="layout of the board: 'sudoku 2x3', 'latin 5', 'colouring 4'"
    )
    parser.add_argument("--alphabet", metavar="SYMBOLS", help="symbols of the values, in order")


def add_contenders(parser: argparse.ArgumentParser) -> None:
    """Add -b, the contenders that take part."""
    parser.add_argument(
        "-b",
        "--backend",
        action="append",
        default=[],
        metavar="CONTENDER",
        help="contender BACKEND[:VARIANT][/ENCODING][+AT_MOST_ONE][+warm], globs allowed; may be repeated; `list` shows"
        f" all names (default {', '.join(DEFAULT_CONTENDERS)})",
    )


def add_programs(parser: argparse.ArgumentParser) -> None:
    """Add --program, the command lines of external solvers."""
    parser.add_argument(
        "--program",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help="command line of dimacs:NAME or lines:NAME, split like a shell does; not needed for names on the PATH",
    )


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Add the number of solutions and the time limits."""
    parser.add_argument(
        "--count",
        type=positive_int,
        default=1,
        metavar="N",
        help="number of solutions to look for in each puzzle; 2 shows if it is unique (default 1)",
    )
    parser.add_argument(
        "-t",
        "--timeout",
        type=positive_seconds,
        default=10.0,
        metavar="SECONDS",
        help="wall time per puzzle (default 10)",
    )
    parser.add_argument(
        "--open-limit",
        type=positive_seconds,
        default=60.0,
        metavar="SECONDS",
        help="time limit for imports and compilation (default 60)",
    )


def add_matrix(parser: argparse.ArgumentParser) -> None:
    """Add --matrix, --pivot, --fold and --time."""
    parser.add_argument(
        "--matrix",
        nargs="?",
        const=DEFAULT_MEASURE,
        metavar="MEASURE",
        help=f"also print a matrix of a measure (default {DEFAULT_MEASURE}): {', '.join(MEASURES)}",
    )
    parser.add_argument(
        "--pivot",
        metavar="ROWS,COLUMNS",
        help=f"row and column fields of the matrix (default {DEFAULT_PIVOT}), two of {', '.join(FIELDS)}",
    )
    parser.add_argument(
        "--fold",
        choices=FOLDS,
        default=FOLDS[0],
        help="several contenders in a cell of the matrix: mean ratio of those that differ in the row's field alone,"
        f" or their minimum (default {FOLDS[0]})",
    )
    add_time(parser, "clock of the times in tables, except phases")


def add_time(parser: argparse.ArgumentParser, meaning: str) -> None:
    """Add --time, the clock of tables."""
    parser.add_argument("--time", choices=("wall", "cpu"), default="wall", help=f"{meaning} (default wall)")
