"""`encode`: the formula that a solver would be given, as a file that any SAT solver reads."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from harness.commands import arguments as shared

if TYPE_CHECKING:
    from puzzles.layout import Puzzle

HELP = "write a puzzle as a formula in DIMACS"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("puzzle", help="a puzzle in one line, a file, the name of a corpus, or FILE:LINE")
    parser.add_argument(
        "-n", "--number", type=shared.positive, default=1, metavar="N", help="which of a file's puzzles (1)"
    )
    parser.add_argument(
        "--encoding",
        default="extended",
        metavar="ENCODING[+AT_MOST_ONE]",
        help="how, as in a contender's name (extended)",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="where to (standard output)")
    shared.reading(parser)


def run(args: argparse.Namespace) -> int:
    from encoders.formula import Unsupported
    from encoders.registry import NoEncoding
    from harness.model.errors import BadUsage
    from harness.model.reading import one
    from puzzles.formats import ReaderOptions

    puzzle = one(args.puzzle, ReaderOptions(args.as_, args.alphabet), args.number)
    try:
        text = written(puzzle, args.encoding)
    except (NoEncoding, Unsupported) as e:
        raise BadUsage(str(e)) from None
    if args.output is None:
        sys.stdout.write(text.decode())
        return 0
    try:
        Path(args.output).write_bytes(text)
    except OSError as e:
        raise BadUsage(f"{args.output}: can't be written: {e.strerror}") from None
    return 0


def written(puzzle: "Puzzle", encoding: str) -> bytes:
    """The file: what its literals mean as comments, the puzzle's own clauses, the formula. Raises Unsupported."""
    from backends.literal_map import LiteralMap
    from encoders.dimacs import body, dimacs
    from encoders.formula import Cnf, Unsupported
    from encoders.registry import spec

    chosen = spec(encoding)
    formula = chosen.formula(puzzle.problem, puzzle.domains)
    if not isinstance(formula, Cnf):
        raise Unsupported(f"encoding {encoding!r} makes no clauses, which is what DIMACS holds")
    comments = [
        f"{puzzle.name}: {puzzle.problem.name}, encoding {chosen.name}",
        f"each square, and the literals that place {' '.join(puzzle.problem.values)} there",
        *(f"{s} {' '.join(map(str, row))}" for s, row in zip(puzzle.problem.squares, formula.literal, strict=True)),
    ]
    own = [[x] for x in LiteralMap(formula.literal).true(puzzle.domains)]
    return dimacs(formula, body(formula), own, comments)
