"""Kakuro as a grid, a row on each line: words, fields of CSV, or cells between bars.

    # 23\\ 30\\ #          16\\7   sums below and to the right; also 16/7, 16:7, C16F7, and 16,7 between blanks
    \\16 . .  24\\          #      blocked; also x, *, \\ alone, and - where open squares have another mark
    ...                    .      an open square; also _, ?, 0, an empty field of CSV, and - elsewhere

A line before it may state rows and columns. Puzzles are separated by blank lines.
"""

import re
from collections.abc import Iterator, Sequence

from puzzles.errors import ParseError
from puzzles.readers.boards.cells import fields
from puzzles.readers.boards.lookahead import Line
from puzzles.readers.boards.notations.rows import Grid, blocks

CLUE = re.compile(r"([0-9]{0,2})[\\/:,]([0-9]{0,2})|C([0-9]{1,2})(?:F([0-9]{1,2}))?|F([0-9]{1,2})")
OPEN = {".", "_", "?", "0", ""}
BLOCKED = {"#", "x", "X", "*", "■", "█", "B"}
SIZE = re.compile(r"\s*[0-9]{1,3}\s*[, x]\s*[0-9]{1,3}\s*")
MIN_ROWS = 2


def cells_of(text: str) -> list[str]:
    """Return the words of a row."""
    return fields(text) or text.split()


def is_row(cells: Sequence[str]) -> bool:
    """Return True if the words are positions of a kakuro."""
    plain = OPEN | BLOCKED | {"-"} | set("123456789")
    return len(cells) >= MIN_ROWS and all(cell in plain or CLUE.fullmatch(cell) for cell in cells)


def has_sum(cells: Sequence[str]) -> bool:
    """Return True if a cell is a clue with a number; with a comma it has a single sum, for 1,2 may be candidates."""
    return any(CLUE.fullmatch(cell) and re.search(r"[0-9]", cell) and "," not in cell.strip(",") for cell in cells)


def recognise(opening: Sequence[str]) -> bool:
    """Return True if the first lines are rows of a kakuro, one of the first two with a sum."""
    rows = [cells_of(text) for text in opening[: MIN_ROWS + 1]]
    rows = rows[1:] if rows and SIZE.fullmatch(opening[0]) else rows[:MIN_ROWS]
    labels = [row[0] for row in rows] == ["1:", "2:"]  # of the rows of another board
    return len(rows) == MIN_ROWS and not labels and all(map(is_row, rows)) and any(map(has_sum, rows))


def translate(lines: Iterator[Line]) -> Iterator[Line]:
    """Yield each puzzle as a line of kakuro, at its first line. Raises ParseError."""
    for block in blocks(lines, lambda text: is_row(cells_of(text))):
        rows = block[SIZE.fullmatch(block[0][1]) is not None :]
        if rows:
            yield rows[0][0], rows[0][1] if rows[0][1].lstrip().startswith("#:") else puzzle(rows)


def puzzle(block: list[Line]) -> str:
    """Return the line of a puzzle. Raises ParseError."""
    rows: Grid = [cells_of(text) for _, text in block]
    width = max(map(len, rows))
    for (number, _), row in sorted(zip(block, rows, strict=True), key=lambda line: is_row(line[1])):
        if not is_row(row) or len(row) != width:
            lacks = f"{len(row)} positions, but another row has {width}" if is_row(row) else "not a row of a kakuro"
            raise ParseError(f"{lacks}: expected sums such as 16\\7, '#' where blocked, '.' where open", number)
    opened = any(cell in OPEN for row in rows for cell in row)
    words = [word(cell, "#" if opened else ".") for row in rows for cell in row]
    return f"kakuro {len(rows)}x{width} {' '.join(words)}"


def word(cell: str, dash: str) -> str:
    """Return a cell in the notation of board lines; `dash` replaces a dash."""
    match = CLUE.fullmatch(cell)
    if match:
        down, across = (match[1] or match[3] or "", match[2] or match[4] or match[5] or "")
        return f"{down}\\{across}" if down or across else "#"
    if cell == "-":
        return dash
    return "." if cell in OPEN else "#" if cell in BLOCKED else cell
