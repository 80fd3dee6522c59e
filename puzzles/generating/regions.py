"""Random regions and cages: connected sets of squares of a square board. The Random passed in determines everything."""

from collections.abc import Iterable, Sequence
from random import Random

TRADES_PER_SQUARE = 40  # tried between regions; fewer leave the boxes of the start visible


def neighbours(s: int, width: int, height: int) -> list[int]:
    """Return the squares that share an edge with s."""
    r, c = divmod(s, width)
    near = ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c))
    return [y * width + x for y, x in near if 0 <= y < height and 0 <= x < width]


def edges(n: int, random: Random) -> list[tuple[int, int]]:
    """Return all pairs of neighbours on a board of order n, in random order."""
    pairs = [(s, p) for s in range(n * n) for p in neighbours(s, n, n) if s < p]
    random.shuffle(pairs)
    return pairs


def is_connected(squares: Iterable[int], width: int, height: int) -> bool:
    """Return True if each square is reached from each other one by steps over edges."""
    left = set(squares)
    reached = [left.pop()] if left else []
    while reached:
        for p in neighbours(reached.pop(), width, height):
            if p in left:
                left.remove(p)
                reached.append(p)
    return not left


def traded_regions(grid: Sequence[int], region: Sequence[int], n: int, random: Random) -> list[int]:
    """Return the region of each square after random trades of two squares with one value, one for the other.

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
