"""Squares that the input tags with letters.

A lower-case letter where an open square's dot would be tags that square: `8..a....b..36...`. Where the values of the
board are letters themselves they are written as capitals, and then the lower-case ones are tags.
"""

import re
from dataclasses import replace

from harness.model.errors import BadUsage
from harness.model.reading import located, one
from puzzles.formats import BadInput, ReaderOptions, parse_text
from puzzles.layout import Puzzle

LARGEST = 1 << 20  # bytes of a file that may have tags
NO_BOARD = re.compile(r"\s*(#|\[|grid\s)", re.IGNORECASE)  # lines of a file in which a letter is no tag
TAG = re.compile(r"[a-z]")
MARK = "!"  # stands in a tag's place while the board is read


def read_tagged(given: str, options: ReaderOptions, number: int) -> tuple[Puzzle, dict[int, str]]:
    """The puzzle that the command line names, as `one` finds it, and the tagged squares. Raises BadInput, BadUsage."""
    refusal: BadInput | None = None
    try:
        puzzle = one(given, options, number)
    except BadInput as e:
        refusal = e
    name, line, text = written(given)
    lines = text.split("\n")
    boards = "".join(row for row in lines if not NO_BOARD.match(row))
    if refusal is None and not (TAG.search(boards) and re.search(r"[A-Z]", boards)):
        return puzzle, {}
    letters = iter(TAG.findall(boards))
    marked = "\n".join(row if NO_BOARD.match(row) else TAG.sub(MARK, row) for row in lines)
    try:
        if MARK in text:
            raise BadUsage(f"{name}: {MARK!r} (a square without values) and tagged squares don't go together")
        for at, found in enumerate(parse_text(marked, name, options), 1):
            tags = {s: next(letters) for s, mask in enumerate(found.domains) if not mask}
            if found.name == f"{name}:{line}" if line else at == number:
                opened = tuple(mask or found.problem.full for mask in found.domains)
                return replace(found, domains=opened), tags
    except BadInput:
        if refusal is None:
            return puzzle, {}  # a graph, say, whose letters are no tags
        raise refusal from None
    raise refusal or BadUsage(f"{name} has fewer than {number} puzzles")


def written(given: str) -> tuple[str, int, str]:
    """What to call the text that was typed or stands in the file, the line that is named (else 0), and the text."""
    place = located(given)
    if place is None:
        return "puzzle", 0, given
    path, line = place
    small = path.is_file() and path.stat().st_size <= LARGEST
    return path.name, line, path.read_text("utf-8-sig", "replace") if small else ""
