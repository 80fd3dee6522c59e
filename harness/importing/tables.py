"""Rows of a CSV file whose first row names its columns, with the lines of mistakes."""

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from harness.importing.record import MalformedResults, Result, ResultsFile, at, shortened
from harness.importing.unpacking import unpacked
from harness.reporting.writing.printable import FORMULA
from puzzles.readers.csv_rows import limited

MAX_CELL = 1 << 20
MAX_COLUMNS = 1000
MARKED = tuple("'" + sign for sign in FORMULA)
Line = tuple[int, list[str]]


def lines(path: str) -> Iterator[Line]:
    """Yield the rows of a CSV file with their line numbers, without empty rows. Raises BadUsage."""
    with unpacked(path) as raw:
        reader = csv.reader(io.TextIOWrapper(raw, "utf-8-sig", newline=""), strict=True)
        try:
            for row in limited(reader, MAX_CELL):
                if len(row) > MAX_COLUMNS:
                    raise at(path, reader.line_num, f"{len(row):,} columns, more than {MAX_COLUMNS:,}")
                if row:
                    yield reader.line_num, row
        except csv.Error as e:
            raise at(path, reader.line_num, e) from e
        except UnicodeDecodeError as e:
            raise at(path, reader.line_num + 1, "not UTF-8 text") from e


def read(
    path: str, result: Callable[[Mapping[str, str]], Iterator[Result]], check: Callable[[list[str]], None]
) -> ResultsFile:
    """Read a file whose first row names its columns. Raises BadUsage with the line of a mistake."""
    rows, source = lines(path), ResultsFile(path)
    number, header = next(rows, (1, []))
    try:
        if not header:
            raise MalformedResults("no row of column names")
        name, times = Counter(header).most_common(1)[0]
        if times > 1:
            raise MalformedResults(f"two columns are named {shortened(name)}")
        check(header)
        for line, row in rows:
            number = line
            if len(row) != len(header):
                raise MalformedResults(f"{len(row)} cells, but there are {len(header)} columns")
            cells = dict(zip(header, map(unquoted, row), strict=True))
            for found in result(cells):
                source.add(found)
                if family := cells.get("family", "").strip():
                    known = source.families.setdefault(found.instance, family)
                    if known != family:
                        raise MalformedResults(f"{shortened(found.instance)} is of the families {known} and {family}")
    except MalformedResults as e:
        raise at(path, number, e) from e
    return source


def unquoted(cell: str) -> str:
    """Return a cell without the leading apostrophe, which marks text for spreadsheets."""
    return cell[1:] if cell.startswith(MARKED) else cell
