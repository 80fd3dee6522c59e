"""Puzzles from command-line arguments: corpora, and single puzzles typed or taken from a file."""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from harness.model.errors import BadUsage
from puzzles.corpora import ENDINGS, find
from puzzles.errors import BadInput
from puzzles.formats import FILE_ENDINGS, ReaderOptions, parse_text, read
from puzzles.problem import Instance
from puzzles.readers.boards import board_lines

MIN_LETTERED_BOARD = 16  # characters of a typed board with letters; exceeds all bundled corpus names without a dot
BOARD_TEXT = re.compile(r"[0-9._*xX|,\s]*[0-9._*][0-9._*xX|,\s]*")  # text that is always a board


def read_corpus(path: Path, line: int, options: ReaderOptions, first: int | None = None) -> Iterator[Instance[Any]]:
    """Return an iterator over the first puzzles of a corpus (all if `first` is None), or over the puzzle of one line.

    Raises BadUsage if no puzzle starts on the line; the iterator raises BadInput.
    """
    puzzles = read(path, options)
    return iter([pick_puzzle(puzzles, path.name, 1, line)]) if line else islice(puzzles, first)


def parse_assignments(pairs: Sequence[str]) -> dict[str, str]:
    """Return the values of NAME=VALUE arguments by name, which BASE: may precede as in -b. Raises BadUsage."""
    found = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        name = ":".join(name.split(":")[1:2]) or name
        if not (name and equals and value.strip()):
            raise BadUsage(
                f"{pair!r} is not NAME=VALUE: --program, --env and --checker take such as mine='./mine --fast'"
            )
        found[name] = value
    return found


def file_and_line(text: str) -> tuple[Path, int]:
    """Return the file and line (0 if none) that FILE, FILE:LINE, or the name of a corpus names. Raises BadInput."""
    try:
        return find(text), 0
    except BadInput:
        place = re.fullmatch(r"(.+):([1-9][0-9]{0,8})", text)
        with suppress(BadInput):
            if place:
                return find(place[1]), int(place[2])
        raise


def locate(text: str) -> tuple[Path, int] | None:
    """Return the file and line that `text` names, or None if it may be a typed board. Raises BadInput if neither."""
    if is_board_line(text) and not os.path.lexists(text):
        return None
    try:
        return file_and_line(text)
    except BadInput:
        is_long, ending = len(text) >= MIN_LETTERED_BOARD, Path(text).suffix.lower()
        if BOARD_TEXT.fullmatch(text) or (is_long and "/" not in text and ending not in FILE_ENDINGS | {*ENDINGS}):
            return None
        raise


def is_board_line(text: str) -> bool:
    """Return True for text of several lines, and for one that begins with a family of boards and a blank."""
    return "\n" in text.strip() or (" " in text.strip() and board_lines.recognise(text.strip()))


def pick_puzzle(puzzles: Iterator[Instance[Any]], place: str, number: int, line: int) -> Instance[Any]:
    """Return the puzzle that starts on a line, or the `number`th if line is 0. Raises BadUsage."""
    first = ""
    for n, puzzle in enumerate(puzzles, 1):
        first = first or puzzle.name
        if puzzle.name.endswith(f":{line}") if line else n == number:
            return puzzle
    if line:
        starts = f"; the first is {first}" if re.search(r":[0-9]+$", first) else ""
        raise BadUsage(f"{place}: no puzzle starts on line {line}{starts}")
    raise BadUsage(f"{place} has fewer than {number} puzzles")


def read_puzzle(text: str, options: ReaderOptions, number: int = 1) -> Instance[Any]:
    """Return a typed puzzle, the puzzle of FILE:LINE, or the `number`th of a file. Raises BadInput, BadUsage."""
    place = locate(text)
    if place is None:
        return pick_puzzle(parse_text(text, "puzzle", options), "the puzzle typed", number, 0)
    path, line = place
    return pick_puzzle(read(path, options), path.name, number, line)
