"""Text <-> puzzles: the door to the readers, and the writers of boards.

What a file holds follows from its ending (.col, .pls, .csv) or else from its first line that is neither blank nor
a comment; a .csv whose first line has no letters is a board with commas between its squares. Every reader streams: a
corpus of a million lines takes no more memory than one of ten.
"""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from puzzles.families import BadLayout
from puzzles.layout import Puzzle
from puzzles.readers.boards import boards
from puzzles.readers.graph import graph
from puzzles.readers.latin import ORDER, squares
from puzzles.readers.marks import board, one_line, solution_text
from puzzles.readers.source import BadInput, Flaw, Source, from_file, from_text
from puzzles.readers.table import is_header, table
from puzzles.readers.terms import Options, Terms, stated

__all__ = ["BadInput", "Options", "board", "one_line", "parse_text", "read", "solution_text"]

GRAPH = re.compile(r"c(\s.*)?|p\s+(edges?|col)\s.*")
STATED_NOTHING = Options()


def read(path: Path | str, options: Options = STATED_NOTHING) -> Iterator[Puzzle]:
    """The puzzles of a file, as they are reached. Raises BadInput, no sooner than the iterator gets there."""
    return _puzzles(from_file(Path(path)), Path(path).suffix.lower(), options)


def parse_text(text: str, name: str, options: Options = STATED_NOTHING) -> Iterator[Puzzle]:
    """The puzzles of a text, named NAME:LINE. Raises BadInput like `read`."""
    return _puzzles(from_text(text, name), "", options)


def _puzzles(source: Source, suffix: str, options: Options) -> Iterator[Puzzle]:
    found = False
    try:
        for puzzle in _by_format(source, suffix, options, stated(options)):
            found = True
            yield puzzle
    except (Flaw, BadLayout) as e:
        raise source.refusal(str(e), getattr(e, "line", None)) from None
    if not found:
        raise source.refusal("holds no puzzles", 0)


def _by_format(source: Source, suffix: str, options: Options, terms: Terms) -> Iterator[Puzzle]:
    """The reader for the file's ending, or else for its first line."""
    for number, raw in source.lines:
        text = raw.strip()
        source.line = number
        if text.startswith("#:"):
            terms = stated(options, text[2:])
        if not text or text[0] == "#":
            continue
        source.lines = chain([(number, raw)], source.lines)
        if suffix == ".col" or ((suffix == "" or suffix == ".txt") and GRAPH.fullmatch(text)):
            return graph(source, terms)
        if suffix == ".pls" or ORDER.fullmatch(text):
            return squares(source, options, terms)
        if is_header(text) or (suffix == ".csv" and re.search(r"[^\W\d_]", text)):
            return table(source, options, terms)
        return boards(source, options, terms)
    return iter(())
