"""From what a command line names to puzzles: corpora, and single puzzles that were typed or stand in a file."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from harness.model.errors import BadUsage
from puzzles.corpora import ENDINGS, find
from puzzles.formats import BadInput, ReaderOptions, parse_text, read
from puzzles.layout import Puzzle

SHORTEST = 16  # characters of a typed board that has letters; no corpus that ships has so long a name without a dot
MARKS = re.compile(r"[0-9._*xX|,\s]*[0-9._*][0-9._*xX|,\s]*")  # what can only be meant as a board


def corpus(path: Path, options: ReaderOptions, first: int | None = None) -> Iterator[Puzzle]:
    """A corpus's puzzles, streaming, the first so many."""
    return islice(read(path, options), first)


def named(pairs: Sequence[str]) -> dict[str, str]:
    """NAME=VALUE arguments by name. Raises BadUsage."""
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not (name and equals and value.strip()):
            raise BadUsage(f"{pair!r} is not NAME=VALUE")
    return {name: value for name, _, value in (pair.partition("=") for pair in pairs)}


def located(text: str) -> tuple[Path, int] | None:
    """The file, and the line if one is named (else 0), that `text` names; None where it may be a typed board.

    Raises BadInput where it is neither.
    """
    try:
        return find(text), 0
    except BadInput:
        place = re.fullmatch(r"(.+):([0-9]{1,9})", text)
        with suppress(BadInput):
            if place:
                return find(place[1]), int(place[2])
        if MARKS.fullmatch(text) or (len(text) >= SHORTEST and "/" not in text and Path(text).suffix not in ENDINGS):
            return None
        raise


def pick(puzzles: Iterator[Puzzle], place: str, number: int, line: int) -> Puzzle:
    """The puzzle that starts on that line, or with line 0 the `number`th. Raises BadUsage."""
    if line:
        found = next((p for p in puzzles if p.name.endswith(f":{line}")), None)
    else:
        found = next(islice(puzzles, number - 1, None), None)
    if found is None:
        raise BadUsage(
            f"{place}: no puzzle starts on line {line}" if line else f"{place} has fewer than {number} puzzles"
        )
    return found


def one(text: str, options: ReaderOptions, number: int = 1) -> Puzzle:
    """The puzzle typed, that of FILE:LINE, or the `number`th of a file. Raises BadInput, BadUsage."""
    place = located(text)
    if place is None:
        return pick(parse_text(text, "puzzle", options), "the puzzle typed", number, 0)
    path, line = place
    return pick(read(path, options), path.name, number, line)
