"""From what a command line names to puzzles: corpora, and single puzzles that were typed or stand in a file."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from harness.errors import BadUsage
from puzzles.corpora import find
from puzzles.formats import BadInput, Options, parse_text, read
from puzzles.layout import Puzzle

SHORTEST = 16  # characters of a typed board; no corpus that ships has so long a name without a dot in it


def corpus(path: Path, options: Options, first: int | None = None) -> Iterator[Puzzle]:
    """A corpus's puzzles, streaming, the first so many."""
    return islice(read(path, options), first)


def named(pairs: Sequence[str]) -> dict[str, str]:
    """NAME=VALUE arguments by name. Raises BadUsage."""
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not (name and equals and value.strip()):
            raise BadUsage(f"{pair!r} is not NAME=VALUE")
    return {name: value for name, _, value in (pair.partition("=") for pair in pairs)}


def one(text: str, options: Options, number: int = 1) -> Puzzle:
    """The puzzle that `text` is, or the `number`th of the file or corpus that it names. Raises BadInput, BadUsage."""
    try:
        path = find(text)
    except BadInput:
        if len(text) < SHORTEST or "/" in text or Path(text).suffix in (".txt", ".col"):
            raise
        puzzles, place = parse_text(text, "puzzle", options), "the puzzle typed"
    else:
        puzzles, place = read(path, options), path.name
    found = next(islice(puzzles, number - 1, None), None)
    if found is None:
        raise BadUsage(f"{place} has fewer than {number} puzzles")
    return found
