"""Data frame of a journal's rows: the columns of `export`, with types independent of the data."""

from collections.abc import Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from harness.model.errors import BadUsage
from harness.reporting.formats.tidy import STEP_TYPES, names_of, rows, step_rows, type_of
from harness.storing.journal import Journal
from puzzles.packages import install

if TYPE_CHECKING:
    import pandas
    import polars

LIBRARIES = ("pandas", "polars")
OUTCOMES, IMPROVEMENTS = "outcomes", "improvements"
ROWS = {OUTCOMES: rows, IMPROVEMENTS: step_rows}


def frame(journal: Journal, library: str | None, of: str = OUTCOMES) -> "pandas.DataFrame | polars.DataFrame":
    """Return all outcomes of a journal, or all improvements and bounds, as a frame of pandas or polars.

    Raises BadUsage if the library is not installed.
    """
    if of not in ROWS:
        raise BadUsage(f"{of!r} is no frame: choose from {', '.join(ROWS)}")
    types, read = {name: type_of(name) for name in names_of(journal)} if of == OUTCOMES else STEP_TYPES, ROWS[of]
    build = {"pandas": pandas_frame, "polars": polars_frame}
    chosen = next(filter(find_spec, LIBRARIES), LIBRARIES[0]) if library is None else library
    if chosen not in LIBRARIES:
        raise BadUsage(f"{library!r} is no library of frames: choose from {', '.join(LIBRARIES)}")
    if not find_spec(chosen):
        raise BadUsage(f"frames need {chosen}, which is not installed: {install(chosen)}")
    columns: dict[str, list[Any]] = {name: [] for name in types}
    for row in read(journal):
        for name, values in columns.items():
            values.append(row[name])
    return build[chosen](columns, types)


def pandas_frame(columns: dict[str, list[Any]], kinds: Mapping[str, str]) -> "pandas.DataFrame":
    """Return columns as a pandas frame, with types that allow missing values; exact columns hold Python integers."""
    import pandas

    types = {"text": "string", "boolean": "boolean", "list": "object", "float": "Float64", "integer": "Int64"}
    types["exact"] = "object"
    return pandas.DataFrame(
        {name: pandas.Series(values, dtype=types[kinds[name]]) for name, values in columns.items()}, copy=False
    )


def polars_frame(columns: dict[str, list[Any]], kinds: Mapping[str, str]) -> "polars.DataFrame":
    """Return columns as a polars frame; exact columns, which may exceed 64 bits, hold text."""
    import polars

    text = polars.String
    types = {
        "text": text,
        "boolean": polars.Boolean,
        "list": polars.List(text),
        "float": polars.Float64,
        "integer": polars.Int64,
        "exact": text,
    }
    texts = {
        name: [None if n is None else str(n) for n in column] if kinds[name] == "exact" else column
        for name, column in columns.items()
    }
    return polars.DataFrame(texts, schema={name: types[kinds[name]] for name in columns}, strict=True)
