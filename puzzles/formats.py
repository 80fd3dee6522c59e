"""Conversion between text and puzzles: entry points of the readers, and the writers of boards.

The format follows from the first lines that are neither blank nor comments; .col and .pls files are always graphs and
Latin squares. Formats in TRANSLATED become lines of boards, which one reader reads. Every reader streams: a corpus of a
million lines takes no more memory than one of ten.
"""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from puzzles.families import BadLayout
from puzzles.layout import Puzzle
from puzzles.readers import arrays, game_id, hodoku, mini_grids, opensudoku
from puzzles.readers.boards import read_boards
from puzzles.readers.directives import Directives, ReaderOptions, parse_directives
from puzzles.readers.graph import read_graph
from puzzles.readers.latin import ORDER, read_latin
from puzzles.readers.lookahead import Line
from puzzles.readers.marks import board, one_line, solution_text
from puzzles.readers.source import BadInput, ParseError, Source, from_file, from_text
from puzzles.readers.table import is_header, is_unknown_header, read_table

__all__ = ["BadInput", "ReaderOptions", "board", "one_line", "parse_text", "read", "solution_text"]

# Each has `recognise(opening) -> bool` and `translate(lines) -> lines`.
TRANSLATED = (arrays, game_id, hodoku, mini_grids, opensudoku)
OPENING_LINES = 12  # a row of squares with its candidates, and rules
MAX_HELD_LINES = 100
GRAPH = re.compile(r"c(\s.*)?|p\s+(edges?|col)\s.*")
NO_OPTIONS = ReaderOptions()


def read(path: Path | str, options: ReaderOptions = NO_OPTIONS) -> Iterator[Puzzle]:
    """Iterate over the puzzles of a file. The iterator raises BadInput when it reaches an error."""
    return _puzzles(from_file(Path(path)), Path(path).suffix.lower(), options)


def parse_text(text: str, name: str, options: ReaderOptions = NO_OPTIONS) -> Iterator[Puzzle]:
    """Iterate over the puzzles of a string, named NAME:LINE. Raises BadInput like `read`."""
    return _puzzles(from_text(text, name), "", options)


def _puzzles(source: Source, suffix: str, options: ReaderOptions) -> Iterator[Puzzle]:
    found = False
    source.notify = options.notify
    try:
        for puzzle in _by_format(source, suffix, options, parse_directives(options)):
            found = True
            yield puzzle
    except (ParseError, BadLayout) as e:
        raise source.bad_input(str(e), getattr(e, "line", None)) from None
    if not found:
        raise source.bad_input("contains no puzzles", 0)


def _by_format(source: Source, suffix: str, options: ReaderOptions, directives: Directives) -> Iterator[Puzzle]:
    """Choose the reader by the file's first lines, or its ending, and return its puzzles."""
    held, opening = _opening(source.lines)
    source.lines = chain(held, source.lines)
    text = opening[0] if opening else ""
    for source.line, raw in held:
        if raw.strip().startswith("#:"):
            directives = parse_directives(options, raw.strip()[2:])
        elif text and raw.strip() == text:
            break
    if not opening:
        return iter(())
    if suffix == ".col" or ((suffix == "" or suffix == ".txt") and GRAPH.fullmatch(text)):
        return read_graph(source, directives)
    if suffix == ".pls" or ORDER.fullmatch(text):
        return read_latin(source, options, directives)
    if is_header(text) or (suffix == ".csv" and is_unknown_header(text)):
        return read_table(source, options, directives)
    for form in TRANSLATED:
        if form.recognise(opening):
            source.lines = form.translate(source.lines)
            break
    return read_boards(source, options, directives)


def _opening(lines: Iterator[Line]) -> tuple[list[Line], list[str]]:
    """Return the first lines, all of them, and those that are neither blank nor comments, stripped."""
    held, opening = list[Line](), list[str]()
    for line in lines:
        held.append(line)
        text = line[1].strip()
        if text and text[0] != "#":
            opening.append(text)
        if len(opening) == OPENING_LINES or (opening and len(held) >= MAX_HELD_LINES):
            break
    return held, opening
