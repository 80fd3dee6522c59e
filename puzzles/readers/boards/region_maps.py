"""Jigsaws drawn as two boards: the givens, and the map of regions in digits.

    9
    3.......4          the givens
    ...
    112223333          the map: nine squares of each digit, which hang together by their sides
    ...

A board can only be a map if each of its marks has as many squares as a row, and these are connected: as a board it
would break its rules in every region. Regions that are all rows, or all columns, are no map, since they would say
nothing. Boards and maps alternate, drawn or on one line each, whichever comes first; a file with a map has one for
each board. Where a layout is stated, every board is a board.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from math import isqrt
from typing import NamedTuple

from puzzles.boards import families
from puzzles.boards.families.jigsaw import LETTERS
from puzzles.boards.layout import Puzzle
from puzzles.boards.regions import is_connected
from puzzles.errors import ParseError
from puzzles.problem.values import Domains
from puzzles.readers.boards.directives import Directives
from puzzles.readers.source import Source

ADVICE = "write each board beside its map, or both on a line: 'jigsaw REGIONS BOARD'"


class ReadBoard(NamedTuple):
    """Board as read: the directives in force, and its first line.

    is_claim    True below a heading such as 'Solution:'
    may_be_map  False if two marks of the board, which are cheap to compare, show that it is no map of regions
    """

    puzzle: Puzzle
    directives: Directives
    line: int
    may_be_map: bool
    is_claim: bool = False

    @property
    def is_map(self) -> bool:
        """True if the board can only be a map of regions."""
        return self.may_be_map and self.directives.as_ is None and is_region_map(self.puzzle.domains)


def with_regions(boards: Iterator[ReadBoard], source: Source) -> Iterator[ReadBoard]:
    """Yield boards, as jigsaws where a map of regions follows. Raises ParseError where map or board is missing."""
    held = list(islice(boards, 2))
    every = chain(held, boards)
    if len({board.is_map for board in held}) < 2:  # no pair begins the file, and so no board has a map
        for board in every:
            if board.is_map:
                raise ParseError(without_board(board, held[0]), board.line)
            yield board
        return
    source.note("a board whose digits fill connected regions is the map of a jigsaw")
    for board in every:
        other = next(every, None)
        if other is None or other.is_map == board.is_map:
            lacks = f"a board without a map of regions, which others have: {ADVICE}"
            raise ParseError(without_board(board, board) if board.is_map else lacks, board.line)
        given, regions = (other, board) if board.is_map else (board, other)
        yield given._replace(puzzle=jigsaw(given.puzzle, regions.puzzle.domains))


def without_board(board: ReadBoard, first: ReadBoard) -> str:
    """Return the message for a map of regions in a file with that first board, without a board of its own."""
    if not first.is_map:
        return f"a map of regions, but the board of line {first.line} has none: {ADVICE}"
    return f"a map of regions without a board: {ADVICE}; --as '{board.puzzle.problem.name}' reads boards alone"


def joined_at_corner(marks: Sequence[object], n: int) -> bool:
    """Return True if the first square's mark fills n squares, one of them a neighbour, as in every map of regions."""
    return n > 1 and len(marks) == n * n and marks[0] in (marks[1], marks[n]) and marks.count(marks[0]) == n


def is_region_map(domains: Domains) -> bool:
    """Return True for n connected regions of n squares that are not all rows, or all columns.

    The squares of a region have the same given; those of one may be open, since 0 is a digit of maps.
    """
    n = isqrt(len(domains))
    if domains.count(domains[0]) != n or len(set(domains)) != n:
        return False
    regions = [[s for s, mask in enumerate(domains) if mask == region] for region in set(domains)]
    marked = [mask.bit_count() == 1 for mask in set(domains)]
    lines = [{s // n for s in region} for region in regions], [{s % n for s in region} for region in regions]
    return (
        all(len(region) == n and is_connected(region, n, n) for region in regions)
        and sum(marked) >= n - 1
        and not any(all(len(line) == 1 for line in way) for way in lines)
    )


def is_map_text(text: str) -> bool:
    """Return True if a board on one line, a character per square, can only be a map of regions."""
    marks = {mark: 1 << i for i, mark in enumerate(dict.fromkeys(text))}
    return bool(text) and is_region_map(tuple(marks[mark] for mark in text))


def jigsaw(puzzle: Puzzle, regions: Domains) -> Puzzle:
    """Return the jigsaw of a board and its map."""
    letters = dict(zip(dict.fromkeys(regions), LETTERS, strict=False))
    name, symbols = f"jigsaw {''.join(letters[mask] for mask in regions)}", puzzle.problem.values
    layout = families.layout(name)
    if layout.values != symbols:
        layout = families.layout(name, "".join(symbols))
    return replace(puzzle, problem=layout)
