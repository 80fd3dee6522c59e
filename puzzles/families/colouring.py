"""Graph colouring: units are cliques that contain each edge once; no particular colour must appear in a unit.

The edges alone say the same, but a clique of more vertices than colours is refuted by its size, which takes clause
learning on edges exponential time. `colouring 4 edges` is the plain model, one unit of two squares per edge.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, islice
from random import Random

from puzzles.families import BadLayout, Family, columns, symbols
from puzzles.layout import Layout, bits

Edge = tuple[int, int]  # the smaller vertex first
Unit = tuple[int, ...]
MAX_VERTICES = 10_000  # of a graph whose cliques are looked for: a mask of its vertices is 1,250 bytes
MAX_TRIED = 64  # vertices that are compared for the next place in a clique


def parse_parameters(parameters: str) -> tuple[int, bool]:
    """Return the number of colours, and True for a unit per edge. Raises BadLayout."""
    match = re.fullmatch(r"([0-9]{1,4})( edges)?", parameters)
    if not match or not 1 <= int(match[1]) <= 1000:
        raise BadLayout(f"colouring {parameters!r}: state the number of colours, such as 'colouring 4'")
    return int(match[1]), bool(match[2])


def graph(count: int, vertices: int, edges: Iterable[Edge], alphabet: str | None = None, plain: bool = False) -> Layout:
    """Return the layout of a graph with vertices from 0; squares are named from 1, as in DIMACS files."""
    distinct = tuple(dict.fromkeys((min(e), max(e)) for e in edges))
    names = tuple(str(i + 1) for i in range(vertices))
    units = distinct if plain else clique_partition(vertices, distinct)
    return Layout(f"colouring {count}{' edges' * plain}", names, symbols(count, alphabet), units)


def clique_partition(vertices: int, edges: Sequence[Edge]) -> tuple[Unit, ...]:
    """Return cliques that contain each edge once, found greedily: of those grown from each vertex, the largest first.

    They are in the order of their first edges; without triangles, and beyond MAX_VERTICES, they are the edges.
    """
    if vertices > MAX_VERTICES:
        return tuple(edges)
    degree = Counter(v for edge in edges for v in edge)
    vertex = sorted(range(vertices), key=lambda v: -degree[v])  # by rank: vertices of high degree have low bits
    rank = {v: r for r, v in enumerate(vertex)}
    index = {frozenset((rank[u], rank[v])): i for i, (u, v) in enumerate(edges)}
    left = [0] * vertices  # for each rank, the mask of neighbours by edges in no clique yet
    for a, b in index:
        left[a] |= 1 << b
        left[b] |= 1 << a
    largest = sorted((grow(a, left) for a in range(vertices)), key=len, reverse=True)
    found = [remove(c, left) for c in largest if all(left[a] >> b & 1 for a, b in combinations(c, 2))]
    for a in range(vertices):
        while left[a]:
            found.append(remove(grow(a, left), left))
    first = ((min(index[frozenset(pair)] for pair in combinations(c, 2)), c) for c in found if len(c) > 1)
    return tuple(tuple(sorted(vertex[a] for a in clique)) for _, clique in sorted(first))


def grow(start: int, near: Sequence[int]) -> list[int]:
    """Return a maximal clique around a vertex: each next one has the most neighbours among those that still fit."""
    clique, fitting = [start], near[start]
    while fitting:
        best = max(islice(bits(fitting), MAX_TRIED), key=lambda b: (fitting & near[b]).bit_count())
        clique.append(best)
        fitting &= near[best]
    return clique


def remove(clique: list[int], left: list[int]) -> list[int]:
    """Remove the edges of a clique from `left`; return the clique."""
    outside = ~sum(1 << a for a in clique)
    for a in clique:
        left[a] &= outside
    return clique


def build(parameters: str, alphabet: str | None) -> Layout:
    """Raise BadLayout: the edges of a colouring come from a file."""
    parse_parameters(parameters)
    raise BadLayout("a colouring needs a graph: read one from a .col file")


def guess(squares: int) -> str | None:
    return None


def draw(layout: Layout, cells: Sequence[str]) -> str:
    """Draw vertex=colour, ten per line."""
    wide = len(str(len(cells)))
    return columns([f"{n:>{wide}}={c}" for n, c in zip(layout.squares, cells, strict=True)], 10)


def symmetry(layout: Layout, random: Random) -> tuple[int, ...]:
    """Return the identity: automorphisms of the graph are not computed; callers rename its colours."""
    return tuple(range(len(layout.squares)))


FAMILY = Family("colouring", "colouring COLOURS [edges] (of a .col graph)", build, guess, draw, symmetry)
