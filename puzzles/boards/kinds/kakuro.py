r"""Kakuro: runs of squares with different numbers from 1 to 9 of a stated sum.

    kakuro 3x3 # 4\ 3\ \4 . . \3 . .     rows and columns, then a word per position, row by row

`.` is a square, a digit a given, `#` a blocked position. `16\7` is blocked too: 16 is the sum of the run below it, 7
that of the run to its right; `16\` and `\7` state only one of these sums.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from puzzles.boards.board import Board
from puzzles.boards.drawing import BLOCKED, Grid
from puzzles.boards.kinds import BoardFamily
from puzzles.boards.kinds import _notation as notation
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.linear import Linear
from puzzles.errors import ParseError, brief
from puzzles.problem.values import Domains, Integers

NUMBERS = 9
MAX_SIDE = 100
FORM = "'.', a digit, '#' or a clue such as 16\\, \\7 or 16\\7"
Clue = tuple[int, int]  # sums of the runs below and to the right, 0 if there is none


@dataclass(frozen=True)
class Kakuro:
    """A kakuro: number of columns, and per position the number of a square (0: open) or the clue of a blocked one."""

    width: int
    cells: tuple[int | Clue, ...]


@dataclass(frozen=True)
class SumRun:
    """Consecutive positions in a row or a column, with their sum, None if no sum is stated."""

    positions: tuple[int, ...]
    total: int | None


def parse(words: Sequence[str]) -> Kakuro:
    """Return the puzzle that words state. Raises ParseError."""
    match = re.fullmatch(r"([0-9]{1,3})x([0-9]{1,3})", words[0] if words else "")
    if not match or not all(1 <= int(side) <= MAX_SIDE for side in match.groups()):
        raise ParseError(f"expected 'kakuro ROWSxCOLUMNS', such as 'kakuro 8x8', up to {MAX_SIDE}x{MAX_SIDE}")
    height, width = int(match[1]), int(match[2])
    if len(words) - 1 != height * width:
        raise ParseError(f"{len(words) - 1} words, but a board of {height}x{width} has {height * width} positions")
    kakuro = Kakuro(width, tuple(map(parse_cell, words[1:])))
    check(kakuro)
    return kakuro


def parse_cell(word: str) -> int | Clue:
    """Return the number or the clue of one position. Raises ParseError."""
    match = re.fullmatch(r"([0-9]{0,4})\\([0-9]{0,4})", word)
    if match:
        return int(match[1] or 0), int(match[2] or 0)
    if word == "#":
        return 0, 0
    if word in (".", *map(str, range(1, NUMBERS + 1))):
        return 0 if word == "." else int(word)
    raise ParseError(f"{brief(word)} is no position of a kakuro: expected {FORM}")


def check(kakuro: Kakuro) -> None:
    """Raise ParseError if clues and runs do not fit each other."""
    names = notation.square_names(len(kakuro.cells) // kakuro.width, kakuro.width)
    if all(isinstance(cell, tuple) for cell in kakuro.cells):
        raise ParseError("the board has no squares")
    for way, step in enumerate((kakuro.width, 1)):
        starts = {run.positions[0] - step for run in runs(kakuro, way)}
        for p, cell in enumerate(kakuro.cells):
            if isinstance(cell, tuple) and cell[way] and p not in starts:
                raise ParseError(f"the clue {cell[way]} in {names[p]} has no squares {('below', 'to its right')[way]}")
        for run in runs(kakuro, way):
            where = f"the {('column', 'row')[way]} from {names[run.positions[0]]}"
            if len(run.positions) > NUMBERS:
                raise ParseError(f"{where} has {len(run.positions)} squares: its numbers differ, so at most {NUMBERS}")
            if run.total is None and len(run.positions) > 1:
                raise ParseError(f"{where} has {len(run.positions)} squares and no clue")


def runs(kakuro: Kakuro, way: int) -> list[SumRun]:
    """Return the runs in all columns (way 0) or rows (way 1)."""
    width, height = kakuro.width, len(kakuro.cells) // kakuro.width
    lines = (
        [range(c, len(kakuro.cells), width) for c in range(width)]
        if way == 0
        else [range(r * width, (r + 1) * width) for r in range(height)]
    )
    found = []
    for line in lines:
        positions: list[int] = []
        total: int | None = None
        for p in line:
            cell = kakuro.cells[p]
            if isinstance(cell, int):
                positions.append(p)
                continue
            if positions:
                found.append(SumRun(tuple(positions), total))
            positions, total = [], cell[way] or None
        if positions:
            found.append(SumRun(tuple(positions), total))
    return found


def text(kakuro: Kakuro) -> str:
    """Return the line of a puzzle."""
    words = [cell_text(cell) for cell in kakuro.cells]
    return f"kakuro {len(kakuro.cells) // kakuro.width}x{kakuro.width} {' '.join(words)}"


def cell_text(cell: int | Clue) -> str:
    if isinstance(cell, int):
        return str(cell or ".")
    return "#" if cell == (0, 0) else "\\".join(str(total or "") for total in cell)


def board(kakuro: Kakuro) -> tuple[Board, Domains]:
    """Return the problem of a puzzle, and its domains."""
    squares = [p for p, cell in enumerate(kakuro.cells) if isinstance(cell, int)]
    variable = {p: x for x, p in enumerate(squares)}
    size, height = len(kakuro.cells), len(kakuro.cells) // kakuro.width
    placed = [(tuple(variable[p] for p in run.positions), run.total) for way in (0, 1) for run in runs(kakuro, way)]
    units = AllDifferent(tuple(unit for unit, _ in placed if len(unit) > 1))
    sums = Linear.of([([1] * len(unit), unit, "=", total) for unit, total in placed if total is not None])
    grid = Grid(
        kakuro.width,
        tuple(variable.get(p, BLOCKED) for p in range(size)),
        tuple(0 if p in variable else p + 1 for p in range(size)),
        tuple("" if isinstance(cell, int) or cell == (0, 0) else cell_text(cell) for cell in kakuro.cells),
    )
    names = notation.square_names(height, kakuro.width)
    name, values = f"kakuro {height}x{kakuro.width}", Integers(range(1, NUMBERS + 1))
    problem = Board(name, tuple(names[p] for p in squares), values, (units, sums), grid)
    givens = [cell for cell in kakuro.cells if isinstance(cell, int)]
    return problem, notation.domains_of(givens, problem.full)


FAMILY = BoardFamily("kakuro", "kakuro ROWSxCOLUMNS POSITION ...", lambda words: board(parse(words)))
