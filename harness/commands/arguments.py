"""Arguments that several verbs share, and what their texts mean."""

import argparse


def positive_int(text: str) -> int:
    """A whole number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def non_negative_int(text: str) -> int:
    """A whole number from 0."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


def positive_seconds(text: str) -> float:
    """A time limit."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return value


def add_reading(parser: argparse.ArgumentParser) -> None:
    """How puzzles are read."""
    parser.add_argument(
        "--as", dest="as_", metavar="LAYOUT", help="what a board is: 'sudoku 2x3', 'latin 5', 'colouring 4'"
    )
    parser.add_argument("--alphabet", metavar="SYMBOLS", help="the symbols of the values, in order")


def add_contenders(parser: argparse.ArgumentParser) -> None:
    """Who takes part."""
    parser.add_argument(
        "-b",
        "--backend",
        action="append",
        default=[],
        metavar="CONTENDER",
        help="BACKEND[:VARIANT][/ENCODING][+AT_MOST_ONE][+warm], globs allowed; once for each"
        " (native, pysat:cadical195/extended and cpsat)",
    )


def add_programs(parser: argparse.ArgumentParser) -> None:
    """Solvers that are programs of their own."""
    parser.add_argument(
        "--program",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help="a program for dimacs:NAME or lines:NAME, split as a shell would; bare names on the PATH need none",
    )


def add_limits(parser: argparse.ArgumentParser) -> None:
    """What a puzzle may take."""
    parser.add_argument(
        "--count",
        type=positive_int,
        default=1,
        metavar="N",
        help="up to N solutions of each puzzle; 2 tells if it is unique (1)",
    )
    parser.add_argument(
        "-t", "--timeout", type=positive_seconds, default=10.0, metavar="SECONDS", help="wall time that a puzzle has (10)"
    )
    parser.add_argument(
        "--open-limit", type=positive_seconds, default=60.0, metavar="SECONDS", help="time for imports and compilation (60)"
    )


def add_matrix(parser: argparse.ArgumentParser) -> None:
    """A table of one measure, a field of the contenders down and another across."""
    parser.add_argument(
        "--matrix",
        nargs="?",
        const="par2",
        metavar="MEASURE",
        help="print a matrix too: of par2, or median, mean, p95, max, total, encode, load, solve, decode, decisions,"
        " conflicts, propagations, unsolved",
    )
    parser.add_argument(
        "--pivot",
        metavar="ROWS,COLUMNS",
        help="what goes down and across (encoding,backend), two of backend, encoding, family, at-most-one, warmth, env",
    )
