"""Data frame of a journal's rows: the columns of `export`, with types that do not depend on the data."""

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from harness.model.errors import BadUsage
from harness.reporting.formats.tidy import NAMES, TYPES, rows
from harness.storing.journal import Journal
from puzzles.packages import install

if TYPE_CHECKING:
    import pandas
    import polars

LIBRARIES = ("pandas", "polars")


def frame(journal: Journal, library: str | None) -> "pandas.DataFrame | polars.DataFrame":
    """Return all outcomes of a journal as a frame of pandas or polars. Raises BadUsage if it is not installed."""
    build = {"pandas": pandas_frame, "polars": polars_frame}
    chosen = next(filter(find_spec, LIBRARIES), LIBRARIES[0]) if library is None else library
    if chosen not in LIBRARIES:
        raise BadUsage(f"{library!r} is no library of frames: choose from {', '.join(LIBRARIES)}")
    if not find_spec(chosen):
        raise BadUsage(f"frames need {chosen}, which is not installed: {install(chosen)}")
    columns: dict[str, list[Any]] = {name: [] for name in NAMES}
    for row in rows(journal):
        for name, values in columns.items():
            values.append(row[name])
    return build[chosen](columns)


def pandas_frame(columns: dict[str, list[Any]]) -> "pandas.DataFrame":
    """Return columns as a frame of pandas, with its types that have missing values."""
    import pandas

    types = {"text": "string", "boolean": "boolean", "list": "object", "float": "Float64", "integer": "Int64"}
    return pandas.DataFrame(
        {name: pandas.Series(values, dtype=types[TYPES[name]]) for name, values in columns.items()}, copy=False
    )


def polars_frame(columns: dict[str, list[Any]]) -> "polars.DataFrame":
    """Return columns as a frame of polars."""
    import polars

    text = polars.String
    types = {
        "text": text,
        "boolean": polars.Boolean,
        "list": polars.List(text),
        "float": polars.Float64,
        "integer": polars.Int64,
    }
    return polars.DataFrame(columns, schema={name: types[TYPES[name]] for name in columns}, strict=True)
