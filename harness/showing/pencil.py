"""Draw boards with their candidates in ASCII, coloured if the terminal supports it.

    mask   bit mask of a square's candidates    brush  letter that names a colour
    canvas  lines of characters, each line with a brush for every character

Changes are visible without colour too: [8] is a newly known square, '.' a newly excluded candidate.
"""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import groupby
from math import isqrt
from operator import or_
from typing import Any, TextIO

from puzzles.boards.families import draw
from puzzles.boards.layout import Layout, Puzzle
from puzzles.problem import Instance
from puzzles.problem.values import bits

BRUSHES = {"k": "1", "n": "1;32", "o": "31", "d": "2", "g": "1;33", "x": "1;97;41", "h": "1;36"}
RULE = re.compile(r"[-+| ]*-[-+| ]*")  # a line between rows
KNOWN, NEW, OUT, DIM, GUESSED, BROKEN, HEAD, PLAIN = "k", "n", "o", "d", "g", "x", "h", " "


def supports_colour(stream: TextIO) -> bool:
    """Return True for a terminal, unless NO_COLOR is set or TERM is dumb."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, brushes: str, colour: bool) -> str:
    """Return `text` with the escape codes of its brushes, or the text alone without `colour`."""
    if not colour:
        return text.rstrip()
    parts = []
    for brush, run in groupby(zip(text, brushes.ljust(len(text)), strict=False), key=lambda pair: pair[1]):
        piece = "".join(character for character, _ in run)
        parts.append(f"\033[{BRUSHES[brush]}m{piece}\033[0m" if brush in BRUSHES and piece.strip() else piece)
    return "".join(parts).rstrip()


@lru_cache(1 << 12)
def candidates_text(layout: Layout, mask: int) -> str:
    """Return a square's candidates as text: 379, or 3,17,24 for longer symbols; '!' if none is left."""
    glue = "" if all(len(symbol) == 1 for symbol in layout.values) else ","
    return glue.join(layout.values[v] for v in bits(mask)) or "!"


def given_texts(puzzle: Puzzle) -> list[str]:
    """Return the text of each square of a puzzle: its value or candidates, '.' if all are possible."""
    layout = puzzle.problem
    texts = {d: "." if d == layout.full else candidates_text(layout, d) for d in set(puzzle.domains)}
    return [texts[d] for d in puzzle.domains]


def unit_name(layout: Layout, u: int) -> str:
    """Return the usual name of a unit: row C, column 4, box D4-F6, edge 3-7."""
    names = [layout.squares[s] for s in layout.units[u]]
    if len(names) == 2 and all(name.isdecimal() for name in names):
        return f"edge {names[0]}-{names[1]}"
    parts = [re.fullmatch(r"([A-Z]+)(\d+)", name) for name in names]
    if not all(parts):
        return f"the unit of {', '.join(names)}"
    rows, columns = ({part[k] for part in parts if part} for k in (1, 2))
    if len(rows) == 1:
        return f"row {rows.pop()}"
    return f"column {columns.pop()}" if len(columns) == 1 else f"box {names[0]}-{names[-1]}"


def equal_givens(puzzle: Instance[Any]) -> str | None:
    """Describe the first unit with two equal givens; None without one, and for a formula."""
    return equal_values(puzzle.problem, puzzle.domains) if isinstance(puzzle.problem, Layout) else None


def contradiction(layout: Layout, domains: Sequence[int]) -> str | None:
    """Describe a square without a candidate, a unit with equal values, or one that lacks a place for a value."""
    empty = next((s for s, d in enumerate(domains) if not d), None)
    if empty is not None:
        return f"{layout.squares[empty]} has no candidate left"
    if twice := equal_values(layout, domains):
        return twice
    for u, unit in enumerate(layout.units):
        places = reduce(or_, (domains[s] for s in unit))
        if len(unit) == len(layout.values) and places != layout.full:
            lost = next(value for v, value in enumerate(layout.values) if not places >> v & 1)
            return f"no square of {unit_name(layout, u)} can take {lost}"
    return None


