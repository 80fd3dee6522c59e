"""Completion of n queens: a random solution, whose queens are left out at random."""

from random import Random

from puzzles.boards.kinds._notation import parse_size
from puzzles.boards.kinds.queens import BOTH, QUEEN, Queens, board, text
from puzzles.generating.generate import Oracle
from puzzles.generating.grids import GenerationError
from puzzles.generating.thinning import thinned

KINDS = {"easy": "count 1", "minimal": "count 1", "holes": "count 1+"}
MAX_ORDER = 60
MAX_SWAPS = 200_000


def make(parameters: str, kind: str, random: Random, oracle: Oracle) -> str:
    """Make a board. No queen of a `minimal` one can be left out; `easy` keeps half of the queens, `holes` a third."""
    n = parse_size([parameters], "queens", MAX_ORDER)
    columns = solution(n, random)
    order = random.sample(range(n), n)

    def puzzle(rows: list[int]) -> Queens:
        queens = {r * n + columns[r] for r in rows}
        return Queens(n, tuple(QUEEN if s in queens else BOTH for s in range(n * n)))

    if kind == "holes":
        return text(puzzle(order[: n // 3]))
    floor = n // 2 if kind == "easy" else 0
    return text(puzzle(thinned(order, lambda rows: oracle.count(*board(puzzle(rows)), 2) == 1, floor)))


def solution(n: int, random: Random) -> list[int]:
    """Return the column of the queen in each row: a random permutation, improved by swaps. Raises GenerationError."""
    columns = random.sample(range(n), n)
    clashes = attacks(columns)
    for _ in range(MAX_SWAPS if n not in (2, 3) else 0):
        if not clashes:
            return columns
        i, j = random.randrange(n), random.randrange(n)
        columns[i], columns[j] = columns[j], columns[i]
        found = attacks(columns)
        if found > clashes and random.random() > WORSE:
            columns[i], columns[j] = columns[j], columns[i]
        else:
            clashes = found
    raise GenerationError(f"found no {n} queens that do not attack each other")


WORSE = 0.02  # share of swaps kept although they bring more attacks


def attacks(columns: list[int]) -> int:
    """Return the number of queens beyond one per diagonal."""
    n = len(columns)
    falling, rising = ({c + way * r for r, c in enumerate(columns)} for way in (-1, 1))
    return 2 * n - len(falling) - len(rising)
