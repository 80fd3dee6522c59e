"""Futoshiki as it is drawn, or as a board and its signs in two grids.

. . > . 3        5 0 0 0      rows of squares with < and > between them; on the lines between rows, ^ where the
^     v          0 0 0 2      upper number is smaller, and v where it is larger
. . . < .        ...
...              0 < 0        right: the board, the signs in each row, and those between each row and the next
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import isqrt

from puzzles.boards.families.sudoku import row_name
from puzzles.errors import ParseError
from puzzles.readers.boards.lookahead import Line
from puzzles.readers.boards.notations.rows import equal_rows, one_by_one, squares_of

SQUARE = re.compile(r"[0-9._·□-]")
ROW = re.compile(r"[|\s]*+[0-9._·□-](?:[|\s]*+(?:[<>][|\s]*+)?+[0-9._·□-])++[|\s]*+")
SIGNS = re.compile(r"[|\s]*+[\^vV∧∨](?:[|\s]*+[\^vV∧∨])*+[|\s]*+")
UPPER_SMALLER = "^∧"
NO_SIGN = {"0", ".", "-", "_"}
MIN_ORDER = 3


def recognise(opening: Sequence[str]) -> bool:
    """Return True if the first lines are rows of squares and signs, in one drawing or in grids."""
    texts = list(opening)
    if grids_of(texts) is not None:
        return True
    rows = [text for text in texts if ROW.fullmatch(text)]
    n = len(SQUARE.findall(rows[0])) if rows else 0
    fits = all(ROW.fullmatch(text) or SIGNS.fullmatch(text) for text in texts[: 2 * n - 1])
    signs = any("<" in text or ">" in text or SIGNS.fullmatch(text) for text in texts[: 2 * n - 1])
    return n >= MIN_ORDER and fits and signs and bool(ROW.fullmatch(texts[0]))


def grids_of(texts: Sequence[str]) -> tuple[list[list[str]], list[list[str]], list[list[str]]] | None:
    """Return a board, the signs in rows and the signs between rows from three grids; None for other lines."""
    n = len(squares_of(texts[0])) if texts else 0
    board = equal_rows(texts, n, n)
    across, down = equal_rows(texts[n:], n, n - 1), equal_rows(texts[2 * n :], n - 1, n)
    if n < MIN_ORDER or board is None or across is None or down is None:
        return None
    level, upright = {c for row in across for c in row}, {c for row in down for c in row}
    signs = level <= NO_SIGN | set("<>") and upright <= NO_SIGN | set("^vV∧∨") and (level | upright) - NO_SIGN
    return (board, across, down) if signs else None


def translate(lines: Iterator[Line]) -> Iterator[Line]:
    """Yield each puzzle as a line of futoshiki, at its first line. Raises ParseError."""
    return one_by_one(lines, puzzle)


def puzzle(texts: list[Line]) -> tuple[str, int]:
    """Return the line of the first puzzle, and its number of lines of text. Raises ParseError."""
    grids = grids_of([text for _, text in texts])
    if not grids:
        return drawing(texts)
    board, across, down = grids
    signs = [(r, c, False, sign) for r, row in enumerate(across) for c, sign in enumerate(row)]
    signs += [(r, c, True, sign) for r, row in enumerate(down) for c, sign in enumerate(row)]
    return line_of([mark for row in board for mark in row], signs), 3 * len(board) - 1


Sign = tuple[int, int, bool, str]  # row, column, True if it stands below the square, else to its right


def drawing(texts: list[Line]) -> tuple[str, int]:
    """Return the line of a board that is drawn, and its number of lines of text. Raises ParseError."""
    columns = [m.start() for m in SQUARE.finditer(texts[0][1])]
    n, squares, rows, used = len(columns), list[str](), 0, 0
    signs: list[Sign] = []
    for number, text in texts:
        if ROW.fullmatch(text) and rows < n:
            found = list(SQUARE.finditer(text))
            if len(found) != n:
                raise ParseError(f"{len(found)} squares in a row, but the row above has {n}", number)
            columns = [match.start() for match in found]
            for c, (left, right) in enumerate(pairwise(found)):
                between = text[left.end() : right.start()].strip(" |\t")
                signs += [(rows, c, False, between)] if between else []
            squares += [match[0] for match in found]
            rows += 1
        elif SIGNS.fullmatch(text) and 0 < rows < n:
            for match in re.finditer(r"[\^vV∧∨]", text):
                nearest = min(range(n), key=lambda c: abs(columns[c] - match.start()))
                if abs(columns[nearest] - match.start()) > 1:
                    raise ParseError(f"{match[0]} in column {match.start() + 1} is not below a square", number)
                signs.append((rows - 1, nearest, True, match[0]))
        else:
            break
        used += 1
    if rows != n or n < MIN_ORDER:
        raise ParseError(f"{rows} rows of a futoshiki with {n} squares each", texts[0][0])
    return line_of(squares, signs), used


def line_of(squares: Sequence[str], signs: Sequence[Sign]) -> str:
    """Return the line of a puzzle."""
    n = isqrt(len(squares))
    words = []
    for r, c, below, sign in sorted(signs):
        if sign not in NO_SIGN:
            other = f"{row_name(r + 1)}{c + 1}" if below else f"{row_name(r)}{c + 2}"
            words.append(f"{row_name(r)}{c + 1}{'<' if sign in UPPER_SMALLER + '<' else '>'}{other}")
    givens = ",".join(mark if mark.isdecimal() and mark != "0" else "." for mark in squares)
    return " ".join([f"futoshiki {n}", givens, *words])
