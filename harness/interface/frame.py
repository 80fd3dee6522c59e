"""Data frame of a journal's rows: the columns of `export`, with types independent of the data."""

from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from itertools import chain
from typing import TYPE_CHECKING, Any

from harness.interface.answers import named
from harness.interface.models import renamed
from harness.interface.words import require
from harness.model.errors import BadUsage
from harness.model.outcome import MODEL_NAMES, Verdict
from harness.reporting.formats.tidy import STEP_TYPES, names_of, rows, step_rows, type_of
from harness.storing.journal import Journal
from puzzles.packages import install
from puzzles.problem import Problem

if TYPE_CHECKING:
    import pandas
    import polars

LIBRARIES = ("pandas", "polars")
SOLUTION = {  # types of the columns of solutions, before those of their variables
    **dict.fromkeys(("corpus", "puzzle", "contender"), "text"),
    "repeat": "integer",
    "verdict": "text",
    "solution": "integer",
}
OUTCOMES, IMPROVEMENTS = "outcomes", "improvements"
ROWS = {OUTCOMES: rows, IMPROVEMENTS: step_rows}


def frame(journal: Journal, library: str | None, of: str = OUTCOMES) -> "pandas.DataFrame | polars.DataFrame":
    """Return all outcomes of a journal, or all improvements and bounds, as a frame of pandas or polars.

    Raises BadUsage if the library is not installed.
    """
    require("of", of, ROWS)
    types, read = {name: type_of(name) for name in names_of(journal)} if of == OUTCOMES else STEP_TYPES, ROWS[of]
    return built(list(read(journal)), types, library)


def values_frame(
    journal: Journal, library: str | None, instance: str | None = None
) -> "pandas.DataFrame | polars.DataFrame":
    """Return all solutions of a journal, or those of one instance, a column for each variable by its name.

    Raises BadUsage if the library is not installed, or the instance unknown.
    """
    names = [name for name, *_ in journal.instances.listing()]
    if instance is not None and instance not in names:
        raise BadUsage(f"{journal.path}: no instance {instance!r}")
    rows = list(solution_rows(journal, instance))
    types = dict(SOLUTION) | {
        name: "integer" if all(isinstance(row.get(name, 0), int | None) for row in rows) else "text"
        for name in dict.fromkeys(chain.from_iterable(rows))
        if name not in SOLUTION
    }
    texts = [name for name, kind in types.items() if kind == "text"]
    for row in rows:
        row |= {name: str(row[name]) for name in texts if row.get(name) is not None}
    return built(rows, types, library)


def solution_rows(journal: Journal, instance: str | None) -> Iterator[dict[str, Any]]:
    """Yield each solution: columns SOLUTION, and the value of each variable by its name in the source."""
    models, problems = journal.facts.get(MODEL_NAMES, {}), dict[tuple[str, int], Problem]()
    for stored in journal.outcomes.rows():
        corpus, name, contender, _, repeat, verdict, *_ = stored.who
        if not stored.solutions or instance not in (None, name):
            continue
        kind = journal.instances.problem_of(stored.number)
        shown = models.get(name, {})
        if (name, kind) not in problems:
            problems[name, kind] = renamed(journal.instances.get(stored.number).problem, shown)
        problem = problems[name, kind]
        for number, solution in enumerate(stored.solutions, 1):
            who = (corpus, name, contender, repeat, Verdict(verdict).name.lower(), number)
            yield dict(zip(SOLUTION, who, strict=True)) | named(problem, solution, shown)


def built(
    rows: Sequence[Mapping[str, Any]], types: Mapping[str, str], library: str | None
) -> "pandas.DataFrame | polars.DataFrame":
    """Return rows as a frame of a library. Raises BadUsage if it is not installed."""
    build = {"pandas": pandas_frame, "polars": polars_frame}
    chosen = next(filter(find_spec, LIBRARIES), LIBRARIES[0]) if library is None else library
    if chosen not in LIBRARIES:
        raise BadUsage(f"{library!r} is no library of frames: choose from {', '.join(LIBRARIES)}")
    if not find_spec(chosen):
        raise BadUsage(f"frames need {chosen}, which is not installed: {install(chosen)}")
    return build[chosen]({name: [row.get(name) for row in rows] for name in types}, types)


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
