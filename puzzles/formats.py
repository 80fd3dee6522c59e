"""Conversion between text and puzzles: entry points of the readers, and the writers of boards.

The format follows from the file's ending (.col, .pls, .csv), or else from its first line that is neither blank nor a
comment; a .csv whose first line has no letters is a board with commas between its squares. Every reader of boards
streams: a corpus of a million lines takes no more memory than one of ten. A CNF or OPB file is one instance. A folder
is a corpus of its files, and files may be compressed.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from puzzles.families import BadLayout
from puzzles.layout import Puzzle
from puzzles.problem import Instance, Problem
from puzzles.readers.boards import read_boards
from puzzles.readers.compressed import HEAD_BYTES, ending
from puzzles.readers.directives import Directives, ReaderOptions, parse_directives
from puzzles.readers.folder import claimed, instance_files, read_claims
from puzzles.readers.graph import read_graph
from puzzles.readers.latin import ORDER, read_latin
from puzzles.readers.marks import board, one_line, solution_text
from puzzles.readers.source import BadInput, ParseError, Source, from_file, from_text, lines_of, opened
from puzzles.readers.table import is_header, read_table

__all__ = ["BadInput", "ReaderOptions", "board", "one_line", "parse_text", "read", "solution_text"]

CNF = re.compile(rb"(?:\s*c(?:[ \t][^\n]*)?\r?\n)*\s*p\s+cnf\b")
OPB = re.compile(r"\*\s*#variable=.*|(min|max):.*|[+-]?[0-9]+\s+~?x[0-9]+(\s.*)?")
GRAPH = re.compile(r"c(\s.*)?|p\s+(edges?|col)\s.*")
NO_OPTIONS = ReaderOptions()


def read(path: Path | str, options: ReaderOptions = NO_OPTIONS) -> Iterator[Instance[Any]]:
    """Iterate over the instances of a file or folder. The iterator raises BadInput when it reaches an error."""
    path = Path(path)
    if path.is_dir():
        yield from read_folder(path, options)
        return
    source = from_file(path)
    with opened(path, source) as file:
        if CNF.match(file.peek(HEAD_BYTES)):
            yield cnf_instance(file, source, options)
        else:
            source.lines = lines_of(file, source)
            yield from _puzzles(source, ending(path), options)
    for note in source.notes:
        options.notify(note)


def read_folder(folder: Path, options: ReaderOptions) -> Iterator[Instance[Any]]:
    """Iterate over the instances of all files in a folder and in its folders, with the claims of its expected.csv."""
    claims = read_claims(folder)
    for path in instance_files(folder):
        name = path.relative_to(folder).as_posix()
        for instance in read(path, options):
            yield claimed(replace(instance, name=name + instance.name.removeprefix(path.name)), claims.get(name))


def cnf_instance(file: BinaryIO, source: Source, options: ReaderOptions) -> Instance[Problem]:
    """Return the instance of a CNF file. Raises BadInput."""
    from puzzles.readers.cnf import read_cnf  # which needs numpy

    try:
        if options.as_:
            raise ParseError(f"a CNF file has no layout: leave out --as {options.as_!r}", 0)
        return read_cnf(file, source)
    except ParseError as e:
        raise source.bad_input(str(e), e.line) from None


def parse_text(text: str, name: str, options: ReaderOptions = NO_OPTIONS) -> Iterator[Puzzle]:
    """Iterate over the puzzles of a string, named NAME:LINE. Raises BadInput like `read`."""
    return _puzzles(from_text(text, name), "", options)


def _puzzles(source: Source, suffix: str, options: ReaderOptions) -> Iterator[Instance[Any]]:
    found = False
    try:
        for puzzle in _by_format(source, suffix, options, parse_directives(options)):
            found = True
            yield puzzle
    except (ParseError, BadLayout) as e:
        raise source.bad_input(str(e), getattr(e, "line", None)) from None
    if not found:
        raise source.bad_input("contains no puzzles", 0)


def _by_format(source: Source, suffix: str, options: ReaderOptions, directives: Directives) -> Iterator[Instance[Any]]:
    """Choose the reader by the file's ending, or else by its first line, and return its puzzles."""
    for number, raw in source.lines:
        text = raw.strip()
        source.line = number
        if text.startswith("#:"):
            directives = parse_directives(options, text[2:])
        if not text or text[0] == "#":
            continue
        source.lines = chain([(number, raw)], source.lines)
        if OPB.fullmatch(text):
            from puzzles.readers.opb import read_opb  # which needs numpy

            return iter([read_opb(source)])
        if suffix == ".col" or ((suffix == "" or suffix == ".txt") and GRAPH.fullmatch(text)):
            return read_graph(source, directives)
        if suffix == ".pls" or ORDER.fullmatch(text):
            return read_latin(source, options, directives)
        if is_header(text) or (suffix == ".csv" and re.search(r"[^\W\d_]", text)):
            return read_table(source, options, directives)
        return read_boards(source, options, directives)
    return iter(())
