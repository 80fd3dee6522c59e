"""Completion of n queens: no two in a row, column or diagonal, and some queens and empty squares given.

    queens 4 .Q..............      Q is a queen, x an empty square, . is open

Squares are 0 or 1, each row and column has the sum 1 and each diagonal at most 1: every backend takes Boolean sums, and
they are the at-most-one constraints that SAT and CP solvers recognise. A variable per column would need a `!=` for each
pair of columns and direction.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from puzzles.boards.board import Board
from puzzles.boards.drawing import Grid
from puzzles.boards.kinds import BoardFamily
from puzzles.boards.kinds import _notation as notation
from puzzles.constraints.linear import Linear
from puzzles.errors import ParseError, brief
from puzzles.problem.values import Domains, Integers

MAX_ORDER = 100
EMPTY, QUEEN, BOTH = 0b01, 0b10, 0b11
MARKS = {".": BOTH, "x": EMPTY, "X": EMPTY, "Q": QUEEN, "q": QUEEN}


@dataclass(frozen=True)
class Queens:
    """Board of order n, and the possible contents of each square: EMPTY, QUEEN or BOTH."""

    n: int
    squares: tuple[int, ...]


def parse(words: Sequence[str]) -> Queens:
    """Return the puzzle that words state. Raises ParseError."""
    n = notation.parse_size(words, "queens", MAX_ORDER)
    marks = "".join(words[1:])
    if len(marks) != n * n:
        raise ParseError(f"{len(marks)} squares, but a board of order {n} has {n * n}")
    if unknown := [mark for mark in marks if mark not in MARKS]:
        raise ParseError(f"{brief(unknown[0])} is no square: expected Q, x for none, or '.'")
    return Queens(n, tuple(MARKS[mark] for mark in marks))


def text(queens: Queens) -> str:
    """Return the line of a puzzle."""
    return f"queens {queens.n} {''.join('.xQ.'[mask] if mask != BOTH else '.' for mask in queens.squares)}"


def board(queens: Queens) -> tuple[Board, Domains]:
    """Return the problem of a puzzle, and its domains."""
    n, size = queens.n, queens.n**2
    rows = [tuple(range(r * n, r * n + n)) for r in range(n)]
    falling = [tuple(s for s in range(size) if s // n - s % n == d) for d in range(2 - n, n - 1)]
    rising = [tuple(s for s in range(size) if s // n + s % n == d) for d in range(1, 2 * n - 2)]
    sums = [([1] * n, line, "=", 1) for line in (*rows, *zip(*rows, strict=True))]
    sums += [([1] * len(line), line, "<=", 1) for line in (*falling, *rising)]
    grid = Grid(n, tuple(range(size)), (0,) * size, symbols=("x", "Q"))
    problem = Board(f"queens {n}", notation.square_names(n, n), Integers(range(2)), (Linear.of(sums),), grid)
    return problem, queens.squares


FAMILY = BoardFamily("queens", "queens ORDER SQUARES", lambda words: board(parse(words)))
