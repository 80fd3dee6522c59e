"""Parquet: the rows of the CSV with their types, exact integers of nanoseconds, in groups of CHUNK rows."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from harness.model.errors import BadUsage
from harness.reporting.formats.tidy import NAMES, TYPES, all_rows, names_of, type_of
from harness.storing.journal import Journal
from puzzles.files import replacing
from puzzles.packages import install

CHUNK = 10_000
EXACT = tuple(name for name in NAMES if TYPES[name] == "exact")


def column_types(names: Sequence[str]) -> Any:
    """Return the schema."""
    import pyarrow as pa

    text = pa.string()
    types = {
        "text": text,
        "boolean": pa.bool_(),
        "list": pa.list_(text),
        "float": pa.float64(),
        "integer": pa.int64(),
        "exact": text,
    }
    return pa.schema([(name, types[type_of(name)]) for name in names])


def write_parquet(journal: Journal, path: Path) -> None:
    """Write all rows. Raises BadUsage if pyarrow is not installed."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise BadUsage(f"parquet needs pyarrow: {install('pyarrow')}") from None
    types, left = column_types(names_of(journal)), all_rows(journal)
    with replacing(path) as part, pq.ParquetWriter(part, types) as writer:
        while chunk := list(islice(left, CHUNK)):
            writer.write_table(pa.Table.from_pylist(list(map(as_text, chunk)), schema=types))


def as_text(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with exact integers, which may exceed 64 bits, as text."""
    return row | {name: None if row[name] is None else str(row[name]) for name in EXACT}
