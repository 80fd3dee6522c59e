"""Graph colouring: each edge is a unit of two squares, in which no particular colour must appear."""

import re
from collections.abc import Iterable, Sequence
from random import Random

from puzzles.families import BadLayout, Family, columns, symbols
from puzzles.layout import Layout


def parse_colours(parameters: str) -> int:
    """Parse the number of colours. Raises BadLayout."""
    if not re.fullmatch(r"[0-9]{1,4}", parameters) or not 1 <= int(parameters) <= 1000:
        raise BadLayout(f"colouring {parameters!r}: state the number of colours, such as 'colouring 4'")
    return int(parameters)


def graph(count: int, vertices: int, edges: Iterable[tuple[int, int]], alphabet: str | None = None) -> Layout:
    """Return the layout of a graph with vertices from 0; squares are named from 1, as in DIMACS files."""
    units = tuple(dict.fromkeys((min(e), max(e)) for e in edges))
    names = tuple(str(i + 1) for i in range(vertices))
    return Layout(f"colouring {count}", names, symbols(count, alphabet), units)


def build(parameters: str, alphabet: str | None) -> Layout:
    """Raise BadLayout: the edges of a colouring come from a file."""
    parse_colours(parameters)
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


FAMILY = Family("colouring", "colouring COLOURS (of a .col graph)", build, guess, draw, symmetry)
