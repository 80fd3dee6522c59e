"""Titles: lines of words before a board.

A title has a word of lower-case letters and no word that is long enough for a board, and the line after it has the
marks of a board. So a line of text before other text is no title, but refused.
"""

import re
from collections.abc import Iterable

MAX_CHARS = 100
MAX_WORD = 15  # a board on one line has 16 squares or more
WORD = re.compile(r"(?<!\w)[^\W\d_]?[^\W\d_A-Z]{2,}(?!\w)")
MARKS = re.compile(r"[1-9._0*?X-]")
MIN_MARKS = 4  # squares of a row


def is_title(text: str, following: Iterable[str]) -> bool:
    """Return True if a line is the title of a board in the lines that follow, which are neither blank nor comments."""
    words = text.split()
    if len(text) > MAX_CHARS or "|" in text or not WORD.search(text) or max(map(len, words)) > MAX_WORD:
        return False
    row = next(iter(following), "")
    marks = "".join(row.replace("|", " ").split())
    return len(MARKS.findall(marks)) * 2 >= len(marks) >= MIN_MARKS and not WORD.search(row)
