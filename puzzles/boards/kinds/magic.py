"""Magic squares: the numbers from 1 to n*n, once each; every row, column and main diagonal has the same sum.

magic 3 2 . . . 5 . . . .      a word per square, row by row: '.' or a given
"""

from collections.abc import Sequence
from dataclasses import dataclass

from puzzles.boards.board import Board
from puzzles.boards.drawing import Grid
from puzzles.boards.kinds import BoardFamily
from puzzles.boards.kinds import _notation as notation
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.linear import Linear
from puzzles.errors import ParseError
from puzzles.problem.values import Domains, Integers

MAX_ORDER = 30


@dataclass(frozen=True)
class Magic:
    """A magic square of order n, with the number of each square (0: open)."""

    n: int
    givens: tuple[int, ...]


def parse(words: Sequence[str]) -> Magic:
    """Return the puzzle that words state. Raises ParseError."""
    n = notation.parse_size(words, "magic", MAX_ORDER)
    if len(words) - 1 != n * n:
        raise ParseError(f"{len(words) - 1} squares, but a board of order {n} has {n * n}")
    return Magic(n, tuple(notation.parse_number(word, n * n) for word in words[1:]))


def text(magic: Magic) -> str:
    """Return the line of a puzzle."""
    return f"magic {magic.n} {' '.join(str(number or '.') for number in magic.givens)}"


def lines(n: int) -> list[tuple[int, ...]]:
    """Return rows, columns and the two main diagonals."""
    rows = [tuple(range(r * n, r * n + n)) for r in range(n)]
    diagonals = [tuple(i * (n + 1) for i in range(n)), tuple((i + 1) * (n - 1) for i in range(n))]
    return [*rows, *zip(*rows, strict=True), *diagonals]


def board(magic: Magic) -> tuple[Board, Domains]:
    """Return the problem of a puzzle, and its domains."""
    n, size = magic.n, magic.n**2
    sums = Linear.of([([1] * n, line, "=", n * (size + 1) // 2) for line in lines(n)])
    constraints = (AllDifferent((tuple(range(size)),)), sums)
    grid = Grid(n, tuple(range(size)), (0,) * size)
    names, values = notation.square_names(n, n), Integers(range(1, size + 1))
    problem = Board(f"magic {n}", names, values, constraints, grid)
    return problem, notation.domains_of(magic.givens, problem.full)


FAMILY = BoardFamily("magic", "magic ORDER SQUARE ...", lambda words: board(parse(words)))
