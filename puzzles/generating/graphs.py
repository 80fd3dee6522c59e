"""Graphs with known chromatic numbers, from their definitions.

    edges  pairs of vertices, numbered from 0, each once, the smaller first

Mycielski, "Sur le coloriage des graphs" (1955): maps a graph to one that needs one more colour without new triangles.
Queens: the squares of a board, adjacent if a queen moves between them; an n x n board needs n colours when neither 2
nor 3 divides n; the few other sizes used are known from search. Stacked triangulations: planar, with exactly one
4-colouring up to renaming colours.
"""

from collections.abc import Callable
from itertools import combinations, product
from random import Random

Edges = tuple[tuple[int, int], ...]
Graph = tuple[int, Edges]  # number of vertices, edges


def mycielski(k: int) -> Graph:
    """Return DIMACS graph mycielK: no triangles, chromatic number K+1; myciel3 is the Groetzsch graph."""
    n, edges = 2, [(0, 1)]
    for _ in range(k - 1):
        shadows = [(u, v + n) for u, v in edges] + [(v, u + n) for u, v in edges]
        edges = [*edges, *shadows, *((v + n, 2 * n) for v in range(n))]
        n = 2 * n + 1
    return n, tuple(sorted(edges))


def queen(n: int) -> Graph:
    """Return the queen graph of an n x n board: an edge if a queen on one square attacks the other."""
    squares = list(product(range(n), range(n)))
    return n * n, tuple(
        (i, j)
        for (i, (r, c)), (j, (y, x)) in combinations(enumerate(squares), 2)
        if r == y or c == x or abs(r - y) == abs(c - x)
    )


def stacked(n: int, random: Random) -> Graph:
    """Return a planar triangulation of n vertices, each new vertex joined to the corners of a random triangle."""
    edges = [(0, 1), (0, 2), (1, 2)]
    faces = [(0, 1, 2), (0, 1, 2)]
    for v in range(3, n):
        f = random.randrange(len(faces))
        a, b, c = faces[f]
        faces[f] = (a, b, v)
        faces += [(a, c, v), (b, c, v)]
        edges += [(a, v), (b, v), (c, v)]
    return n, tuple(sorted(edges))


def planted(n: int, colours: int, edges: int, random: Random) -> Graph:
    """Return a random graph with a colouring of `colours` colours: equal classes, edges only between classes."""
    shade = [v % colours for v in random.sample(range(n), n)]
    found: set[tuple[int, int]] = set()
    while len(found) < edges:
        u, v = sorted(random.sample(range(n), 2))
        if shade[u] != shade[v]:
            found.add((u, v))
    return n, tuple(sorted(found))


# Name -> function of a Random and the graph's numbers; deterministic graphs ignore the Random.
GRAPHS: dict[str, Callable[..., Graph]] = {
    "mycielski": lambda random, k: mycielski(k),
    "queen": lambda random, n: queen(n),
    "stacked": lambda random, n: stacked(n, random),
    "planted": lambda random, n, colours, edges: planted(n, colours, edges, random),
}
