"""Random regions and cages: connected sets of squares of a square board. The Random passed in determines everything."""

from collections.abc import Sequence
from random import Random

from puzzles.boards.regions import is_connected, neighbours

TRADES_PER_SQUARE = 40  # trades tried between regions; fewer leave the boxes of the start visible


def edges(n: int, random: Random) -> list[tuple[int, int]]:
    """Return all pairs of neighbours on a board of order n, in random order."""
    pairs = [(s, p) for s in range(n * n) for p in neighbours(s, n, n) if s < p]
    random.shuffle(pairs)
    return pairs


def traded_regions(grid: Sequence[int], region: Sequence[int], n: int, random: Random) -> list[int]:
    """Return the region of each square after random trades of two squares that hold the same value.

    So each region still holds each value of the grid once.
    """
    traded = list(region)
    for _ in range(TRADES_PER_SQUARE * n * n):
        s = random.randrange(n * n)
        a, b = traded[s], traded[random.choice(neighbours(s, n, n))]
        p = next(p for p in range(n * n) if traded[p] == b and grid[p] == grid[s])
        traded[s], traded[p] = b, a
        if not all(is_connected((q for q in range(n * n) if traded[q] == k), n, n) for k in (a, b)):
            traded[s], traded[p] = a, b
    return traded
