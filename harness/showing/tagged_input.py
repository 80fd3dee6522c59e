"""Read puzzles in which letters tag squares.

A lower-case letter in place of an open square's dot tags that square: `8..a....b..36...`. On boards whose values are
letters, values must be capitals, and lower-case letters are tags.
"""

import re
from dataclasses import replace
from typing import Any

from harness.model.errors import BadUsage
from harness.model.reading import locate, read_puzzle
from puzzles.boards.families import family_named
from puzzles.boards.families.jigsaw import FAMILY as JIGSAW
from puzzles.boards.layout import Layout
from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, parse_text
from puzzles.problem import Instance

MAX_BYTES = 1 << 20  # bytes of a file that is searched for tags
NOT_BOARD = re.compile(r"^\s*(?:(?:#|\[|grid\s).*|jigsaw\s+\S+\s)", re.IGNORECASE)  # what begins lines and has no tags
TAG = re.compile(r"[a-z]")
MARK = "!"  # replaces each tag while the board is read


def read_tagged(given: str, options: ReaderOptions, number: int) -> tuple[Instance[Any], dict[int, str]]:
    """Return the puzzle that `one` finds, and the tags by square. Raises BadInput, BadUsage."""
    error: BadInput | None = None
    try:
        puzzle = read_puzzle(given, options, number)
    except BadInput as e:
        error = e
    if error is None and not may_have_tags(puzzle):
        return puzzle, {}
    name, line, text = source_text(given)
    lines = text.split("\n")
    boards = "".join(NOT_BOARD.sub("", row, count=1) for row in lines)
    if error is None and not (TAG.search(boards) and re.search(r"[A-Z]", boards)):
        return puzzle, {}
    letters = iter(TAG.findall(boards))
    marked = "\n".join(map(marked_row, lines))
    try:
        if MARK in text:
            if error is not None and "\n" in text:
                raise error  # of a file, which may be no board at all
            raise BadUsage(f"{name}: {MARK!r} (a square without values) can't be combined with tagged squares")
        for at, found in enumerate(parse_text(marked, name, options), 1):
            tags = {s: next(letters) for s, mask in enumerate(found.domains) if not mask}
            if found.name == f"{name}:{line}" if line else at == number:
                opened = tuple(mask or found.problem.full for mask in found.domains)
                return replace(found, domains=opened), tags
    except BadInput:
        if error is None:
            return puzzle, {}  # such as a graph, whose letters are not tags
        raise error from None
    raise error or BadUsage(f"{name} has fewer than {number} puzzles")


def marked_row(row: str) -> str:
    """Return a line with a mark in the place of each tag."""
    begun = NOT_BOARD.match(row)
    at = begun.end() if begun else 0
    return row[:at] + TAG.sub(MARK, row[at:])


def may_have_tags(puzzle: Instance[Any]) -> bool:
    """Return False for what is no board of units, such as a formula, and for jigsaws: their letters are not tags."""
    return isinstance(puzzle.problem, Layout) and family_named(puzzle.problem.name.partition(" ")[0]) is not JIGSAW


def source_text(given: str) -> tuple[str, int, str]:
    """Return the name of the input (file, or `puzzle` if typed), the named line (else 0), and its text."""
    located = locate(given)
    if located is None:
        return "puzzle", 0, given
    path, line = located
    small = path.is_file() and path.stat().st_size <= MAX_BYTES
    return path.name, line, path.read_text("utf-8-sig", "replace") if small else ""
