"""Sizes: lines that state one, the layouts that a number of squares allows, and messages about lengths."""

import re
from math import isqrt

from puzzles.boards import families
from puzzles.boards.layout import Layout
from puzzles.errors import BadLayout, brief
from puzzles.readers.boards.cells import joined
from puzzles.readers.boards.lookahead import Lookahead
from puzzles.readers.boards.marks import NotRows

PAGE = "docs/reference/boards.md has the notations that are read"
SIZE = re.compile(r"([0-9]{1,2})(?:\s*[x ]\s*([0-9]{1,2}))?")
SQUARES = re.compile(r"(?:[\w.*?-](?![^\W\d_]{4}))+")  # marks of squares; words of letters are none
MARKS = re.compile(r"[0-9.]+")  # one word that only a board can be
MIN_GUESSED_SQUARES = 16  # smaller boards must be stated, or a row of a 9x9 would be a Latin square of order 3


def is_size(text: str, lookahead: Lookahead) -> bool:
    """Return True if a line states the size of the board that follows: '9', '3 3', '2x3'."""
    match = SIZE.fullmatch(text)
    if not match:
        return False
    following = next(lookahead.peek(), "")
    words = following.replace("|", " ").split()
    cells = len(words) if len(words) > 1 else len(joined(following))
    a, b = int(match[1]), int(match[2] or 0)
    return cells in ({a, a * a, a**4} if b in (0, a) else {a * b, (a * b) ** 2})


def by_size(squares: int, alphabet: str | None) -> Layout | None:
    """Return the layout of that size if exactly one family guesses it and the alphabet fits, else None."""
    if squares < MIN_GUESSED_SQUARES:
        return None
    names = families.guesses(squares)
    try:
        return families.layout(names[0], alphabet) if len(names) == 1 else None
    except BadLayout:
        return None


def length_text(words: list[str], joined: str) -> str:
    """Return the length of a line in words and characters, for a message."""
    counted = f"{len(joined)} character{'s' * (len(joined) != 1)}"
    longest = f", the longest of {max(map(len, words), default=0)}" * (len(set(map(len, words))) > 1)
    return f"{counted} in {len(words)} words{longest}" if len(words) > 1 else counted


def unknown_size(words: list[str], joined: str) -> NotRows:
    """Return the error for a line of unknown size, with the number of rows that its board may have."""
    size = len(words) if len(words) > 1 else len(joined)
    n = isqrt(size) if size >= MIN_GUESSED_SQUARES and isqrt(size) ** 2 == size else size
    if 4 <= n <= 64 and SQUARES.fullmatch(joined) and not 60 <= n <= 100:
        return NotRows(f"{size} squares", order=n)
    if max(map(len, words), default=0) >= MIN_GUESSED_SQUARES or MARKS.fullmatch(" ".join(words)):
        return NotRows(f"{length_text(words, joined)}: a 9x9 board has 81 on one line, or 9 lines of 9; {PAGE}")
    blanks = "; open squares are '.' or 0, not blanks" if len(words) > 1 and joined.isdecimal() else ""
    return NotRows(f"{brief(' '.join(words))} is neither a board, nor a row of one, nor a title{blanks}; {PAGE}")
