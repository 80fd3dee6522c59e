"""Killer Sudoku: Sudoku with cages, whose squares hold different numbers of a stated sum.

killer 2x2 aabbccddeeffgghh a=3 b=7 ...             cages, one letter per square, '.' in none; the sum of each
killer 2x2 1............... aabbccdd... a=3 ...     the same with givens
killer 2x2 diagonals aabbccddeeffgghh a=3 ...       the numbers of each main diagonal differ too
"""

from collections.abc import Sequence
from dataclasses import dataclass

from puzzles.boards.board import Board
from puzzles.boards.drawing import Grid
from puzzles.boards.families import sudoku, sudoku_x
from puzzles.boards.families.sudoku import parse_box
from puzzles.boards.kinds import BoardFamily
from puzzles.boards.kinds import _notation as notation
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.linear import Linear
from puzzles.errors import ParseError
from puzzles.problem.values import Domains, Integers

FORM = "a=SUM"
DIAGONALS = "diagonals"


@dataclass(frozen=True)
class Killer:
    """A killer Sudoku: rows and columns of a box, the number of each square (0: open), (squares, sum) of each cage.

    diagonals  True if the main diagonals are units
    """

    box: tuple[int, int]
    givens: tuple[int, ...]
    cages: tuple[tuple[tuple[int, ...], int], ...]
    diagonals: bool = False


def parse(words: Sequence[str]) -> Killer:
    """Return the puzzle that words state. Raises ParseError, BadLayout."""
    box = parse_box(words[0] if words else "?", "killer")
    n = box[0] * box[1]
    diagonals = list(words[1:2]) == [DIAGONALS]
    words = [words[0], *words[2:]] if diagonals else words
    maps = [i for i, word in enumerate(words) if i and "=" not in word]
    if maps not in ([1], [1, 2]):
        raise ParseError(
            f"expected 'killer ROWSxCOLUMNS', '{DIAGONALS}' if they count, givens if there are any, the map of cages,"
            " then their sums"
        )
    givens = notation.parse_givens(words[1], n * n, n) if len(maps) == 2 else (0,) * (n * n)
    cages = notation.parse_map(words[maps[-1]], n * n)
    clues = notation.parse_clues(words[maps[-1] + 1 :], cages, FORM)
    for mark, squares in cages.items():
        if clues[mark][1]:
            raise ParseError(f"cage {mark} has an operator: a killer cage has a sum, as {FORM}")
        if len(squares) > n:
            raise ParseError(f"cage {mark} has {len(squares)} squares: its numbers differ, so it has at most {n}")
    return Killer(box, givens, tuple((squares, clues[mark][0]) for mark, squares in cages.items()), diagonals)


def text(killer: Killer) -> str:
    """Return the line of a puzzle."""
    cages, marks = notation.map_text([squares for squares, _ in killer.cages], len(killer.givens))
    givens = [notation.givens_text(killer.givens)] if any(killer.givens) else []
    sums = [f"{mark}={total}" for mark, (_, total) in zip(marks, killer.cages, strict=False)]
    diagonals = [DIAGONALS] if killer.diagonals else []
    return " ".join([f"killer {killer.box[0]}x{killer.box[1]}", *diagonals, *givens, cages, *sums])


def board(killer: Killer) -> tuple[Board, Domains]:
    """Return the problem of a puzzle, and its domains."""
    rows, columns = killer.box
    family = sudoku_x if killer.diagonals else sudoku
    plain, n, size = family.build(f"{rows}x{columns}", None), rows * columns, len(killer.givens)
    cages = [squares for squares, _ in killer.cages]
    units = tuple(dict.fromkeys((*plain.units, *(squares for squares in cages if len(squares) > 1))))
    sums = Linear.of([([1] * len(squares), squares, "=", total) for squares, total in killer.cages])
    labels = notation.cage_labels([(squares, str(total)) for squares, total in killer.cages], size)
    boxes = tuple(s // n // rows * n + s % n // columns for s in range(size))
    grid = Grid(n, tuple(range(size)), notation.cage_regions(cages, size), labels, boxes)
    values = Integers(range(1, n + 1))
    name = f"killer {rows}x{columns}{f' {DIAGONALS}' * killer.diagonals}"
    problem = Board(name, plain.squares, values, (AllDifferent(units), sums), grid)
    return problem, notation.domains_of(killer.givens, problem.full)


FAMILY = BoardFamily(
    "killer", f"killer ROWSxCOLUMNS [{DIAGONALS}] [GIVENS] CAGES {FORM} ...", lambda words: board(parse(words))
)
