"""Writers of tables: for a terminal, Markdown, GitHub, CSV, LaTeX, HTML, and as data for JSON. None computes."""

import csv
import io
from collections.abc import Callable, Sequence
from html import escape

from tabulate import tabulate

from harness.reporting.writing.booktabs import comment, floating, latex_cell, latex_table, latex_text
from harness.reporting.writing.fitting import NAMES, fit, fitted_line, shorten_names, terminal_cell
from harness.reporting.writing.printable import csv_cell, line_below, markdown_text, printable, wrapped
from harness.reporting.writing.table import Cell, Readers, ResultTable, Unit, Value


def written(table: ResultTable, fmt: str, width: int | None = None) -> str:
    """Return a table in a format; for a terminal of `width` characters one that fits, if it can."""
    if not table.columns:
        return table.title
    if fmt == "table":
        return terminal(table, width)
    return WRITERS[fmt](table)


def terminal(table: ResultTable, width: int | None = None) -> str:
    """Return a table as a terminal shows it, with its lines."""
    fitted = fit(table, width) if width else table
    lines = [wrapped(line, width) for line in (fitted_line(fitted, width),) if line] if width else []
    body = "\n".join([text_table(*fitted.texts(terminal_cell), "simple", fitted.left), *lines])
    return with_lines(table, body, "table")


def markdown(table: ResultTable) -> str:
    """Return a table in Markdown, with its lines as a list."""
    return with_lines(table, text_table(*table.texts(markdown_text), "github", table.left), "markdown")


def with_lines(table: ResultTable, body: str, fmt: str) -> str:
    """Return a table's text with its title above it, and its caption and lines below it."""
    shown = markdown_text if fmt == "markdown" else printable
    title, caption = ([wrapped(shown(text))] if text else [] for text in (table.title, table.caption))
    if title and not table.rows:
        return title[0]
    notes = ["\n".join(wrapped(line_below(line, fmt)) for line in table.notes)] if table.notes else []
    return "\n\n".join([*title, body, *caption, *notes])


def csv_text(table: ResultTable) -> str:
    """Return what programs read of a table as CSV: numbers unrounded, empty cells where they are not known."""
    file = io.StringIO()
    lines = (table.keys, *([csv_value(value) for value in table.values(row)] for row in table.rows))
    csv.writer(file, lineterminator="\n").writerows([csv_cell(cell) for cell in line] for line in lines)
    return file.getvalue().removesuffix("\n")


def csv_value(value: Value) -> str:
    """Return a value as a CSV cell: unrounded, empty for None."""
    return "" if value is None else str(value)


def latex(table: ResultTable) -> str:
    """Return a table with the rules of booktabs; with a label for a paper, else with its lines as comments."""
    table = shorten_names(table) if table.label else table
    heads, _ = table.texts(latex_cell)
    places = table.places(Readers.PEOPLE)
    rows = [[latex_of(row[i], table.columns[i].unit) for i in places] for row in table.rows]
    lines = latex_table(heads, rows, table.left)
    if not table.label:
        return "\n".join(["% needs \\usepackage{booktabs}", *lines, *map(comment, table.comments)])
    short = [part for way, part in table.left_out if way == NAMES]
    names = [f"Names without {' and '.join(short)}."] if short else []
    bold = ["Bold: best, or not told apart from it."] if any(cell.best for row in table.rows for cell in row) else []
    caption = " ".join([*(f"{line[:1].upper()}{line[1:]}." for line in table.comments), *bold, *names])
    return floating(lines, latex_text(caption), table.label, len(places))


def latex_of(cell: Cell, unit: Unit) -> str:
    """Return a cell in LaTeX."""
    text = latex_cell(cell.text(unit))
    return rf"\textbf{{{text}}}" if cell.best else text


def html(table: ResultTable) -> str:
    """Return a table as HTML; a text may break anywhere, so that long names fit."""
    heads, rows = table.texts(printable)

    def line(tag: str, cells: Sequence[str]) -> str:
        sides = ("left" if i < table.left else "right" for i in range(len(cells)))
        styled = (
            f'<{tag} style="text-align: {side}; overflow-wrap: anywhere">{escape(c)}</{tag}>'
            for side, c in zip(sides, cells, strict=True)
        )
        return f"<tr>{''.join(styled)}</tr>"

    return "\n".join(["<table>", line("th", heads), *(line("td", row) for row in rows), "</table>"])


def text_table(heads: Sequence[str], rows: Sequence[Sequence[str]], style: str, left: int) -> str:
    """Return a table in a style of tabulate, with columns as narrow as their texts.

    tabulate widens columns with a header by a number that is set for the whole process, and wide tables need every
    column of the terminal. So headers are passed as a row, and the rule above them is moved below.
    """
    align = (*["left"] * left, *["right"] * (len(heads) - left))
    rule, head, *body = tabulate([heads, *rows], tablefmt=style, colalign=align, disable_numparse=True).split("\n")
    return "\n".join([head, rule, *body[: len(rows)]])


WRITERS: dict[str, Callable[[ResultTable], str]] = {
    "table": terminal,
    "markdown": markdown,
    "github": markdown,
    "csv": csv_text,
    "latex": latex,
    "html": html,
}
