"""Find the board in a line that has more: a name, a rating, a comment or a solution after it, an identifier before it.

fields  a line split at blanks, commas, semicolons and the like; each field is a board or a remark
"""

import re
from typing import NamedTuple

from puzzles.layout import Layout
from puzzles.readers import marks
from puzzles.readers.directives import Directives
from puzzles.readers.sizes import MIN_GUESSED_SQUARES, by_size
from puzzles.readers.source import ParseError

BREAKS = ",;#| \t"  # characters that may follow a board, ':' apart
FIELD_END = re.compile(r"[,;#|:\s]+")


class Found(NamedTuple):
    """A board in a line, and what the line claims of it: '' or ':SOLUTION'."""

    layout: Layout
    cells: str
    claim: str


def find_board(raw: str, directives: Directives) -> Found | None:
    """Return the only board among the fields of a line, or None. Raises ParseError if there are several."""
    fields = [field.strip("\"'") for field in FIELD_END.split(raw)]
    for i, field in enumerate(fields):
        layout = board_layout(field, directives)
        if layout and len(fields) > 1:
            return Found(layout, field, claim(layout, fields[i + 1 :]))
    return None


def board_layout(field: str, directives: Directives) -> Layout | None:
    """Return the layout of a field that is a whole board in single characters, else None."""
    layout = directives.layout() or by_size(len(field), directives.alphabet)
    if layout is None or len(layout.squares) != len(field) or not marks.is_single(layout):
        return None
    if len(field) < MIN_GUESSED_SQUARES or (len(layout.values) <= 9 and not any(c in field for c in layout.values)):
        return None
    try:
        if len(layout.values) <= 9 or directives.alphabet is not None:
            marks.domains(layout, field)
        else:
            marks.infer_alphabet(field, len(layout.values))
    except ParseError:
        return None
    return layout


def claim(layout: Layout, fields: list[str]) -> str:
    """Return ':SOLUTION' if a field is a full board of the layout, else ''. Raises ParseError for another puzzle."""
    size = len(layout.squares)
    for field in fields:
        if len(field) == size and all(c in marks.mark_table(layout) for c in field):
            if any(c in marks.OPEN and c not in layout.values for c in field):
                raise ParseError("two boards on one line: write each on a line of its own")
            return f":{field}"
    return ""
