"""Rows of a CSV file whose first row names its columns, with the lines of mistakes."""

import csv
from collections.abc import Callable, Iterator, Mapping

from harness.importing.record import MalformedResults, Result, ResultsFile, at, shortened
from harness.model.errors import BadUsage
from harness.reporting.printable import FORMULA
from puzzles.readers.boards.csv_rows import limited

MAX_CELL = 1 << 20
Line = tuple[int, list[str]]


def lines(path: str) -> Iterator[Line]:
    """Yield the rows of a CSV file with their line numbers, without empty rows. Raises BadUsage."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            try:
                yield from ((reader.line_num, row) for row in limited(reader, MAX_CELL) if row)
            except csv.Error as e:
                raise at(path, reader.line_num, e) from e
            except UnicodeDecodeError as e:
                raise at(path, reader.line_num + 1, "not UTF-8 text") from e
    except OSError as e:
        raise BadUsage(f"{path}: {e.strerror}") from e


def read(
    path: str, result: Callable[[Mapping[str, str]], Iterator[Result]], check: Callable[[list[str]], None]
) -> ResultsFile:
    """Read a file whose first row names its columns. Raises BadUsage with the line of a mistake."""
    rows, source = lines(path), ResultsFile(path)
    number, header = next(rows, (1, []))
    try:
        if not header:
            raise MalformedResults("no row of column names")
        if len(set(header)) < len(header):
            twice = next(name for name in header if header.count(name) > 1)
            raise MalformedResults(f"two columns are named {shortened(twice)}")
        check(header)
        for line, row in rows:
            number = line
            if len(row) != len(header):
                raise MalformedResults(f"{len(row)} cells, but there are {len(header)} columns")
            source.results += result(dict(zip(header, map(unquoted, row), strict=True)))
    except MalformedResults as e:
        raise at(path, number, e) from e
    return source


def unquoted(cell: str) -> str:
    """Return a cell without the leading apostrophe, which marks text for spreadsheets."""
    return cell[1:] if cell.startswith(tuple("'" + sign for sign in FORMULA)) else cell