def no_solution(why: str) -> str:
    """Return the sentences below candidates where propagation stopped."""
    return (
        f"It has no solution: {why}. Propagation stopped there: squares may list values that their peers exclude."
        " In another order it may stop at another square."
    )


def equal_values(board: Layout, domains: Sequence[int]) -> str | None:
    """Describe the first unit with two equal decided squares, None without one."""
    for u, unit in enumerate(board.units):
        at: dict[int, int] = {}
        for s in unit:
            given = domains[s]
            if given.bit_count() == 1 and (first := at.setdefault(given, s)) != s:
                value = board.values[given.bit_length() - 1]
                return f"{unit_name(board, u)} has {value} twice, in {board.squares[first]} and {board.squares[s]}"
    return None


@dataclass(frozen=True)
class Marks:
    """Marks of a drawing: changes from `before` or to `after`, guessed squares, broken squares."""

    before: Sequence[int] | None = None
    after: Sequence[int] | None = None
    guessed: frozenset[int] = frozenset()
    broken: frozenset[int] = frozenset()


Canvas = list[tuple[str, str]]


def pencil(layout: Layout, board: Sequence[int], marks: Marks) -> Canvas:
    """Draw a square board as pencil marks, each candidate at a fixed position in its square."""
    wide, high = pencil_size(layout)
    return assembled(layout, [draw_square(layout, board, s, marks, wide, high) for s in range(len(board))])


def pencil_size(layout: Layout) -> tuple[int, int]:
    """Return the width and the height of a square with pencil marks, in characters."""
    wide = max(3, isqrt(max(len(layout.values), 1) - 1) + 1)
    return wide, -(-len(layout.values) // wide)


def assembled(layout: Layout, cells: Sequence[Canvas]) -> Canvas:
    """Return the drawing of a board from its drawn squares, all of one size."""
    high = len(cells[0])
    layers = [[draw(layout, [cell[k][part] for cell in cells]).split("\n") for k in range(high)] for part in (0, 1)]
    canvas: Canvas = []
    for texts, brushes in zip(zip(*layers[0], strict=True), zip(*layers[1], strict=True), strict=True):
        once = RULE.fullmatch(texts[0]) is not None
        canvas += list(zip(texts, brushes, strict=True))[: 1 if once else high]
    full = max((len(line) for line, _ in canvas), default=0)
    crossings = next((line for line, _ in canvas if "-+-" in line and line[0] != "+"), "")
    kept = [i for i in range(full) if "+" not in crossings[max(i - 1, 0) : i + 2] or crossings[i] == "+"]
    return [("".join(a.ljust(full)[i] for i in kept), "".join(b.ljust(full)[i] for i in kept)) for a, b in canvas]


def draw_square(layout: Layout, board: Sequence[int], s: int, marks: Marks, wide: int, high: int) -> Canvas:
    """Draw one square in `high` lines of `wide` characters."""
    mask = board[s]
    was = marks.before[s] if marks.before is not None else mask
    will = marks.after[s] if marks.after is not None else mask
    lines = [[(" ", PLAIN)] * wide for _ in range(high)]
    if mask and not mask & mask - 1:
        new = was != mask
        brush = GUESSED if s in marks.guessed else NEW if new else KNOWN
        middle = layout.values[mask.bit_length() - 1].join("[]" if new else "  ").center(wide)
        lines[high // 2] = [(character, brush) for character in middle]
    else:
        for v, symbol in enumerate(layout.values):
            if mask >> v & 1:
                lines[v // wide][v % wide] = (symbol, PLAIN if will >> v & 1 else OUT)
            elif was >> v & 1:
                lines[v // wide][v % wide] = (".", DIM)
    if s in marks.broken:
        lines = [[(character, BROKEN) for character, _ in line] for line in lines]
    return [("".join(c for c, _ in line), "".join(b for _, b in line)) for line in lines]
