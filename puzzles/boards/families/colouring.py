"""Graph colouring: units are the cliques of at least as many vertices as colours, and each edge outside these cliques.

The edges alone are equivalent. But the size of a clique of more vertices than colours refutes it, which takes clause
learning on edges exponential time, and in a clique of as many vertices as colours, each colour must appear. Smaller
cliques gain little and stay edges. `colouring 4 edges` is the plain model, one unit of two squares per edge.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice
from random import Random

from puzzles.boards.family import Family, columns, symbols
from puzzles.boards.layout import Layout
from puzzles.errors import BadLayout
from puzzles.problem.values import bits

Edge = tuple[int, int]  # the smaller vertex first
Unit = tuple[int, ...]
MAX_VERTICES = 10_000  # vertices of a graph whose cliques are searched for: a mask of them takes 1,250 bytes
MIN_CLIQUE = 3  # vertices
MAX_TRIED = 64  # vertices that are compared as the next vertex of a clique


def parse_parameters(parameters: str) -> tuple[int, bool]:
    """Return the number of colours, and True for a unit per edge. Raises BadLayout."""
    match = re.fullmatch(r"([0-9]{1,4})( edges)?", parameters)
    if not match or not 1 <= int(match[1]) <= 1000:
        raise BadLayout(f"colouring {parameters!r}: state the number of colours, such as 'colouring 4'")
    return int(match[1]), bool(match[2])


def graph(count: int, vertices: int, edges: Iterable[Edge], alphabet: str | None = None, plain: bool = False) -> Layout:
    """Return the layout of a graph whose vertices are numbered from 0; squares are named from 1, as in DIMACS files."""
    distinct = tuple(dict.fromkeys((min(e), max(e)) for e in edges))
    names = tuple(str(i + 1) for i in range(vertices))
    units = distinct if plain else clique_partition(vertices, distinct, max(count, MIN_CLIQUE))
    return Layout(f"colouring {count}{' edges' * plain}", names, symbols(count, alphabet), units)


def clique_partition(vertices: int, edges: Sequence[Edge], least: int) -> tuple[Unit, ...]:
    """Return cliques of at least `least` vertices, found greedily, and the other edges: each edge is in one unit.

    Of the cliques grown from each vertex, the largest come first. Units are in the order of their first edges; beyond
    MAX_VERTICES, they are the edges.
    """
    if vertices > MAX_VERTICES:
        return tuple(edges)
    degree = Counter(v for edge in edges for v in edge)
    vertex = sorted(range(vertices), key=lambda v: -degree[v])  # vertices by rank: those of high degree have low bits
    rank = {v: r for r, v in enumerate(vertex)}
    index = {frozenset((rank[u], rank[v])): i for i, (u, v) in enumerate(edges)}
    left = [0] * vertices  # mask of neighbours of each rank by edges in no clique yet
    for a, b in index:
        left[a] |= 1 << b
        left[b] |= 1 << a
    largest = sorted((grow(a, left) for a in range(vertices)), key=len, reverse=True)
    found = [remove(c, left) for c in largest if len(c) >= least and all(left[a] >> b & 1 for a, b in pairs(c))]
    for a in range(vertices):
        while len(clique := grow(a, left)) >= least:
            found.append(remove(clique, left))
    units = {min(index[frozenset(pair)] for pair in pairs(c)): tuple(sorted(vertex[a] for a in c)) for c in found}
    units |= {i: edges[i] for (a, b), i in index.items() if left[a] >> b & 1}
    return tuple(units[i] for i in sorted(units))


def pairs(clique: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Iterate over the edges of a clique."""
    return combinations(clique, 2)


def grow(start: int, near: Sequence[int]) -> list[int]:
    """Return a maximal clique around a vertex, grown by the fitting vertex with most fitting neighbours."""
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
