"""Conversion between text and puzzles: entry points of the readers, and the writers of boards.

The format follows from the file's ending (.col, .pls, .csv), or else from its first line that is neither blank nor a
comment; a .csv whose first line has no letters is a board with commas between its squares. Every reader streams: a
corpus of a million lines takes no more memory than one of ten.
"""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from puzzles.families import BadLayout
from puzzles.layout import Puzzle
from puzzles.readers.boards import read_boards
from puzzles.readers.directives import Directives, ReaderOptions, parse_directives
from puzzles.readers.graph import read_graph
from puzzles.readers.latin import ORDER, read_latin
from puzzles.readers.marks import board, one_line, solution_text
from puzzles.readers.source import BadInput, ParseError, Source, from_file, from_text
from puzzles.readers.table import is_header, read_table

__all__ = ["BadInput", "ReaderOptions", "board", "one_line", "parse_text", "read", "solution_text"]

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
    try:
        for puzzle in _by_format(source, suffix, options, parse_directives(options)):
            found = True
            yield puzzle
    except (ParseError, BadLayout) as e:
        raise source.bad_input(str(e), getattr(e, "line", None)) from None
    if not found:
        raise source.bad_input("contains no puzzles", 0)


def _by_format(source: Source, suffix: str, options: ReaderOptions, directives: Directives) -> Iterator[Puzzle]:
    """Choose the reader by the file's ending, or else by its first line, and return its puzzles."""
    for number, raw in source.lines:
        text = raw.strip()
        source.line = number
        if text.startswith("#:"):
            directives = parse_directives(options, text[2:])
        if not text or text[0] == "#":
            continue
        source.lines = chain([(number, raw)], source.lines)
        if suffix == ".col" or ((suffix == "" or suffix == ".txt") and GRAPH.fullmatch(text)):
            return read_graph(source, directives)
        if suffix == ".pls" or ORDER.fullmatch(text):
            return read_latin(source, options, directives)
        if is_header(text) or (suffix == ".csv" and re.search(r"[^\W\d_]", text)):
            return read_table(source, options, directives)
        return read_boards(source, options, directives)
    return iter(())
