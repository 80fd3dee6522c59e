"""Values that a notebook shows as HTML tables, and other programs as text. Names in them come from others."""

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, Self

from harness.reporting.writing.printable import printable


class TableText(str):
    """Text of a table and the lines below it."""

    html: str

    def __new__(cls, text: str, html: str = "") -> Self:
        table = super().__new__(cls, text)
        table.html = html
        return table

    __repr__ = str.__str__

    def _repr_html_(self) -> str:
        return self.html


class TableData(dict[str, Any]):
    """JSON-compatible data with a table that shows it."""

    table: TableText

    def __init__(self, data: Mapping[str, Any], table: TableText) -> None:
        super().__init__(data)
        self.table = table

    def __repr__(self) -> str:
        return self.table

    def _repr_html_(self) -> str:
        return self.table.html


class Drawing:
    """Plot as SVG, which notebooks show."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def __repr__(self) -> str:
        return f"<plot, {len(self.svg):,} characters of SVG>"

    def _repr_svg_(self) -> str:
        return self.svg


def page(table: str, lines: Iterable[str]) -> str:
    """Return an HTML table with lines of text below it; the lines are escaped here."""
    below = "<br>".join(escape(printable(line)) for line in lines if line)
    return f"{table}\n<p>{below}</p>" if below else table
