"""Futoshiki: a Latin square whose givens, and then comparisons, are left out at random."""

from random import Random

from puzzles.boards.kinds._notation import parse_size
from puzzles.boards.kinds.futoshiki import Futoshiki, board, text
from puzzles.generating.generate import Oracle
from puzzles.generating.grids import latin_grid
from puzzles.generating.regions import edges
from puzzles.generating.thinning import thinned

KINDS = {"easy": "count 1", "minimal": "count 1"}
MAX_ORDER = 15


def make(parameters: str, kind: str, random: Random, oracle: Oracle) -> str:
    """Make a futoshiki. No clue of a `minimal` one can be left out; `easy` keeps half of all comparisons."""
    n = parse_size([parameters], "futoshiki", MAX_ORDER)
    grid = latin_grid(n, random)
    signs = [(s, p) if grid[s] < grid[p] else (p, s) for s, p in edges(n, random)]

    def puzzle(given: list[int], ascending: list[tuple[int, int]]) -> Futoshiki:
        shown = set(given)
        numbers = tuple(value + 1 if s in shown else 0 for s, value in enumerate(grid))
        return Futoshiki(n, numbers, tuple(sorted(ascending, key=lambda pair: sorted(pair))))

    def is_unique(given: list[int], ascending: list[tuple[int, int]]) -> bool:
        oracle.tell(f"{len(given):,} givens, {len(ascending):,} comparisons")
        return oracle.count(*board(puzzle(given, ascending)), 2) == 1

    order = random.sample(range(n * n), n * n)
    given = thinned(order, lambda left: is_unique(left, signs))
    floor = len(signs) // 2 if kind == "easy" else 0
    return text(puzzle(given, thinned(signs, lambda left: is_unique(given, left), floor)))
