"""Tables that fit a narrow terminal: names and headings are shortened, columns left out, and a line says which."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

from harness.reporting.writing.labels import short_names
from harness.reporting.writing.printable import printable, shortened
from harness.reporting.writing.table import Cell, Readers, ResultTable
from puzzles.errors import plural

Step = Callable[[ResultTable], ResultTable]
ZERO, OMITTED, NAMES, EQUAL = "all 0", "omitted", "names", "equal"  # what a step leaves out, or moves below the table


def terminal_cell(text: str) -> str:
    """Return a text for a cell of a terminal's table: printable, and of limited length."""
    return shortened(printable(text))


def width_of(table: ResultTable) -> int:
    """Return the width of a table in a terminal."""
    heads, rows = table.texts(terminal_cell)
    wide = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    return sum(wide) + 2 * (len(wide) - 1)


def fit(table: ResultTable, width: int) -> ResultTable:
    """Take the table's steps until it fits."""
    for step in table.narrow:
        if width_of(table) <= width:
            break
        table = step(table)
    return table


def fitted_line(table: ResultTable, width: int) -> str:
    """Return the line on what the steps have left out, empty if it is nothing."""
    of = {way: [what for each, what in table.left_out if each == way] for way in (ZERO, EQUAL, OMITTED, NAMES)}
    lines = [f"all 0: {', '.join(of[ZERO])}"] if of[ZERO] else []
    lines += of[EQUAL]
    lines += [f"omitted to fit {width} columns: {', '.join(of[OMITTED])} (--format csv has all)"] if of[OMITTED] else []
    return " | ".join(lines + ([f"names without {' and '.join(of[NAMES])}"] if of[NAMES] else []))


def without(table: ResultTable, names: Collection[str], way: str) -> ResultTable:
    """Return a table without these of its columns, which are left out in a way."""
    places = [i for i in table.places(Readers.PEOPLE) if table.columns[i].name not in names]
    gone = tuple((way, table.columns[i].name) for i in table.places(Readers.PEOPLE) if i not in places)
    return some_columns(table, places, left_out=(*table.left_out, *gone))


def omit(name: str) -> Step:
    """Return the step that leaves a column out."""
    return lambda table: without(table, {name}, OMITTED)


def omit_zeros(*names: str) -> Step:
    """Return the step that leaves those of some columns out in which all is 0."""

    def step(table: ResultTable) -> ResultTable:
        places = [i for i in table.places(Readers.PEOPLE) if table.columns[i].name in names]
        return without(table, {table.columns[i].name for i in places if not any(r[i].value for r in table.rows)}, ZERO)

    return step


def omit_if_equal(name: str) -> Step:
    """Return the step that states a column's value below the table, if it is the same in all rows."""

    def step(table: ResultTable) -> ResultTable:
        at = [column.name for column in table.columns].index(name)
        values = {row[at].text(table.columns[at].unit) for row in table.rows}
        if len(values) != 1:
            return table
        less = without(table, {name}, OMITTED)
        return replace(less, left_out=(*table.left_out, (EQUAL, f"{name}: {values.pop()}")))

    return step


def shorten_names(table: ResultTable) -> ResultTable:
    """Leave out what the names of contenders share."""
    places = [i for i, column in enumerate(table.columns) if column.names]
    names, left = short_names([terminal_cell(str(row[i].value)) for i in places for row in table.rows])

    def shown(cell: Cell) -> Cell:
        return replace(cell, words=names[terminal_cell(str(cell.value))])

    rows = tuple(tuple(shown(c) if i in places else c for i, c in enumerate(row)) for row in table.rows)
    return replace(table, rows=rows, left_out=(*table.left_out, *((NAMES, part) for part in left)))


def shorten_heads(table: ResultTable) -> ResultTable:
    """Give columns their short headings."""
    return replace(table, columns=tuple(replace(column, name=column.short or column.name) for column in table.columns))


def split(table: ResultTable, width: int) -> list[ResultTable]:
    """Split columns into few tables that fit, if they can, of about as many columns each.

    Each begins with the first column, the last one has what is below.
    """
    last = len(table.columns) - 1
    groups = grouped_columns(table, width, last)
    if len(groups) == 1:
        return [table]
    even = (grouped_columns(table, width, most) for most in range(-(-last // len(groups)), last + 1))
    groups = next(found for found in even if len(found) == len(groups))
    of = f"of {last}, {plural(len(table.rows), 'row')}:"
    parts = [
        some_columns(table, group, title=f"columns {group[1]} to {group[-1]} {of}", caption="") for group in groups
    ]
    return [*parts[:-1], replace(parts[-1], caption=table.caption)]


def grouped_columns(table: ResultTable, width: int, most: int) -> list[list[int]]:
    """Return the columns of tables that fit, each the first column and up to `most` others."""
    groups: list[list[int]] = [[0]]
    for i in range(1, len(table.columns)):
        full = len(groups[-1]) > most or width_of(some_columns(table, [*groups[-1], i])) > width
        if len(groups[-1]) > 1 and full:
            groups.append([0])
        groups[-1].append(i)
    return groups


def some_columns(table: ResultTable, places: Sequence[int], **parts: Any) -> ResultTable:
    """Return a table of these columns alone."""
    rows = tuple(tuple(row[i] for i in places) for row in table.rows)
    return replace(table, columns=tuple(table.columns[i] for i in places), rows=rows, **parts)
