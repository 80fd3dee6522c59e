"""Boards as HTML tables for notebooks: thick borders between boxes, regions and cages; other problems as text."""

from collections.abc import Collection, Sequence
from html import escape
from math import isqrt

from harness.reporting.writing.printable import printable
from puzzles.boards.board import Board
from puzzles.boards.drawing import BLOCKED, Grid
from puzzles.boards.families import jigsaw
from puzzles.boards.families.sudoku import parse_box
from puzzles.boards.layout import Layout
from puzzles.problem import Problem

BOXED = ("sudoku", "sudoku-x", "windoku", "anti-knight")
STYLE = "border-collapse:collapse;table-layout:fixed;font-family:sans-serif;margin:4px 0"
CELL = "width:{side};height:{side};text-align:center;vertical-align:middle;padding:0;position:relative;line-height:1.1"
LABEL = '<div style="position:absolute;top:1px;left:2px;font-size:9px">{}</div>'
NARROW, WIDE = "2.1em", "2.6em"  # sides of a square; nine of them fit 380 pixels
MOST_SQUARES = 1024


def pre(text: str) -> str:
    """Return text as HTML of fixed width."""
    lines = "\n".join(escape(printable(line)) for line in text.split("\n"))
    return f'<pre style="line-height:1.2;overflow-x:auto">{lines}</pre>'


def sentence(text: str) -> str:
    """Return one line of text as HTML."""
    return f"<div>{escape(printable(text))}</div>"


def grid_of(problem: Problem) -> Grid | None:
    """Return the grid of a board, with the boxes of a Sudoku as regions; None for a problem that is not drawn so."""
    if isinstance(problem, Board):
        return problem.grid if not problem.grid.signs else None
    if not isinstance(problem, Layout) or isqrt(len(problem.squares)) ** 2 != len(problem.squares):
        return None
    family, _, parameters = problem.name.partition(" ")
    n, squares = isqrt(len(problem.squares)), tuple(range(len(problem.squares)))
    if family == "jigsaw":
        return jigsaw.grid(problem.name)
    if family == "latin":
        return Grid(n, squares, (0,) * len(squares))
    if family not in BOXED:
        return None
    rows, columns = parse_box(parameters)
    return Grid(n, squares, tuple(s // n // rows * n + s % n // columns for s in squares))


def board_html(
    problem: Problem, texts: Sequence[str], given: Sequence[bool], shaded: Collection[int] = ()
) -> str | None:
    """Return a board with the text of each square, given ones in bold; None if it is not drawn as a table."""
    grid = grid_of(problem)
    if grid is None or len(grid.regions) > MOST_SQUARES:
        return None
    side = NARROW if max(map(len, texts), default=0) <= 2 else WIDE
    lines = []
    for start in range(0, len(grid.regions), grid.width):
        cells = [cell_html(grid, p, texts, given, side, shaded) for p in range(start, start + grid.width)]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return f'<div style="overflow-x:auto"><table style="{STYLE}">{"".join(lines)}</table></div>'


def cell_html(
    grid: Grid, p: int, texts: Sequence[str], given: Sequence[bool], side: str, shaded: Collection[int]
) -> str:
    """Return one position of a grid."""
    width, s = grid.width, grid.squares[p]
    near = {"top": p - width, "left": p - 1 if p % width else -1, "right": p + 1 if (p + 1) % width else -1}
    near["bottom"] = p + width if p + width < len(grid.regions) else -1
    walls = {way: q < 0 or grid.regions[q] != grid.regions[p] for way, q in near.items()}
    borders = ";".join(f"border-{way}:{'2px solid #333' if wall else '1px solid #bbb'}" for way, wall in walls.items())
    style = f"{CELL.format(side=side)};{borders}"
    label = LABEL.format(escape(grid.labels[p])) if grid.labels and grid.labels[p] else ""
    if s == BLOCKED:
        return f'<td style="{style};background:#ddd">{label}</td>'
    text = escape(texts[s]) if texts[s] != "." else ""
    small = ";font-size:10px;overflow-wrap:anywhere" if len(texts[s]) > 1 and side == WIDE else ""
    weight = f"{';font-weight:bold' if given[s] else ''}{';background:#cfe3f7' if s in shaded else ''}"
    return f'<td style="{style}{weight}{small}">{label}{text}</td>'
