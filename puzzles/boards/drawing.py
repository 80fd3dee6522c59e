"""Drawings of boards with cages or regions, in ASCII.

position  an index of the grid, row by row     edge  the border between two neighbours

| -   the edge of a region or cage      # =   the same, on the edge of a box
: .   the edge of a box inside a cage   < > ^ v   a comparison of neighbours
\\ / X  a square on the main diagonals, if their numbers differ, on boards with labels
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from string import ascii_lowercase
from typing import Any

from puzzles.boards.regions import parted

UPRIGHT = {(False, False): " ", (True, False): "|", (False, True): ":", (True, True): "#"}  # (wall, box)
LEVEL = {(False, False): " ", (True, False): "-", (False, True): ".", (True, True): "="}
PATTERNS = {"-": "-", "=": "=", ".": ". ", " ": " "}  # patterns that fill the width of a square
BLOCKED = -1


@dataclass(frozen=True)
class Grid:
    """Positions of the variables of a problem on a board; all but `width` and `signs` have one item per position.

    width    number of columns
    squares  the variable at each position, or BLOCKED
    regions  a number; a wall is drawn between different ones
    labels   the text in a square's corner; that of a blocked position is COLUMN\\ROW. Empty: no labels
    boxes    a number; a box edge is drawn between different ones. Empty: no boxes
    signs    (position, position to its right or below, comparison of the two: < or >)
    symbols  the text of each value; empty: the problem's own
    """

    width: int
    squares: tuple[int, ...]
    regions: tuple[int, ...]
    labels: tuple[str, ...] = ()
    boxes: tuple[int, ...] = ()
    signs: tuple[tuple[int, int, str], ...] = ()
    symbols: tuple[str, ...] = ()

    def data(self) -> dict[str, Any]:
        """Return the content as JSON-compatible data."""
        parts = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: part for name, part in parts.items() if part != ()}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> "Grid":
        """Return the grid that `data` describes."""
        parts = {name: tuple(part) for name, part in data.items() if name != "width"}
        parts["signs"] = tuple(map(tuple, parts.get("signs", ())))
        return cls(data["width"], **parts)

    @cached_property
    def is_plain(self) -> bool:
        """True for a board without walls, which is drawn without a frame."""
        return len(set(self.regions)) == 1

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """Return the labels as drawn: parts of a cage that does not hang together have one letter, as in 8a and a."""
        size, shown, letters = len(self.regions), list(self.labels), 0
        near = [(p, q) for p in range(size) for q in (p + 1, p + self.width) if q < size]
        part = parted(self.width, size, {(p, q) for p, q in near if self.regions[p] != self.regions[q]})
        for p, label in enumerate(self.labels):
            firsts = sorted({part[q] for q in range(size) if self.regions[q] == self.regions[p]}) if label else []
            if len(firsts) > 1 and self.squares[p] != BLOCKED:
                for q in firsts:
                    shown[q] += ascii_lowercase[letters % 26] * (letters // 26 + 1)
                letters += 1
        return tuple(shown)

    @cached_property
    def sign(self) -> dict[tuple[int, int], str]:
        """Return the comparison between two neighbours, '' if they are not compared."""
        return {(p, q): text for p, q, text in self.signs}


def draw_grid(grid: Grid, cells: Sequence[str], marks: Mapping[int, str]) -> str:
    """Draw a board, given one text per variable, and characters for positions with labels."""
    width, height = grid.width, len(grid.regions) // grid.width
    texts = [square_lines(grid, p, cells) for p in range(len(grid.regions))]
    wide = max(3 if grid.labels or not grid.is_plain else 1, *(len(line) for lines in texts for line in lines))
    if marks:
        wide = max(wide, *(len(grid.shown[p]) + 2 for p in marks))
        texts = [(f"{t[0].ljust(wide - 1)}{marks[p]}", *t[1:]) if p in marks else t for p, t in enumerate(texts)]
    lines = []
    for r in range(height + 1):
        lines += gap_line(grid, r, wide)
        for k in range(len(texts[0]) if r < height else 0):
            row = [filled(grid, r * width + c, texts[r * width + c], k, wide) for c in range(width)]
            gaps = [upright(grid, r, c, k) for c in range(width + 1)]
            lines.append("".join(gap + cell for gap, cell in zip(gaps, [*row, ""], strict=True)))
    start = 1 if grid.is_plain else 0
    return "\n".join(line[start:].rstrip() for line in lines)


def square_lines(grid: Grid, p: int, cells: Sequence[str]) -> tuple[str, ...]:
    """Return the text of a position, of two lines if the grid has labels."""
    s = grid.squares[p]
    if s == BLOCKED:
        down, _, across = grid.labels[p].partition("\\")
        return (f"\\{across}" if across else "", f"{down}\\" if down else "")
    return (grid.shown[p], cells[s]) if grid.labels else (cells[s],)


def filled(grid: Grid, p: int, lines: tuple[str, ...], k: int, wide: int) -> str:
    """Return line k of the text of a position, padded to full width."""
    if grid.squares[p] == BLOCKED:
        blank = " " if grid.labels[p] else "#"
        return lines[k].rjust(wide, blank) if k == 0 else lines[k].ljust(wide, blank)
    return lines[k].ljust(wide) if k < len(lines) - 1 else lines[k].center(wide)


def edge(grid: Grid, p: int, q: int) -> tuple[bool, bool]:
    """Return two truths: a wall lies between two neighbours, and a box edge does. -1 is outside."""
    if p < 0 or q < 0:
        return not grid.is_plain, bool(grid.boxes)
    return grid.regions[p] != grid.regions[q], bool(grid.boxes) and grid.boxes[p] != grid.boxes[q]


def position(grid: Grid, r: int, c: int) -> int:
    """Return the position of a row and column, -1 outside."""
    inside = 0 <= c < grid.width and 0 <= r < len(grid.regions) // grid.width
    return r * grid.width + c if inside else -1


def upright(grid: Grid, r: int, c: int, k: int) -> str:
    """Return the character to the left of a position, in line k of its row."""
    p, q = position(grid, r, c - 1), position(grid, r, c)
    return grid.sign.get((p, q)) or UPRIGHT[edge(grid, p, q)]


def gap_line(grid: Grid, r: int, wide: int) -> list[str]:
    """Return the line above a row, or no line if it would be blank."""
    edges = [level(grid, r, c) for c in range(grid.width)]
    if not "".join(edges).strip():
        return []
    line = ""
    for c in range(grid.width + 1):
        line += corner(grid, r, c, edges)
        if c < grid.width:
            pattern = PATTERNS.get(edges[c])
            line += (pattern * wide)[:wide] if pattern else edges[c].center(wide)
    return [line]


def level(grid: Grid, r: int, c: int) -> str:
    """Return the character of the horizontal edge above a position."""
    p, q = position(grid, r - 1, c), position(grid, r, c)
    sign = grid.sign.get((p, q))
    return {"<": "^", ">": "v"}[sign] if sign else LEVEL[edge(grid, p, q)]


def corner(grid: Grid, r: int, c: int, edges: Sequence[str]) -> str:
    """Return the character where four edges meet, above and left of a position."""
    if grid.is_plain:
        return " "
    inside = range(len(grid.regions) // grid.width)
    above, below = (
        UPRIGHT[edge(grid, position(grid, y, c - 1), position(grid, y, c))] if y in inside else " " for y in (r - 1, r)
    )
    left, right = edges[c - 1] if c else " ", edges[c] if c < grid.width else " "
    across, along = {left, right} - {" "}, {above, below} - {" "}
    if across and along:
        return "+"
    if along:
        return min(along)
    return min(across) if across else " "
