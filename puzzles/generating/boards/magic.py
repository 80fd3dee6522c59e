"""Magic squares: one made by a known method, moved by symmetries, whose givens are left out at random.

Odd orders by the Siamese method, multiples of four by complements, the others by Conway's LUX method.
"""

from random import Random

from puzzles.boards.kinds._notation import parse_size
from puzzles.boards.kinds.magic import Magic, board, text
from puzzles.generating.generate import Oracle
from puzzles.generating.grids import GenerationError
from puzzles.generating.thinning import thinned

KINDS = {"easy": "count 1", "minimal": "count 1"}
MAX_ORDER = 12
Square = list[list[int]]


def make(parameters: str, kind: str, random: Random, oracle: Oracle) -> str:
    """Make a magic square. No given of a `minimal` one can be left out; `easy` keeps half of the givens."""
    n = parse_size([parameters], "magic", MAX_ORDER)
    numbers = [number for row in moved(magic_square(n), random) for number in row]
    order = random.sample(range(n * n), n * n)

    def puzzle(given: list[int]) -> Magic:
        shown = set(given)
        return Magic(n, tuple(number if s in shown else 0 for s, number in enumerate(numbers)))

    floor = n * n // 2 if kind == "easy" else 0
    return text(puzzle(thinned(order, lambda left: oracle.count(*board(puzzle(left)), 2) == 1, floor)))


def magic_square(n: int) -> Square:
    """Return a magic square of order n. Raises GenerationError if no such square exists."""
    if n == 2:
        raise GenerationError("there is no magic square of order 2")
    if n % 2:
        return siamese(n)
    return doubly_even(n) if n % 4 == 0 else lux(n)


def siamese(n: int) -> Square:
    """Return a square of odd order: each number stands above and right of the one before, or below it."""
    square = [[0] * n for _ in range(n)]
    r, c = 0, n // 2
    for number in range(1, n * n + 1):
        square[r][c] = number
        up, right = (r - 1) % n, (c + 1) % n
        r, c = (up, right) if not square[up][right] else ((r + 1) % n, c)
    return square


def doubly_even(n: int) -> Square:
    """Return a square whose order is a multiple of four: numbers in order, those on diagonals of 4x4 reversed."""
    return [
        [n * n - (r * n + c) if r % 4 == c % 4 or (r + c) % 4 == 3 else r * n + c + 1 for c in range(n)]
        for r in range(n)
    ]


def lux(n: int) -> Square:
    """Return a square of order 4k + 2: each number of a Siamese square becomes four, in the order of L, U or X."""
    half, k = n // 2, n // 4
    kinds = ["L" * half] * (k + 1) + ["U" * half] + ["X" * half] * (k - 1)
    kinds[k] = kinds[k][:k] + "U" + kinds[k][k + 1 :]
    kinds[k + 1] = kinds[k + 1][:k] + "L" + kinds[k + 1][k + 1 :]
    order = {
        "L": ((0, 1), (1, 0), (1, 1), (0, 0)),
        "U": ((0, 0), (1, 0), (1, 1), (0, 1)),
        "X": ((0, 0), (1, 1), (1, 0), (0, 1)),
    }
    square = [[0] * n for _ in range(n)]
    for r, row in enumerate(siamese(half)):
        for c, number in enumerate(row):
            for i, (y, x) in enumerate(order[kinds[r][c]]):
                square[2 * r + y][2 * c + x] = 4 * (number - 1) + i + 1
    return square


def moved(square: Square, random: Random) -> Square:
    """Return a magic square after a random permutation of lines that keeps both diagonals, and a reflection."""
    n = len(square)
    half = n // 2
    order = [i if random.random() < 0.5 else n - 1 - i for i in random.sample(range(half), half)]
    order = [*order, *([half] if n % 2 else []), *(n - 1 - i for i in reversed(order))]
    found = [[square[r][c] for c in order] for r in order]
    if random.random() < 0.5:
        found = [list(column) for column in zip(*found, strict=True)]
    return [row[::-1] for row in found] if random.random() < 0.5 else found
