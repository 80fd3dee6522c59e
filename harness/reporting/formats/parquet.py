"""Parquet: the rows of the CSV with their types, exact integers of nanoseconds, in groups of CHUNK rows."""

from itertools import islice
from pathlib import Path
from typing import Any

from harness.model.errors import BadUsage
from harness.reporting.formats.tidy import AXES, FLAGS, NAMES, PARTS, rows
from harness.storing.journal import Journal

CHUNK = 10_000
STRINGS = ("corpus", "puzzle", "contender", "version", "verdict", "status", "reason", "detail", *PARTS, *AXES)
BOOLEANS = (*FLAGS, "warm")


def column_types() -> Any:
    """Return the schema: strings, booleans, lists of solutions, a limit in seconds; all others are int64."""
    import pyarrow as pa

    types = dict.fromkeys(NAMES, pa.int64()) | dict.fromkeys(STRINGS, pa.string())
    types |= dict.fromkeys(BOOLEANS, pa.bool_()) | {"solutions": pa.list_(pa.string()), "limit": pa.float64()}
    return pa.schema([(name, types[name]) for name in NAMES])


def write_parquet(journal: Journal, path: Path) -> None:
    """Write all rows. Raises BadUsage if pyarrow is not installed."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise BadUsage("parquet needs pyarrow: pip install 'crosscheck[frame]'") from None
    types, left = column_types(), rows(journal)
    with pq.ParquetWriter(path, types) as writer:
        while chunk := list(islice(left, CHUNK)):
            writer.write_table(pa.Table.from_pylist(chunk, schema=types))
