"""KenKen: a Latin square with cages, each with the result of an operation on its numbers.

    kenken 3 aabcdbcdd a=3+ b=2/ c=1- d=6*      cages, one letter per square, '.' in none; number and operator of each

`+` is a sum, `*` (or `x`) a product; `-` and `/` are the difference and the quotient of two squares, the larger number
first. A cage of one square needs no operator. Numbers of a cage may be equal where rows and columns allow it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from puzzles.boards.board import Board
from puzzles.boards.drawing import Grid
from puzzles.boards.families.latin import build
from puzzles.boards.kinds import BoardFamily
from puzzles.boards.kinds import _notation as notation
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.linear import Linear
from puzzles.constraints.table import Table
from puzzles.errors import ParseError
from puzzles.problem import Constraint
from puzzles.problem.values import Domains, Integers

MAX_ORDER = 16
MAX_TUPLES = 100_000  # tuples of one cage
FORM = "a=NUMBER and one of + - * /"
OPERATORS = {"": "+", "+": "+", "-": "-", "*": "*", "x": "*", "×": "*", "/": "/", "÷": "/"}
Cage = tuple[tuple[int, ...], int, str]  # squares, number, operator: one of + - * /


@dataclass(frozen=True)
class Kenken:
    """A KenKen of order n and its cages."""

    n: int
    cages: tuple[Cage, ...]


def parse(words: Sequence[str]) -> Kenken:
    """Return the puzzle that words state. Raises ParseError."""
    n = notation.parse_size(words, "kenken", MAX_ORDER)
    if len(words) < 2:
        raise ParseError("expected 'kenken ORDER', the map of cages, then their clues")
    cages = notation.parse_map(words[1], n * n)
    clues = notation.parse_clues(words[2:], cages, FORM)
    return Kenken(n, tuple(cage(mark, squares, *clues[mark]) for mark, squares in cages.items()))


def cage(mark: str, squares: tuple[int, ...], number: int, operator: str) -> Cage:
    """Return a cage. Raises ParseError."""
    if operator not in OPERATORS or (not operator and len(squares) > 1):
        raise ParseError(f"cage {mark} has no operator that is known: expected {FORM.replace('a=', mark + '=')}")
    if operator in ("-", "/", "÷") and len(squares) != 2:
        raise ParseError(f"cage {mark} has {len(squares)} squares: a difference or quotient takes two")
    return squares, number, OPERATORS[operator]


def text(kenken: Kenken) -> str:
    """Return the line of a puzzle."""
    cages, marks = notation.map_text([squares for squares, _, _ in kenken.cages], kenken.n**2)
    clues = [f"{mark}={clue(c)}" for mark, c in zip(marks, kenken.cages, strict=False)]
    return " ".join([f"kenken {kenken.n}", cages, *clues])


def clue(cage: Cage) -> str:
    """Return number and operator of a cage, a number alone for one square."""
    squares, number, operator = cage
    return f"{number}{operator if len(squares) > 1 else ''}"


def board(kenken: Kenken) -> tuple[Board, Domains]:
    """Return the problem of a puzzle, and its domains. Raises ParseError if a cage has too many products."""
    n, size = kenken.n, kenken.n**2
    plain = build(str(n), None)
    sums = [([1] * len(squares), squares, "=", number) for squares, number, op in kenken.cages if op == "+"]
    tables = tuple(table(c, n) for c in kenken.cages if c[2] != "+")
    cages = [squares for squares, _, _ in kenken.cages]
    labels = notation.cage_labels([(c[0], clue(c)) for c in kenken.cages], size)
    grid = Grid(n, tuple(range(size)), notation.cage_regions(cages, size), labels)
    constraints: tuple[Constraint, ...] = (AllDifferent(plain.units), Linear.of(sums), *tables)
    problem = Board(f"kenken {n}", plain.squares, Integers(range(1, n + 1)), constraints, grid)
    return problem, problem.open


def table(cage: Cage, n: int) -> Table:
    """Return the table of a difference, quotient or product. Raises ParseError if it is too long."""
    squares, number, operator = cage
    pairs = [(a, b) for a in range(1, n + 1) for b in range(1, n + 1)]
    if operator == "-":
        return Table.of([squares], [(a, b) for a, b in pairs if abs(a - b) == number])
    if operator == "/":
        return Table.of([squares], [(a, b) for a, b in pairs if a == number * b or b == number * a])
    rows = [row for row, _ in zip(products(squares, number, n, ()), range(MAX_TUPLES + 1), strict=False)]
    if len(rows) > MAX_TUPLES:
        raise ParseError(f"a cage of {len(squares)} squares has more than {MAX_TUPLES} ways to make {number}")
    return Table.of([squares], rows)


def products(squares: Sequence[int], number: int, n: int, row: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the numbers of squares with the product `number`; squares of one row or column differ."""
    if len(row) == len(squares):
        if number == 1:
            yield row
        return
    s = squares[len(row)]
    seen = {a for p, a in zip(squares, row, strict=False) if p // n == s // n or p % n == s % n}
    for a in range(1, n + 1):
        if number and number % a == 0 and a not in seen:
            yield from products(squares, number // a, n, (*row, a))


FAMILY = BoardFamily("kenken", f"kenken ORDER CAGES {FORM} ...", lambda words: board(parse(words)))
