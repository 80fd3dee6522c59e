"""Connected sets of squares of a board."""

from collections.abc import Collection, Iterable


def neighbours(s: int, width: int, height: int) -> list[int]:
    """Return the squares that share an edge with s."""
    r, c = divmod(s, width)
    near = ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c))
    return [y * width + x for y, x in near if 0 <= y < height and 0 <= x < width]


def is_connected(squares: Iterable[int], width: int, height: int) -> bool:
    """Return True if steps over edges lead from each square to each other one."""
    left = set(squares)
    reached = [left.pop()] if left else []
    while reached:
        for p in neighbours(reached.pop(), width, height):
            if p in left:
                left.remove(p)
                reached.append(p)
    return not left


def parted(width: int, size: int, walls: Collection[tuple[int, int]]) -> list[int]:
    """Return the region of each square, named by its first one; walls are pairs of neighbours, the lesser first."""
    found = [-1] * size
    for start in range(size):
        reached = [start] if found[start] < 0 else []
        while reached:
            s = reached.pop()
            found[s] = start
            near = [p for p in neighbours(s, width, size // width) if found[p] < 0]
            reached += [p for p in near if (min(s, p), max(s, p)) not in walls]
    return found
