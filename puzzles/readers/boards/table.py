"""Reader of CSV with a header: columns of puzzle, solution, count and regions are found by name; others are ignored.

Columns are separated by commas, semicolons or tabs. Files without a header are lines of boards with remarks.
"""

import csv
import re
from collections.abc import Iterator
from dataclasses import replace

from puzzles.boards.layout import Puzzle
from puzzles.errors import ParseError, brief
from puzzles.readers.boards.arrays import PUZZLE, SOLUTION
from puzzles.readers.boards.classify import classify
from puzzles.readers.boards.directives import Directives, make_puzzle, parse_directives
from puzzles.readers.boards.grids import resolve_alphabet
from puzzles.readers.boards.rows import BoardRows
from puzzles.readers.csv_rows import limited
from puzzles.readers.options import ReaderOptions
from puzzles.readers.source import Source

COUNT = ("count", "solution_count")
REGIONS = ("regions", "region", "map", "jigsaw")
SEPARATORS = ",;\t"


def split_fields(text: str, separator: str) -> list[str]:
    """Split one line into fields. Raises ParseError."""
    if '"' not in text:
        return text.split(separator)
    try:
        return next(limited(csv.reader([text], delimiter=separator, strict=True)))
    except csv.Error as e:
        why = "a quote is not closed; a field must be on one line" if text.count('"') % 2 else e
        raise ParseError(f"{brief(text)} is not a line of CSV: {why}") from None


def find_column(header: list[str], names: tuple[str, ...]) -> int | None:
    """Return the index of the first column with one of these names, or None."""
    return next((i for i, title in enumerate(header) if title.strip(' "').lower() in names), None)


def separator_of(header: str) -> str:
    """Return the separator that splits a header into most fields."""
    return max(SEPARATORS, key=header.count)


def is_header(text: str) -> bool:
    """Return True if a line names several columns, one of them for puzzles."""
    fields = text.split(separator_of(text))
    return len(fields) > 1 and find_column(fields, PUZZLE) is not None


def is_unknown_header(text: str) -> bool:
    """Return True if a line names several columns, none of them for puzzles."""
    fields = [field.strip(' "') for field in text.split(separator_of(text))]
    return len(fields) > 1 and all(re.fullmatch(r"[^\W\d]{2,}[\w ]*", field) for field in fields)


def read_table(source: Source, options: ReaderOptions, directives: Directives) -> Iterator[Puzzle]:
    """Yield one puzzle per line. Raises ParseError or BadLayout at source.line."""
    header, separator = list[str](), ","
    at = solved = counted = mapped = None
    for number, raw in source.lines:
        source.line = number
        text = raw.strip("\r")
        if text.startswith("#:"):
            directives = parse_directives(options, text[2:])
        if not text.strip() or text[0] == "#":
            continue
        if not header:
            separator = separator_of(text)
        row = split_fields(text, separator)
        if not header:
            header = row
            at, solved, counted, mapped = (find_column(header, names) for names in (PUZZLE, SOLUTION, COUNT, REGIONS))
            if at is None:
                raise ParseError(f"no column is named {', '.join(PUZZLE)}: the first line is {brief(text)}")
            continue
        if len(row) != len(header):
            raise ParseError(f"{len(row)} fields, but the header has {len(header)}")
        count, known, regions = ("" if i is None else row[i].strip() for i in (counted, solved, mapped))
        rules = replace(directives, as_=f"jigsaw {regions}") if regions and not directives.as_ else directives
        claim = f"{count}:{known}" if count or known else ""
        yield field_puzzle(f"{source.name}:{source.line}", row[at or 0], claim, rules)


def field_puzzle(name: str, text: str, claim: str, directives: Directives) -> Puzzle:
    """Return the puzzle in a field, which must be a whole board. Raises ParseError."""
    layout, whole, cells = classify(text, BoardRows(), directives)
    if not whole:
        raise ParseError(f"{brief(text)} is a row of {layout.name}, not a whole board")
    layout, domains = resolve_alphabet(layout, cells, directives)
    return make_puzzle(name, layout, domains, directives, claim)
