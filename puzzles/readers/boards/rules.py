"""Decide if a line of dashes is a rule, drawn between rows, or a row in which '-' marks open squares.

    rule       a line of dashes, bars and the like, such as '---+---+---'
    undecided  a rule of one repeated mark, as many as a row has squares; other rules can't be rows
    around     the lines around an undecided one: the marks of rows, and '' for each undecided line

An undecided line is a row unless the lines around it, up to the next blank line, show that it can't be one: rows that
use another mark for open squares, or complete boards without the undecided lines, which then stand only between bands.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate, islice, takewhile
from math import gcd

from puzzles.errors import ParseError
from puzzles.readers.boards.cells import RULE, is_spaced, joined
from puzzles.readers.boards.directives import Directives
from puzzles.readers.boards.normalise import normalise
from puzzles.readers.boards.rows import BoardRows

MAX_BLOCK_LINES = 1000


def is_rule(text: str, rows: BoardRows, directives: Directives) -> bool:
    """Return True if a line is drawn between rows, or around them. Raises ParseError if it may be a row too."""
    if text and not joined(text):
        return True
    if not RULE.fullmatch(text):
        return False
    layout = directives.layout()
    n = rows.n if rows.rows else len(layout.values) if layout else 0
    mark, width = undecided(text)
    return not mark or width != (n or width) or not is_row(mark, width, rows.texts(), rows.lookahead.peek_raw())


def is_open_row(raw: str, rows: BoardRows) -> bool:
    """Return True if a line of blanks is a row of open squares. Raises ParseError if it may be a blank line too."""
    if not raw or (rows.rows and not any(" " in row for row in rows.rows if isinstance(row, str))):
        return False
    n = len(raw)
    ahead = takewhile(
        lambda line: len(line) == n and "|" not in line, islice(rows.lookahead.peek_raw(), MAX_BLOCK_LINES)
    )
    around = [*rows.texts(), "", *(line if line.strip() else "" for line in ahead)]
    spaced = all(map(is_spaced, filter(None, around)))
    return not spaced and any(" " in row for row in around) and are_rows(around, n, " ")


def undecided(text: str) -> tuple[str, int]:
    """Return the mark that a line repeats and the number of times, or ('', 0) if it can't be a row."""
    marks = joined(text)
    return (marks[0], len(marks)) if marks[:1] in ("-", "=") and len(set(marks)) == 1 else ("", 0)


def is_row(mark: str, n: int, earlier: Sequence[str], following: Iterable[str]) -> bool:
    """Return True if a line of n marks is a row. Raises ParseError if it may be a rule too.

    `earlier` are the marks of the board's rows so far, `following` the lines that follow.
    """
    lines = (normalise(raw).strip() for raw in islice(following, MAX_BLOCK_LINES))
    around = [*earlier, ""]
    for text in takewhile(lambda text: text and text[0] not in "#[", lines):
        if RULE.fullmatch(text):
            around += [""] * (undecided(text) == (mark, n))
        elif len(row := joined(text)) == n:
            around.append(row)
    rows = [row for row in around if row]
    if not rows:  # a board, or a band, of open squares
        later = (joined(text) for text in lines if text and text[0] != "#" and not RULE.fullmatch(text))
        band = len(around) > 1 and n % len(around) == 0
        return len(around) % n == 0 or (band and len(row := next(later, "")) == n and mark in row)
    if not any(mark in row for row in rows) and any(is_open(c, mark) for row in rows for c in row):
        return False
    return are_rows(around, n, mark)


def is_open(c: str, mark: str) -> bool:
    """Return True if a row's mark stands for an open square, and is not `mark`."""
    return c != mark and (c == "0" or not c.isalnum())


def are_rows(around: Sequence[str], n: int, mark: str) -> bool:
    """Return True if the undecided lines are rows, by the number of rows in the block. Raises ParseError."""
    before = [rows for line, rows in zip(around, accumulate(map(bool, around)), strict=True) if not line]
    rows, lines = len(around) - len(before), len(around)
    cut = lines >= MAX_BLOCK_LINES  # the block goes on: its number of rows is not known
    as_rows = cut or lines % n == 0 or n % lines == 0
    as_rules = 0 < rows <= n * len(before) and (cut or rows % n == 0) and gcd(n, *before) > 1
    if as_rows and as_rules:
        raise ParseError(f"lines of {n} {mark!r} may be rows or rules here: write '.' for open squares")
    if not as_rows and not as_rules:
        raise ParseError(f"{lines} lines with the lines of {mark!r}, {rows} without: neither are boards of {n} rows")
    return as_rows
