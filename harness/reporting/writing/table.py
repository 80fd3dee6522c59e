"""Table: the result of a view, which any writer prints (writers.py). A view computes every cell, and a writer none.

Programs read raw values, in CSV and JSON. People read texts: a value in the unit of its column, or words in its place.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, Flag, auto, member
from typing import Any

from harness.reporting.writing.directions import Direction
from harness.reporting.writing.numbers import (
    format_fraction,
    format_megabytes,
    format_number,
    format_percent,
    format_ratio,
    format_seconds,
    grouped,
)

Value = str | int | float | None


class Unit(Enum):
    """Unit of the numbers of a column, as people read them; what is not known is "-"."""

    NONE = member(str)
    COUNT = member(grouped)
    NUMBER = member(format_number)
    FRACTION = member(format_fraction)
    SHARE = member(format_percent)
    RATIO = member(format_ratio)
    SECONDS = member(format_seconds)
    BYTES = member(format_megabytes)

    def text(self, value: Any) -> str:
        """Return a number of this unit as text."""
        return "-" if value is None else str(self.value(value))


class Readers(Flag):
    """Readers of a column."""

    PEOPLE = auto()
    PROGRAMS = auto()


ALL = Readers.PEOPLE | Readers.PROGRAMS


@dataclass(frozen=True)
class Column:
    """Column of a table.

    key       heading for programs, that for people if it is empty     short  heading in a narrow terminal
    interval  programs get the ends of the cells' intervals as columns of their own
    names     cells are names of contenders
    """

    name: str
    unit: Unit = Unit.NONE
    direction: Direction = Direction.NEITHER
    readers: Readers = ALL
    key: str = ""
    short: str = ""
    interval: bool = False
    names: bool = False


@dataclass(frozen=True)
class Cell:
    """Raw value, the words that people read in its place, the ends of its interval, and marks behind it.

    best  it is the best of its column, or not told apart from it: bold in LaTeX
    """

    value: Value = None
    words: str | None = None
    low: Value = None
    high: Value = None
    marks: str = ""
    best: bool = False

    def text(self, unit: Unit) -> str:
        """Return what people read."""
        return (unit.text(self.value) if self.words is None else self.words) + self.marks


Row = tuple[Cell, ...]


@dataclass(frozen=True)
class ResultTable:
    """Rows of cells by column.

    title     a line above the table, which stands alone if there are no rows
    caption   a paragraph below the table       notes  lines below it
    comments  lines below it in LaTeX, the only ones there; of a table with a label its caption
    label     of a table for a paper in LaTeX, which floats, has a caption and short names of contenders
    narrow    steps that make the table fit a narrow terminal, taken in order until it does (fitting.py)
    left      columns aligned to the left, the first ones
    left_out  what steps have left out: the way, and what
    """

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    title: str = ""
    caption: str = ""
    notes: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()
    narrow: tuple[Callable[["ResultTable"], "ResultTable"], ...] = ()
    left: int = 1
    left_out: tuple[tuple[str, str], ...] = ()
    label: str = ""

    def places(self, readers: Readers) -> list[int]:
        """Return the places of the columns of some readers."""
        return [i for i, column in enumerate(self.columns) if column.readers & readers]

    def texts(self, convert: Callable[[str], str] = str) -> tuple[list[str], list[list[str]]]:
        """Return headings and cells as people read them, each converted."""
        some = [(i, self.columns[i].unit) for i in self.places(Readers.PEOPLE)]
        heads = [convert(self.columns[i].name) for i, _ in some]
        return heads, [[convert(row[i].text(unit)) for i, unit in some] for row in self.rows]

    @property
    def keys(self) -> list[str]:
        """Headings for programs."""
        some = [self.columns[i] for i in self.places(Readers.PROGRAMS)]
        ends = ("", " low", " high")
        return [(c.key or c.name) + end for c in some for end in (ends if c.interval else ends[:1])]

    def values(self, row: Row) -> list[Value]:
        """Return what programs read of a row."""
        some = [(row[i], self.columns[i].interval) for i in self.places(Readers.PROGRAMS)]
        return [value for c, interval in some for value in ((c.value, c.low, c.high) if interval else (c.value,))]

    def records(self) -> list[dict[str, Value]]:
        """Return the rows as data for JSON."""
        return [dict(zip(self.keys, self.values(row), strict=True)) for row in self.rows]


def table_of(columns: Sequence[Column | str], rows: Iterable[Sequence[Any]], **parts: Any) -> ResultTable:
    """Return a table; a column of texts may be given as its name, a cell as its value."""
    heads = tuple(Column(column) if isinstance(column, str) else column for column in columns)
    return ResultTable(
        heads, tuple(tuple(c if isinstance(c, Cell) else Cell(c) for c in cells) for cells in rows), **parts
    )
