"""Decide if a line of dashes is a rule, drawn between rows, or a row in which '-' marks open squares.

    rule       a line of dashes, bars and the like, such as '---+---+---'
    undecided  a rule of one repeated mark, as many as a row has squares; other rules can't be rows

An undecided line is a row unless the lines around it, up to the next blank line, show that it can't be one: rows that
use another mark for open squares, or complete boards without the undecided lines, which then stand only between bands.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import gcd

from puzzles.errors import ParseError
from puzzles.readers.boards.directives import Directives
from puzzles.readers.boards.normalise import joined, normalise
from puzzles.readers.boards.rows import BoardRows

RULE = re.compile(r"[-+*=|:.'_ \t]*(?:---|===)[-+*=|:.'_ \t]*")
MAX_BLOCK_LINES = 1000


def block(ahead: Iterable[str]) -> Iterator[str]:
    """Yield the lines up to the next blank line or comment, normalised; at most MAX_BLOCK_LINES."""
    for raw in islice(ahead, MAX_BLOCK_LINES):
        text = normalise(raw).strip()
        if not text or text[0] in "#[":
            return
        yield text


@dataclass
class Surroundings:
    """The lines around a line that may be a rule or a row.

    rows    the marks of rows that can't be rules
    before  for each undecided line, the number of rows before it
    """

    rows: list[str]
    before: list[int]

    def add(self, text: str, mark: str, width: int) -> None:
        if not RULE.fullmatch(text):
            self.rows += [marks] if len(marks := joined(text)) == width else []
        elif undecided(text) == (mark, width):
            self.before.append(len(self.rows))


def is_rule(text: str, rows: BoardRows, directives: Directives) -> bool:
    """Return True if a line is drawn between rows, or around them. Raises ParseError if it may be a row too."""
    if text and not joined(text):
        return True
    if not RULE.fullmatch(text):
        return False
    layout = directives.layout()
    n = rows.n if rows.rows else len(layout.values) if layout else 0
    return not is_row(text, rows.texts(), n, rows.lookahead.peek_raw())


def is_open_row(raw: str, rows: BoardRows) -> bool:
    """Return True if a line of blanks is a row of open squares. Raises ParseError if it may be a blank line too."""
    if not raw or (rows.rows and not any(" " in row for row in rows.rows if isinstance(row, str))):
        return False
    return is_blank_row(raw, rows.texts(), rows.lookahead.peek_raw())


def is_row(text: str, earlier: Sequence[str], n: int, ahead: Iterable[str]) -> bool:
    """Return True if a line that RULE matches is a row. Raises ParseError if both are possible.

    `earlier` are the marks of the board's rows so far, `n` their number of squares (0: no row yet), `ahead` the lines
    that follow.
    """
    mark, width = undecided(text)
    if not mark or width != (n or width):
        return False
    lines = iter(ahead)
    found = Surroundings(list(earlier), [len(earlier)])
    for line in block(lines):
        found.add(line, mark, width)
    if not found.rows:  # a board, or a band, of open squares
        following = next((row for row in rows_of(lines)), "")
        alone = len(found.before)
        return alone % width == 0 or (
            alone > 1 and width % alone == 0 and len(following) == width and mark in following
        )
    if not any(mark in row for row in found.rows) and any(is_open(c, mark) for row in found.rows for c in row):
        return False
    return rows_complete(found, width, mark)


def undecided(text: str) -> tuple[str, int]:
    """Return the mark that a line repeats and the number of times, or ('', 0) if it can't be a row."""
    marks = joined(text)
    return (marks[0], len(marks)) if marks[:1] in ("-", "=") and len(set(marks)) == 1 else ("", 0)


def rows_of(lines: Iterable[str]) -> Iterator[str]:
    """Yield the marks of the lines that are neither blank, comments nor rules."""
    for raw in islice(lines, MAX_BLOCK_LINES):
        text = normalise(raw).strip()
        if text and text[0] != "#" and not RULE.fullmatch(text):
            yield joined(text)


def is_blank_row(raw: str, earlier: Sequence[str], ahead: Iterable[str]) -> bool:
    """Return True if a line of blanks is a row of a board whose open squares are blanks; arguments as for `is_row`."""
    found, n = Surroundings(list(earlier), [len(earlier)]), len(raw)
    for line in islice(ahead, MAX_BLOCK_LINES):
        if len(line) != n or "|" in line:
            break
        if line.strip():
            found.rows.append(line)
        else:
            found.before.append(len(found.rows))
    spaced = all(" " not in row[::2] and not row[1::2].strip() for row in found.rows)  # '1 2 3': words, not squares
    return not spaced and any(" " in row for row in found.rows) and rows_complete(found, n, " ")


def is_open(c: str, mark: str) -> bool:
    """Return True if a row's mark stands for an open square, and is not `mark`."""
    return c != mark and (c == "0" or not c.isalnum())


def rows_complete(found: Surroundings, n: int, mark: str) -> bool:
    """Return True if the undecided lines are rows, by the number of rows in the block. Raises ParseError."""
    rows, lines = len(found.rows), len(found.rows) + len(found.before)
    cut = lines >= MAX_BLOCK_LINES  # the block goes on: its number of rows is not known
    as_rows = cut or lines % n == 0 or n % lines == 0
    as_rules = 0 < rows <= n * len(found.before) and (cut or rows % n == 0) and gcd(n, *found.before) > 1
    if as_rows and as_rules:
        raise ParseError(f"lines of {n} {mark!r} may be rows or rules here: write '.' for open squares")
    if not as_rows and not as_rules:
        raise ParseError(f"{lines} lines with the lines of {mark!r}, {rows} without: neither are boards of {n} rows")
    return as_rows
