"""Rows of CSV with a limit on the length of a cell.

The module csv has one limit for all readers of a process. It is set while a row is read, and restored.
"""

import csv
from collections.abc import Iterator
from threading import Lock

LOCK = Lock()
CELL = 1 << 17  # characters
Rows = Iterator[list[str]]


def limited(rows: Rows, cell: int = CELL) -> Rows:
    """Yield the rows of a `csv.reader`, whose cells have at most `cell` characters. Raises csv.Error."""
    while (row := next_row(rows, cell)) is not None:
        yield row


def next_row(rows: Rows, cell: int) -> list[str] | None:
    """Return the next row, None after the last. Raises csv.Error."""
    with LOCK:
        before = csv.field_size_limit(cell)
        try:
            return next(rows, None)
        finally:
            csv.field_size_limit(before)
