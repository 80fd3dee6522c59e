"""Puzzle and contender that the arguments of a verb name."""

import argparse
from typing import TYPE_CHECKING

from harness.model.errors import BadUsage

if TYPE_CHECKING:
    from harness.model.contender import Contender
    from puzzles.formats import ReaderOptions
    from puzzles.layout import Puzzle


def reader_options(args: argparse.Namespace) -> "ReaderOptions":
    """Return the options of add_reading."""
    from puzzles.formats import ReaderOptions

    return ReaderOptions(args.as_, args.alphabet)


def given_puzzle(args: argparse.Namespace) -> "Puzzle":
    """Return the puzzle of add_puzzle. Raises BadInput, BadUsage."""
    from harness.model.reading import read_puzzle

    return read_puzzle(args.puzzle, reader_options(args), args.number)


def given_contender(args: argparse.Namespace, count: int, puzzle: "Puzzle") -> "Contender":
    """Return the contender of add_contender, for a puzzle and a number of solutions. Raises BadUsage."""
    from backends.programs import name_programs
    from harness.model.contender import resolve
    from harness.model.fitting import select_supported
    from harness.model.reading import parse_assignments

    name_programs(parse_assignments(args.program))
    (contender, *more), _ = resolve([args.backend], count)
    if more:
        raise BadUsage(f"{args.verb} takes one contender; {args.backend!r} names {1 + len(more)}")
    select_supported([contender], [args.backend], [(puzzle.problem, 1)])
    return contender
