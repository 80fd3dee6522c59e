"""Find the board in a line that has more: a name, a rating, a comment or a solution after it, an identifier before it.

A line of words before a board may be its title.

fields  a line split at blanks, commas, semicolons and the like; each field is a board or a remark
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from puzzles.boards.layout import Layout
from puzzles.errors import ParseError
from puzzles.readers.boards import marks, variants
from puzzles.readers.boards.directives import Directives
from puzzles.readers.boards.sizes import MIN_GUESSED_SQUARES, by_size

BREAKS = ",;#| \t"  # characters that may follow a board, ':' apart
MISCOUNTED = 27  # a 27th too many or too few digits are a solution with a mistake, not a remark
COUNT = re.compile(r"\s*([0-9]{1,18}\+?)(?:\s*|(?:\s++(?![0-9]+\+?(?:\s|$)|:)|\s*[,;#|]).*)")
# Remark after a colon: words after a blank, or a rating.
REMARK = re.compile(r"\s+[^\W\d].*|\s*[0-9]+\.[0-9]+([\s,;#|:/].*)?")
FIELD_END = re.compile(r"[,;#|:\s]+")
MAX_TITLE = 100  # characters
MAX_TITLE_WORD = 15  # a board on one line has 16 squares or more
LOWER_WORD = re.compile(r"(?<!\w)[^\W\d_]?[^\W\d_A-Z]{2,}(?!\w)")
MARKS = re.compile(r"[1-9._0*?X-]")
MIN_MARKS = 4  # squares of a row


class FoundBoard(NamedTuple):
    """A board in a line, and the claim of the line: '' or ':SOLUTION'."""

    layout: Layout
    cells: str
    claim: str


def find_board(raw: str, directives: Directives) -> FoundBoard | None:
    """Return the only board among the fields of a line, or None. Raises ParseError if there are several."""
    fields = [field.strip("\"'") for field in FIELD_END.split(raw)]
    boards = [(i, layout) for i, field in enumerate(fields) if (layout := board_layout(field, directives))]
    if not boards or len(fields) == 1:
        return None
    i, layout = max(boards, key=lambda found: len(found[1].squares))  # the first of them; a hash may be a smaller board
    return FoundBoard(layout, fields[i], claim(layout, fields[i + 1 :]))


def claim_alone(layout: Layout, text: str) -> str:
    """Return the claim of a line after its colon: 'COUNT', 'COUNT:SOLUTION' or ':SOLUTION', or '' for a remark.

    What is none of these is returned as it is. Raises ParseError if there is nothing.
    """
    if match := COUNT.fullmatch(text):
        return match[1]
    if not text.strip(" \t:"):
        raise ParseError("expected the number of solutions after ':'")
    if REMARK.fullmatch(text):
        return ""
    count, _, rest = text.partition(":")
    first, second = (FIELD_END.split(part.strip(), maxsplit=1)[0] for part in (count, rest))
    if len(second) == len(layout.squares):
        return f"{count}:{second}"
    return claim(layout, [first]) or text


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
        if field.isdecimal() and 0 < abs(len(field) - size) <= size // MISCOUNTED:
            raise ParseError(f"the solution: {len(field)} digits, but the board has {size} squares")
        if len(field) == size and all(c in marks.mark_table(layout) for c in field):
            if any(c in marks.OPEN and c not in layout.values for c in field):
                raise ParseError("two boards on one line: write each on a line of its own")
            return f":{field}"
    return ""


def is_title(text: str, following: Iterable[str]) -> bool:
    """Return True if a line is the title of a board in the lines that follow, which are neither blank nor comments.

    A title has a word of lower-case letters, or one that names rules, and no word that is long enough for a board, and
    the line after it has the marks of a board. So a line of text before other text is no title, but refused.
    """
    words = text.split()
    if len(text) > MAX_TITLE or "|" in text or max(map(len, words), default=0) > MAX_TITLE_WORD:
        return False
    if not LOWER_WORD.search(text) and not any(variants.remarks(text)):
        return False
    row = next(iter(following), "")
    marks = "".join(row.replace("|", " ").split())
    return len(MARKS.findall(marks)) * 2 >= len(marks) >= MIN_MARKS and not LOWER_WORD.search(row)
