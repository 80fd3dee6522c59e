"""Boards in arrangements of others: read where lines are no boards as they stand.

    cells   the marks of a line, one a square, found by one of READINGS
    run     the lines that have equally many cells by a reading, with frames, blank lines and comments between them
    shape   n rows of n cells; also with labels of rows and columns, as two boards side by side, or with one cell a line

A run that has two shapes is refused, and so is a line that is neither in a run nor words. Boards become rows of words.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise, product
from math import isqrt
from typing import NamedTuple

from puzzles.boards.layout import Layout
from puzzles.errors import ParseError, brief
from puzzles.readers.boards import marks, remarks
from puzzles.readers.boards.cells import (
    COMMAND,
    END_BARS,
    FRAME,
    LABEL,
    READINGS,
    Cells,
    Reading,
    characters,
    fields,
    is_counted,
    parted,
)
from puzzles.readers.boards.lookahead import Line
from puzzles.readers.boards.normalise import FRAMES
from puzzles.readers.boards.sizes import by_size

MAX_LINES = 20_000  # of a file with boards in such arrangements
AMBIGUOUS = "one board of this size, or two beside each other"
MIN_ORDER = 4
RATING = re.compile(r"(?i)\W*[a-z]{2,}\W*[0-9][0-9./]*\W*")
SOLVED = re.compile(r"(?i)\b(?:solution|answer|solved)\b")
OTHER = re.compile(r"(?i)\b(?:before|after)\b")


def translate(lines: Iterator[Line], stated: Layout | None) -> Iterator[Line]:
    """Yield the rows of boards as words, and titles and `#:` lines. Raises ParseError."""
    texts = [(number, raw.translate(FRAMES)) for number, raw in islice(lines, MAX_LINES)]
    at, title, left_out, orders = 0, "", list[Line](), set[int]()
    while at < len(texts):
        number, text = texts[at]
        found = find(texts, at, stated)
        if found:
            yield from written(found, title, stated)
            orders |= {len(board) for board in found.boards}
            at, title = found.end, ""
            continue
        if text.startswith("#:"):
            yield number, text
        elif remarks.LOWER_WORD.search(COMMAND.sub("", text)) or RATING.fullmatch(text):
            title = text
            left_out.append((number, text))
        elif not FRAME.fullmatch(text) and text[0] != "#" and not is_header(text):
            if orders:
                raise NoShape(f"{brief(text.strip())} is neither a row of the boards above, nor a title", number)
            raise no_shape(texts, at)
        at += 1
    if bad := next((line for line in left_out if is_like_row(line[1], orders)), None):
        raise ParseError(f"{brief(bad[1].strip())} is like a row, but belongs to no board", bad[0])


class NoShape(ParseError):
    """A line belongs to no board; without a text nothing was recognised."""


def no_shape(texts: Sequence[Line], at: int) -> NoShape:
    """Return the error for the line at which no shape begins: the rows that are nearest to a board."""
    runs = [
        run(texts, first, False, labelled, reading)
        for first, labelled, reading in product((at, at + 1), (False, True), READINGS)
        if labelled or reading not in (parted, characters)  # whose errors the reader of lines tells
    ]
    rows, end = max(runs, key=lambda found: len(found[0]))
    if len(rows) < MIN_ORDER - 1 or not known_orders(len(rows[0].cells), ""):
        return NoShape("", texts[at][0])
    above = at + 1 < len(texts) and texts[at + 1][0] == rows[0].line
    line, other = texts[at] if above or end == len(texts) else texts[end]
    known = f"lines {rows[0].line} to {rows[-1].line} are {len(rows)} rows of {len(rows[0].cells)} squares"
    return NoShape(f"{known}, but {brief(other.strip())} is none", line)


class CellRow(NamedTuple):
    """The squares of a line; `apart`: after a blank line or comment."""

    line: int
    cells: Cells
    apart: bool


Board = list[CellRow]


class ShapedBoards(NamedTuple):
    """The boards of a run, True if they stand in pairs beside each other, their boxes if drawn, and the line after."""

    boards: list[Board]
    paired: bool
    boxes: str
    end: int


def find(texts: Sequence[Line], at: int, stated: Layout | None) -> ShapedBoards | None:
    """Return the boards of the run that begins at a line, None if it has no shape. Raises ParseError."""
    for hashes, labelled, reading in product((False, True), (False, True), READINGS):
        rows, end = run(texts, at, hashes, labelled, reading)
        if rows:
            boxes = drawn_boxes(texts[at:end], rows)
            orders = {len(stated.values)} if stated else known_orders(len(rows[0].cells), boxes)
            single, paired = arranged(rows, orders)
            if single and paired:
                raise ParseError(f"{len(rows)} rows of {len(rows[0].cells)} squares: {AMBIGUOUS}", rows[0].line)
            if single or paired:
                return ShapedBoards(single or paired, bool(paired), boxes, end)
    return None


def run(texts: Sequence[Line], at: int, hashes: bool, labelled: bool, reading: Reading) -> tuple[Board, int]:
    """Return the lines with equally many cells, and the index of the line after; with `hashes` none is a comment."""
    rows: Board = []
    end, apart = at, False
    for i in range(at, len(texts)):
        number, text = texts[i]
        label = LABEL.match(text) if labelled else None
        cells = reading(text[label.end() if label else 0 :]) if text.strip() else None
        cells = [label[1] or label[2], *cells] if label and cells else cells
        alike = bool(cells) and len(cells or ()) == len(rows[0].cells if rows else cells or ())
        if not text.strip() or (text[0] == "#" and not text.startswith("#:") and not (hashes and alike)):
            apart = bool(rows)
        elif FRAME.fullmatch(text) and not (alike and cells and len(cells) > 1 and not any(cells)):
            if rows and alike and max(map(len, cells or ())) == 1:  # a rule, or a row of open squares
                return [], at
        elif not cells or not alike or (labelled and not label) or text.startswith("#:"):
            break
        else:
            rows.append(CellRow(number, cells, apart))
            end, apart = i + 1, False
    return rows, end


def known_orders(width: int, boxes: str) -> set[int]:
    """Return the numbers of rows that boards in lines of so many cells may have: by their size, or by their boxes."""
    rows, columns = map(int, boxes.split("x")) if boxes else (0, 0)
    orders = {n for n in (width, width - 1, width // 2) if n >= MIN_ORDER and by_size(n * n, None)}
    return orders | ({rows * columns} & {width, width - 1} - {0})


def arranged(rows: Board, orders: set[int]) -> tuple[list[Board], list[Board]]:
    """Return the boards of a run below each other, and those in pairs beside each other; [] for what it is not."""
    width, height = len(rows[0].cells), len(rows)
    root, half = isqrt(height), width // 2
    if width == 1 and root * root == height and root >= MIN_ORDER and by_size(height, None):
        cells = [row.cells[0] for row in rows]
        return [[CellRow(rows[i].line, cells[i : i + root], False) for i in range(0, height, root)]], []
    for left, top in ((1, 1), (1, 0), (0, 1), (0, 0)):
        parts = boards_of(rows, width - left, top) if width - left in orders else []
        if parts and all(is_labelled(part, left, top) for part in parts):
            boards = [[row._replace(cells=row.cells[left:]) for row in part[top:]] for part in parts]
            break
    else:
        boards = []
    if (left or top) and boards:
        return boards, []
    parts = boards_of(rows, half, 0) if half * 2 == width and half in orders else []
    pairs = [[row._replace(cells=row.cells[a : a + half]) for row in part] for part in parts for a in (0, half)]
    return boards, pairs


def boards_of(rows: Board, n: int, top: int) -> list[Board]:
    """Return the rows of each board of n rows, and `top` above them; [] if the run or its blank lines do not fit."""
    step = n + top
    parts = [rows[i : i + step] for i in range(0, len(rows), step)]
    for part in parts:
        cuts = [0, *(i - top for i, row in enumerate(part) if row.apart and i > top), n]
        if len(part) != step or len({b - a for a, b in pairwise(cuts)}) > 1:
            return []
    return parts


def is_labelled(rows: Board, left: int, top: int) -> bool:
    """Return True if the first column, and the first row, are labels; the header of a table may be empty."""
    header = rows[0].cells[left:] if top else []
    return (not left or is_counted([row.cells[0] for row in rows[top:]])) and (
        not top or is_counted(header) or not any(header)
    )


def is_header(text: str) -> bool:
    """Return True for labels of columns alone."""
    return any(is_counted(cells) and len(cells) >= MIN_ORDER for read in (fields, parted) if (cells := read(text)))


def drawn_boxes(texts: Sequence[Line], rows: Board) -> str:
    """Return the boxes that bars and the lines between rows draw, such as '2x3', '' if they draw none."""
    numbers, n = {row.line for row in rows}, len(rows[0].cells)
    bars = {END_BARS.sub("", text).count("|") + 1 for number, text in texts if number in numbers}
    high, since = set[int](), 0
    for number, text in texts:
        since += number in numbers
        if number not in numbers and FRAME.fullmatch(text):
            high |= {since} - {0}
            since = 0
    high |= {since} - {0}
    columns = n // next(iter(bars)) if len(bars) == 1 and not n % next(iter(bars)) else 0
    tall = high.pop() if len(high) == 1 else 0
    if 1 < columns < n and n % columns == 0 and tall in (n // columns, len(rows)):
        return f"{n // columns}x{columns}"
    return f"{tall}x{n // tall}" if columns == n and 1 < tall < n and n % tall == 0 else ""


def written(found: ShapedBoards, title: str, stated: Layout | None) -> Iterator[Line]:
    """Yield the rows of boards, below their title. Raises ParseError."""
    first = found.boards[0][0].line
    n = len(found.boards[0])
    if not stated and found.boxes and not by_size(n * n, None):
        yield first, f"#: sudoku {found.boxes}"
    claims = found.paired and (bool(SOLVED.search(title)) or not OTHER.search(title))
    for i, board in enumerate(found.boards):
        cells = squares_of(board)
        if not i and not found.paired and remarks.is_title(title, [" ".join(cells[:n])]):
            yield first, title
        if claims and i % 2 and "." not in cells and "0" not in cells:
            yield board[0].line, "Solution:"
        for r, row in enumerate(board):
            yield row.line, " ".join(cells[r * n : r * n + n])


def squares_of(board: Board) -> Cells:
    """Return the marks of a board, '.' for '#'. Raises ParseError if another mark stands for open squares too."""
    cells = marks.plain([cell.strip() for row in board for cell in row.cells])
    if "#" in cells and set(cells) & {".", "0"}:
        raise ParseError("# and another mark both stand for open squares: write '.' for each", board[0].line)
    return ["." if cell == "#" else cell for cell in cells]


def is_like_row(text: str, orders: set[int]) -> bool:
    """Return True if a line that was left out may be a row of one of the boards."""
    cells = "".join(parted(text))
    return any(abs(len(cells) - n) <= 1 and 2 * len(remarks.MARKS.findall(cells)) >= len(cells) for n in orders)
